import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Said } from '../../../contract/fact.ts';
import { priceOf } from '../../../contract/links.ts';
import { say, tell } from '../../languages/say.ts';
import { nameLink } from '../../lib/format.ts';
import { FieldError } from '../../ui/alert.tsx';

export interface PickedLink {
  id: string;
  title: string | null;
  /** Cents. */
  price: number;
  least: number | null;
  free: boolean;
}

interface ListPart<Link> {
  items: Link[];
  nextToken: string | null;
}

/**
 * Some of the creator's links, in the order in which they are chosen.
 * @param first those that are chosen already
 * @param list the newest links; null where they could not be read
 * @param readOn reads what follows
 */
export function usePickedLinks<Link extends PickedLink>(
  first: Link[],
  list: ListPart<Link> | null,
  readOn: (after: string | null) => Promise<ListPart<Link> | null>,
) {
  const [shown, setShown] = useState(() => withOthers(first, list?.items ?? []));
  const [nextToken, setNextToken] = useState(list?.nextToken ?? null);
  const [chosen, setChosen] = useState(() => first.map(({ id }) => id));

  function choose({ currentTarget: { checked, value } }: FormEvent<HTMLInputElement>) {
    setChosen((ids) => (checked ? [...ids, value] : ids.filter((id) => id !== value)));
  }

  async function showMore() {
    const more = await readOn(nextToken);
    setShown((links) => withOthers(links, more?.items ?? []));
    setNextToken(more?.nextToken ?? null);
  }

  return { shown, chosen, choose, showMore: nextToken === null ? null : showMore };
}

/** Those that are chosen already first, each once. */
function withOthers<Link extends PickedLink>(first: Link[], others: Link[]): Link[] {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...others.filter(({ id }) => !ids.has(id))];
}

interface LinkPickerProps extends Omit<ReturnType<typeof usePickedLinks>, 'shown'> {
  /** Of its boxes. */
  name: string;
  legend: string;
  links: PickedLink[];
  error: Said | undefined;
  disabled: boolean;
  /** What is asked of each that is chosen. */
  ask?: (link: PickedLink) => ReactNode;
  /** Said below the list. */
  children: ReactNode;
}

export function LinkPicker({
  name,
  legend,
  links,
  chosen,
  error,
  disabled,
  ...more
}: LinkPickerProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-said ${id}-error`}>
      <legend className="mb-1.5 font-medium">{legend}</legend>
      <ul className="max-h-80 overflow-y-auto rounded-control border border-line px-3">
        {links.map((link) => (
          <li key={link.id}>
            <label className="flex min-h-11 cursor-pointer items-center gap-3 py-1.5">
              <input
                checked={chosen.includes(link.id)}
                className="size-5 shrink-0 accent-ink"
                disabled={disabled}
                name={name}
                onChange={more.choose}
                type="checkbox"
                value={link.id}
              />
              <span className="min-w-0 flex-1 wrap-anywhere">
                <bdi>{nameLink(link)}</bdi>
              </span>
              <span className="text-sm text-muted tabular-nums">{tell(priceOf(link))}</span>
            </label>
            {chosen.includes(link.id) && more.ask?.(link)}
          </li>
        ))}
        {more.showMore && (
          <li>
            <button
              className="text-link min-h-11 text-sm"
              disabled={disabled}
              onClick={more.showMore}
              type="button"
            >
              {say('Show older links')}
            </button>
          </li>
        )}
      </ul>
      <p className="mt-1.5 text-sm text-muted tabular-nums" id={`${id}-said`} role="status">
        {more.children}
      </p>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}
