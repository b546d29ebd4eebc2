import { EmptyList } from '../components/empty-list.tsx';
import { ExploreRow } from '../components/explore-row.tsx';
import { LoadFailure } from '../components/load-failure.tsx';
import { MoreLinks } from '../components/more-links.tsx';
import { graphql, type ResultOf } from '../data/graphql.ts';
import { linkItem } from '../data/link-pages.ts';
import { requestGraphql } from '../data/request-graphql.ts';
import { useLinkPages } from '../data/use-link-pages.ts';
import { definePage, type PageProps } from '../page.ts';

const query = graphql(
  `
    query Explore($after: String) {
      listPaywallLinks(nextToken: $after) {
        items { ...LinkItem }
        nextToken
      }
    }
  `,
  [linkItem],
);

export const page = definePage({
  query,
  variables: (ctx) => ({ after: ctx.query.after ?? null }),
  fallback: {
    data: { listPaywallLinks: { items: [], nextToken: null } },
    error: 'The links could not be loaded.',
  },
  hydrate: 'late',
  head: (_, ctx) => ({
    title: 'Explore Paywall Links · Padlink',
    description: 'Browse all links ever created.',
    canonical: `${ctx.config.origin}/explore`,
  }),
  Component: Explore,
});

function Explore({ data, ctx }: PageProps<ResultOf<typeof query>>) {
  const { items, nextToken, state, loadMore } = useLinkPages(
    data.listPaywallLinks,
    async (after) => (await requestGraphql(ctx.config, query, { after })).listPaywallLinks,
  );
  return (
    <div className="mx-auto w-full max-w-4xl px-5 py-12 sm:px-8 sm:py-16">
      <h1 className="text-3xl sm:text-4xl">Explore Paywall Links</h1>
      <p className="mt-3 mb-8 text-lg text-muted">Browse all links ever created.</p>
      {ctx.error && <LoadFailure href={ctx.path} message={ctx.error} />}
      {items.length === 0 ? (
        <EmptyList text="No links found." />
      ) : (
        <ul className="card mb-8 divide-y divide-line">
          {items.map((link) => (
            <ExploreRow key={link.id} link={link} />
          ))}
        </ul>
      )}
      <MoreLinks
        loadingText="Loading explore page..."
        nextToken={nextToken}
        onMore={loadMore}
        state={state}
      />
    </div>
  );
}
