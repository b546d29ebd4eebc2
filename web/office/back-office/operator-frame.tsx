import type { TadaDocumentNode } from 'gql.tada';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import type { PageContext, PageProps } from '../../page.ts';
import { Field } from '../../ui/field.tsx';
import { ListFailed } from '../../ui/list-parts.tsx';
import { SectionTabs } from '../../ui/section-tabs.tsx';

const SECTIONS = [
  { href: '/operator', label: 'Overview' },
  { href: '/operator/links', label: 'Links' },
  { href: '/operator/reports', label: 'Reports' },
  { href: '/operator/sellers', label: 'Sellers' },
  { href: '/operator/purchases', label: 'Purchases' },
  { href: '/operator/undelivered', label: 'Undelivered' },
  { href: '/operator/acts', label: 'Activity log' },
] as const satisfies { href: string; label: Sentence }[];

interface OperatorFrameProps {
  ctx: PageContext;
  title: string;
  /** What was just done, in a sentence. It gets the focus: what was pressed may be gone. */
  done?: Done;
  children: ReactNode;
}

const NOTHING: Done = { words: '' };

/** What all of the operator's pages share: their heading, and the ways between them. */
export function OperatorFrame({ ctx, title, done = NOTHING, children }: OperatorFrameProps) {
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (done.words) outcome.current?.focus();
  }, [done]);
  return (
    <div className="list-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">{title}</h1>
        <SectionTabs current={ctx.path} label={say('Operator')} sections={SECTIONS} />
        <noscript>
          <p className="mt-3">
            {say(
              'You can read this page. Changing anything requires JavaScript, which is turned off in this browser.',
            )}
          </p>
        </noscript>
      </div>
      <p
        className={done.words ? 'font-medium' : 'sr-only'}
        ref={outcome}
        role="status"
        tabIndex={-1}
      >
        {done.words}
      </p>
      {children}
    </div>
  );
}

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
}

export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 className="mb-4 text-2xl" id={id}>
        {title}
      </h2>
      {children}
    </section>
  );
}

interface TabsProps {
  label: string;
  tabs: { href: string; words: string; isCurrent: boolean }[];
}

/** The parts of a list, each an address of its own. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav aria-label={label} className="period-tabs w-fit">
      {tabs.map(({ href, words, isCurrent }) => (
        <a aria-current={isCurrent ? 'page' : undefined} className="tab" href={href} key={href}>
          {words}
        </a>
      ))}
    </nav>
  );
}

interface CardListProps<Item> extends ComponentProps<typeof ListFailed> {
  /** Absent where they could not be loaded. */
  items: readonly Item[] | null | undefined;
  /** What is shown where there are none. */
  empty: ReactNode;
  /** Draws the row of one, with its key. */
  children(item: Item, place: number): ReactNode;
}

/** A list in a card, or why it is not there. */
export function CardList<Item>({ items, empty, children, ...failed }: CardListProps<Item>) {
  if (!items) return <ListFailed {...failed} />;
  if (items.length === 0) return empty;
  return (
    <ul className="card divide-y divide-line">
      {items.map((item, place) => children(item, place))}
    </ul>
  );
}

/** Of the first page of what is searched for in a list, or in a part of it. */
export function searchAddress(path: string, search: string, show = ''): string {
  const parts = new URLSearchParams({ ...(search && { search }), ...(show && { show }) });
  return parts.size > 0 ? `${path}?${parts}` : path;
}

interface SearchFormProps {
  /** Of the list. */
  address: string;
  label: string;
  hint: string;
  /** What is searched for now. */
  search: string;
  /** The part of the list that it looks through. */
  show?: string;
}

/** Looks through a list, without JavaScript too. */
export function SearchForm({ address, label, hint, search, show = '' }: SearchFormProps) {
  return (
    <search>
      <form action={address} className="flex flex-wrap items-end gap-3">
        <Field
          className="min-w-0 flex-1 basis-64"
          defaultValue={search}
          label={label}
          maxLength={254}
          name="search"
        />
        {show && <input name="show" type="hidden" value={show} />}
        <button className="button button-primary" type="submit">
          {say('Search')}
        </button>
        <p className="basis-full text-sm text-muted">{hint}</p>
      </form>
    </search>
  );
}

interface Done {
  words: string;
}

/** Leads from a row to all that is known of what it names. */
export function RowLink({ href, children }: { href: string; children: string }) {
  return (
    <a className="text-link -my-2.5 inline-block py-2.5" dir="auto" href={href}>
      {children}
    </a>
  );
}

/** Why something is done to somebody. */
export const ReasonField = ({ hint }: { hint: string }) => (
  <Field hint={hint} label={say('Reason')} name="reason" required />
);

/** What a row on which operators act is given. */
export interface Acting {
  config: RuntimeConfig;
  /** Tells what was done. */
  onDone(words: string): Promise<void>;
}

/** The data of a page on which operators act: it is read anew after each act, which is then told. */
export function useActs<Data, Variables>(
  { data, ctx: { config } }: PageProps<Data>,
  query: TadaDocumentNode<Data, Variables>,
  variables: Variables,
) {
  const [shown, show] = useState(data);
  const [done, setDone] = useState(NOTHING);
  async function onDone(words: string) {
    show(await needSession(requestGraphql(config, query, variables)));
    setDone({ words });
  }
  return { shown, done, acting: { config, onDone } };
}
