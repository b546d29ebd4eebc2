import { Alert } from '../components/alert.tsx';
import { ExploreCard } from '../components/explore/explore-card.tsx';
import { FilterForm } from '../components/explore/filter-form.tsx';
import { FoundLinks } from '../components/explore/found-links.tsx';
import { MoreItems } from '../components/explore/more-items.tsx';
import { Spinner } from '../components/spinner.tsx';
import { readExploreQuery, toExploreAddress, toExploreVariables } from '../data/explore-query.ts';
import type { ResultOf } from '../data/graphql.ts';
import { exploreQuery, useExplore } from '../data/use-explore.ts';
import { useFocusNext } from '../data/use-focus-next.ts';
import { definePage, type PageContext, type PageProps } from '../page.ts';

export const page = definePage({
  query: exploreQuery,
  variables: ({ query }) => toExploreVariables(readExploreQuery(query), query.after ?? null),
  fallback: { listPaywallLinks: null },
  status: (_, ctx) => ctx.failed?.listPaywallLinks ?? 200,
  hydrate: 'late',
  head: (_, ctx) => ({
    title: 'Explore Paywall Links · Padlink',
    description: 'Browse all links ever created.',
    canonical: `${ctx.config.origin}/explore`,
    feed: { title: 'The newest paywall links', href: '/explore.atom' },
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
  return (
    <div className="explore-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">Explore Paywall Links</h1>
        <p className="mt-3 text-lg text-muted">Browse all links ever created.</p>
      </div>
      <FilterForm onFind={list.find} onTyping={list.findSoon} query={query} />
      {ctx.query.after && (
        <p>
          <a
            className="text-link inline-flex min-h-11 items-center"
            href={toExploreAddress(readExploreQuery(ctx.query))}
          >
            Back to the first links
          </a>
        </p>
      )}
      <div className="explore-status">
        {state === 'finding' && <Spinner text="Loading explore page..." />}
        <FoundLinks
          count={items.length}
          goesOn={nextToken !== null}
          isFiltered={toExploreAddress(query) !== '/explore'}
          isKnown={state !== 'finding' && (state !== 'failed' || items.length > 0)}
        />
      </div>
      {items.length > 0 && (
        <ul aria-busy={state === 'finding'} className="explore-list" ref={ref}>
          {items.map((link) => (
            <ExploreCard key={link.id} link={link} />
          ))}
        </ul>
      )}
      {state === 'failed' && <Alert>{list.failure}</Alert>}
      {state === 'loading' ? <Spinner text="Loading explore page..." /> : more}
    </div>
  );
}
