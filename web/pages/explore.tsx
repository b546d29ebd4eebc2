import { EmptyList } from '../components/empty-list.tsx';
import { ExploreRow } from '../components/explore-row.tsx';
import { MoreLinks } from '../components/more-links.tsx';
import { NewestLinks } from '../components/newest-links.tsx';
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
  fallback: { listPaywallLinks: null },
  status: (_, ctx) => ctx.failed?.listPaywallLinks ?? 200,
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
  const more = (
    <MoreLinks
      failure="The links could not be loaded."
      loadingText="Loading explore page..."
      nextToken={nextToken}
      onMore={loadMore}
      state={state}
    />
  );

  return (
    <div className="list-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">Explore Paywall Links</h1>
        <p className="mt-3 text-lg text-muted">Browse all links ever created.</p>
      </div>
      <NewestLinks ctx={ctx} />
      {items.length === 0 && more}
      {items.length === 0 && state !== 'loading' && <EmptyList text="No links found." />}
      {items.length > 0 && (
        <ul className="card divide-y divide-line">
          {items.map((link) => (
            <ExploreRow key={link.id} link={link} />
          ))}
        </ul>
      )}
      {items.length > 0 && more}
    </div>
  );
}
