import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { type Sentence, say } from '../../languages/say.ts';
import { type ExploreQuery, readExploreQuery } from './use-explore.ts';

interface FilterFormProps {
  query: ExploreQuery;
  onFind(query: ExploreQuery): void;
  onTyping(query: ExploreQuery): void;
}

/** The search and filters. A plain form; with JavaScript, the list follows it. */
export function FilterForm({ query, onFind, onTyping }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const find = () => form.current && onFind(readForm(form.current));
  // What was chosen before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => void find(), []);

  function submit(event: FormEvent) {
    event.preventDefault();
    find();
  }

  return (
    <search>
      <form action="/explore" className="explore-form" method="get" onSubmit={submit} ref={form}>
        <Labelled className="explore-words" label={say('Search links')}>
          {(id) => (
            <input
              autoComplete="off"
              className="input"
              defaultValue={query.q}
              dir="auto"
              enterKeyHint="search"
              id={id}
              name="q"
              onInput={() => form.current && onTyping(readForm(form.current))}
              type="search"
            />
          )}
        </Labelled>
        <Choice
          chosen={query.sort}
          label={say('Sort by')}
          name="sort"
          onChange={find}
          options={SORTS}
        />
        <Choice
          chosen={query.price}
          label={say('Price')}
          name="price"
          onChange={find}
          options={PRICES}
        />
        <Choice
          chosen={query.type}
          label={say('Type')}
          name="type"
          onChange={find}
          options={TYPES}
        />
        <button className="button button-secondary" type="submit">
          {say('Search')}
        </button>
      </form>
    </search>
  );
}

const readForm = (form: HTMLFormElement) =>
  readExploreQuery(Object.fromEntries(new FormData(form)));

const SORTS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  cheapest: 'Price, low to high',
  dearest: 'Price, high to low',
} as const;
const PRICES = {
  '': 'Any price',
  'under-2': 'Under $2',
  '2-to-5': '$2 to $5',
  'over-5': 'Over $5',
} as const;
const TYPES = { '': 'All types', file: 'Files', link: 'Web addresses' } as const;

interface ChoiceProps {
  label: string;
  name: string;
  chosen: string;
  options: Record<string, Sentence>;
  onChange(): void;
}

function Choice({ label, name, chosen, options, onChange }: ChoiceProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <select className="input" defaultValue={chosen} id={id} name={name} onChange={onChange}>
          {Object.entries(options).map(([value, words]) => (
            <option key={value} value={value}>
              {say(words)}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface LabelledProps {
  label: string;
  className?: string;
  children(id: string): ReactNode;
}

function Labelled({ label, className, children }: LabelledProps) {
  const id = useId();
  return (
    <div className={className}>
      <label className="mb-1 block text-sm font-medium" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}
