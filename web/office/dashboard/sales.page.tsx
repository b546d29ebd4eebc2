import { SALE_SORTS, type SaleSort } from '../../../contract/links.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { TableExport } from '../../shell/table-export.tsx';
import { ListFailed, OtherPages } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { SalesTable, saleFields } from './sales-table.tsx';

const query = graphql(
  `
    query Sales($after: String, $sort: String, $undelivered: Boolean) {
      listSales(nextToken: $after, sort: $sort, undelivered: $undelivered) {
        items { ...SaleFields }
        nextToken
      }
    }
  `,
  [saleFields],
);

export const page = definePage({
  query,
  variables: (ctx) => ({
    after: ctx.query.after ?? null,
    sort: readSort(ctx),
    undelivered: isUndelivered(ctx),
  }),
  fallback: { listSales: null },
  status: (_, ctx) => ctx.failed?.listSales ?? 200,
  hydrate: 'now',
  head: () => ({ title: say('Your sales'), robots: 'noindex' }),
  Component: Sales,
});

const isUndelivered = ({ query: { show } }: PageContext) => show === 'undelivered';

const readSort = ({ query }: PageContext): SaleSort =>
  SALE_SORTS.find((sort) => sort === query.sort) ?? SALE_SORTS[0];

/** Of the first page of what is shown now, in this order. */
function salesAddress(ctx: PageContext, sort: SaleSort): string {
  const parts = new URLSearchParams();
  if (isUndelivered(ctx)) parts.set('show', 'undelivered');
  if (sort !== SALE_SORTS[0]) parts.set('sort', sort);
  return parts.size > 0 ? `${ctx.path}?${parts}` : ctx.path;
}

/** What each order is called, and what leads from one of its pages to others. */
const ORDERS: Record<SaleSort, Record<'name' | 'first' | 'next', Sentence>> = {
  newest: { name: 'Newest', first: 'Show the newest', next: 'Show older sales' },
  oldest: { name: 'Oldest', first: 'Show the oldest', next: 'Show newer sales' },
  dearest: { name: 'Highest price', first: 'Show the highest prices', next: 'Show lower prices' },
};

/** Each sale by itself. Who bought is not told: the receipt can be sent again all the same. */
function Sales({ data, ctx }: PageProps<ResultOf<typeof query>>) {
  const { items = [], nextToken = null } = data.listSales ?? {};
  const sort = readSort(ctx);
  const address = salesAddress(ctx, sort);
  return (
    <div className="list-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">
          {say(isUndelivered(ctx) ? 'Not delivered yet' : 'Your sales')}
        </h1>
        <p className="mt-3 text-lg text-muted">
          {say(
            isUndelivered(ctx)
              ? 'Paid but not downloaded, although the buyer was reminded. You can resend the receipt to the buyer’s email.'
              : 'Lost receipt? Resend it to the buyer’s email.',
          )}
        </p>
        <p className="mt-3 flex flex-wrap gap-x-6">
          <a className="text-link inline-flex min-h-11 items-center" href="/dashboard">
            {say('Back to the dashboard')}
          </a>
        </p>
        <noscript>
          <p className="mt-3">
            {say(
              'Sending a receipt and refunding require JavaScript, which is turned off in this browser.',
            )}
          </p>
        </noscript>
      </div>
      {ctx.failed ? (
        <ListFailed address={address} what={say('Your sales')} />
      ) : (
        items.length === 0 && (
          <EmptyList
            text={say(isUndelivered(ctx) ? 'Every sale has been delivered.' : 'No sales yet.')}
          />
        )
      )}
      {items.length > 0 && (
        <div className="space-y-4">
          <SaleOrders ctx={ctx} />
          <SalesTable config={ctx.config} sales={items} />
        </div>
      )}
      <OtherPages
        address={address}
        after={ctx.query.after}
        first={say(ORDERS[sort].first)}
        next={say(ORDERS[sort].next)}
        nextToken={nextToken}
      />
      <TableExport ctx={ctx} tables={{ '/dashboard/sales.csv': say('Export all sales (CSV)') }} />
    </div>
  );
}

/** The orders of the list, each an address of its own. */
function SaleOrders({ ctx }: { ctx: PageContext }) {
  const current = readSort(ctx);
  return (
    <nav aria-label={say('Sort by')} className="period-tabs w-fit">
      {SALE_SORTS.map((sort) => (
        <a
          aria-current={sort === current ? 'page' : undefined}
          className="tab"
          href={salesAddress(ctx, sort)}
          key={sort}
        >
          {say(ORDERS[sort].name)}
        </a>
      ))}
    </nav>
  );
}
