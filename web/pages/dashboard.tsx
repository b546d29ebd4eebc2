import { BalanceCard } from '../components/balance-card.tsx';
import { DashboardRow } from '../components/dashboard-row.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { UploadIcon } from '../components/icons.tsx';
import { LoadFailure } from '../components/load-failure.tsx';
import { MoreLinks } from '../components/more-links.tsx';
import { graphql, type ResultOf } from '../data/graphql.ts';
import { linkItem } from '../data/link-pages.ts';
import { requestGraphql } from '../data/request-graphql.ts';
import { useLinkPages } from '../data/use-link-pages.ts';
import { definePage, type PageContext, type PageProps } from '../page.ts';

const query = graphql(
  `
    query Dashboard($owner: String!, $user: ID!, $after: String) {
      listPaywallLinks(filter: { owner: { eq: $owner } }, nextToken: $after) {
        items { ...LinkItem }
        nextToken
      }
      getUserBalance(id: $user) { balance pending available }
    }
  `,
  [linkItem],
);

const variables = (ctx: PageContext, after = ctx.query.after) => {
  const user = ctx.viewer?.id ?? '';
  return { owner: user, user, after: after ?? null };
};

export const page = definePage({
  query,
  variables: (ctx) => variables(ctx),
  fallback: {
    data: { listPaywallLinks: { items: [], nextToken: null }, getUserBalance: null },
    error: 'Your links could not be loaded.',
  },
  hydrate: 'now',
  head: () => ({ title: 'Dashboard · Padlink', robots: 'noindex' }),
  Component: Dashboard,
});

function Dashboard({ data, ctx }: PageProps<ResultOf<typeof query>>) {
  const { items, nextToken, state, loadMore } = useLinkPages(
    data.listPaywallLinks,
    async (after) =>
      (await requestGraphql(ctx.config, query, variables(ctx, after))).listPaywallLinks,
  );
  return (
    <div className="mx-auto w-full max-w-4xl px-5 py-12 sm:px-8 sm:py-16">
      <div className="mb-8 flex flex-wrap items-start justify-between gap-4">
        <div>
          <h1 className="text-3xl sm:text-4xl">Welcome back, {ctx.viewer?.firstName}</h1>
          <p className="mt-3 text-lg text-muted">Manage your paywall links below.</p>
        </div>
        <form action="/logout" method="post">
          <button className="button button-secondary button-small" type="submit">
            Sign Out
          </button>
        </form>
      </div>
      <BalanceCard balance={data.getUserBalance} />
      <div className="mt-12 mb-5 flex flex-wrap items-center justify-between gap-4">
        <h2 className="text-2xl">Your Paywall Links</h2>
        {items.length > 0 && (
          <a className="button button-primary button-small" href="/upload">
            <UploadIcon className="size-4" />
            Upload a File
          </a>
        )}
      </div>
      {ctx.error && <LoadFailure href={ctx.path} message={ctx.error} />}
      {items.length === 0 ? (
        <EmptyList text="No paywall links yet.">
          <a className="button button-primary" href="/upload">
            <UploadIcon className="size-5" />
            Upload a File
          </a>
        </EmptyList>
      ) : (
        <ul className="card mb-8 divide-y divide-line">
          {items.map((link) => (
            <DashboardRow key={link.id} link={link} origin={ctx.config.origin} />
          ))}
        </ul>
      )}
      <MoreLinks
        loadingText="Loading your dashboard..."
        nextToken={nextToken}
        onMore={loadMore}
        state={state}
      />
    </div>
  );
}
