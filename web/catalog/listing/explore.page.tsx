import { type MouseEvent, useEffect, useRef } from 'react';
import { chooseTones } from '../../../contract/drawn-cover.ts';
import { say, tell } from '../../languages/say.ts';
import { sayCount } from '../../lib/format.ts';
import type { ResultOf } from '../../lib/graphql.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { EmptyList } from '../../ui/message-page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ExploreCard } from './explore-card.tsx';
import { FilterForm } from './filter-form.tsx';
import {
  exploreQuery,
  readExploreQuery,
  toExploreAddress,
  toExploreVariables,
  useExplore,
} from './use-explore.ts';

export const page = definePage({
  query: exploreQuery,
  variables: ({ query }) => toExploreVariables(readExploreQuery(query), query.after ?? null),
  fallback: { listPaywallLinks: null },
  status: (_, ctx) => ctx.failed?.listPaywallLinks ?? 200,
  hydrate: 'late',
  head: (_, ctx) => ({
    title: say('Explore Paywall Links'),
    description: say('Browse all links ever created.'),
    canonical: `${ctx.config.origin}/explore`,
    feed: { title: say('The newest paywall links'), href: '/explore.atom' },
    robots: isChoosy(ctx) ? 'noindex, follow' : undefined,
  }),
  Component: Explore,
});

const isChoosy = ({ query }: PageContext) =>
  toExploreAddress(readExploreQuery(query)) !== '/explore';

function Explore({ data, ctx }: PageProps<ResultOf<typeof exploreQuery>>) {
  const { items, nextToken, query, state, ...list } = useExplore(data.listPaywallLinks, ctx);
  const { ref, focusNext } = useFocusNext<HTMLUListElement>(items.length);
  const more = (nextToken || state === 'failed') && (
    <MoreItems
      failed={state === 'failed'}
      href={toExploreAddress(query, nextToken)}
      onMore={() => {
        focusNext();
        void list.loadMore();
      }}
      onNear={list.loadUnasked}
    />
  );
  const tones = chooseTones(items.map(({ id }) => id));
  return (
    <div className="explore-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">{say('Explore Paywall Links')}</h1>
        <p className="mt-3 text-lg text-muted">{say('Browse all links ever created.')}</p>
      </div>
      <FilterForm onFind={list.find} onTyping={list.findSoon} query={query} />
      {ctx.query.after && (
        <p>
          <a
            className="text-link inline-flex min-h-11 items-center"
            href={toExploreAddress(readExploreQuery(ctx.query))}
          >
            {say('Back to the first links')}
          </a>
        </p>
      )}
      <div className="min-h-6">
        {state === 'finding' && <Spinner text={say('Loading explore page...')} />}
        <FoundLinks
          count={items.length}
          goesOn={nextToken !== null}
          hasWords={state !== 'failed' && /\S\s+\S/.test(query.q)}
          isFiltered={toExploreAddress(query) !== '/explore'}
          isKnown={state !== 'finding'}
        />
      </div>
      {items.length > 0 && (
        <ul aria-busy={state === 'finding'} className="explore-list" ref={ref}>
          {items.map((link, place) => (
            <ExploreCard key={link.id} link={link} tone={tones[place]} />
          ))}
        </ul>
      )}
      {state === 'failed' && (
        <p className="text-center text-muted" role="status">
          {tell(list.failure)}
        </p>
      )}
      {state === 'loading' ? <Spinner text={say('Loading explore page...')} /> : more}
    </div>
  );
}

interface FoundLinksProps {
  count: number;
  /** There are more than these. */
  goesOn: boolean;
  /** False while others are looked for. */
  isKnown: boolean;
  isFiltered: boolean;
  /** More than one is searched for. */
  hasWords: boolean;
}

/** How many links there are, announced whenever that changes. */
function FoundLinks({ count, goesOn, isKnown, isFiltered, hasWords }: FoundLinksProps) {
  return (
    <div className="text-sm text-muted" role="status">
      {isKnown && count > 0 && describeCount(count, goesOn)}
      {isKnown && count === 0 && (
        <EmptyList text={say(goesOn ? 'No links found so far.' : 'No links found.')}>
          {hasWords && (
            <p className="text-muted">{say('A link must contain every word of the search.')}</p>
          )}
          {isFiltered && (
            <a className="button button-secondary" href="/explore">
              {say('Clear search and filters')}
            </a>
          )}
        </EmptyList>
      )}
    </div>
  );
}

function describeCount(count: number, goesOn: boolean): string {
  if (goesOn) return say('{count} links, and more below', { count });
  return sayCount(count, '1 link', '{count} links');
}

interface MoreItemsProps {
  /** The address of the following links. */
  href: string;
  failed: boolean;
  onMore(): void;
  /** Loads more when the end of the list is near; null: only when asked. */
  onNear: (() => void) | null;
}

/** The way to the following links: a real page, or more of the list where JavaScript runs. */
function MoreItems({ href, failed, onMore, onNear }: MoreItemsProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (!link.current || !onNear) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        onNear();
      },
      { rootMargin: '600px' },
    );
    observer.observe(link.current);
    return () => observer.disconnect();
  }, [onNear]);

  function loadHere(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onMore();
  }

  return (
    <a className="button button-secondary self-center" href={href} onClick={loadHere} ref={link}>
      {say(failed ? 'Try again' : 'Show more links')}
    </a>
  );
}

/**
 * Keeps the focus in a list of links that grows: what was pressed to make it grow goes away.
 * @param count entries of the list
 */
function useFocusNext<List extends HTMLElement>(count: number) {
  const ref = useRef<List>(null);
  const wanted = useRef(Number.POSITIVE_INFINITY);

  useEffect(() => {
    if (count <= wanted.current) return;
    ref.current?.children[wanted.current]?.querySelector('a')?.focus();
    wanted.current = Number.POSITIVE_INFINITY;
  }, [count]);

  return {
    ref,
    /** The next entry that comes is focused. */
    focusNext() {
      wanted.current = count;
    },
  };
}
