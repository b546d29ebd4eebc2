import { useState } from 'react';
import { SALE_SORTS, type SaleSort } from '../../../contract/links.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { nameOwnLink } from '../../lib/addresses.ts';
import { formatDay, formatPrice } from '../../lib/format.ts';
import { type FragmentOf, graphql, type ResultOf } from '../../lib/graphql.ts';
import { messageOf } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { TableExport } from '../../shell/table-export.tsx';
import { Alert } from '../../ui/alert.tsx';
import { LinkKey } from '../../ui/link-key.tsx';
import { ListFailed, OtherPages, ResendReceipt } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { RefundButton } from './refund-button.tsx';
import { returnFields, SaleReturned, type SaleReturns } from './sale-returns.tsx';

const saleFields = graphql(
  'fragment SaleFields on Sale { id linkId title key url paidAt refused gift delivery { state percent } ...ReturnFields }',
  [returnFields],
);

type Sale = FragmentOf<typeof saleFields>;

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
  head: () => ({ title: `${say('Your sales')} · Padlink`, robots: 'noindex' }),
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
              ? 'Paid, and not downloaded although the buyer was reminded. You can send the receipt again, to the address that paid.'
              : 'A buyer who lost the receipt can be sent it again, to the address that paid.',
          )}
        </p>
        <p className="mt-3 flex flex-wrap gap-x-6">
          <a className="text-link inline-flex min-h-11 items-center" href="/dashboard">
            {say('Back to the dashboard')}
          </a>
        </p>
        <TableExport ctx={ctx} tables={{ '/dashboard/sales.csv': say('Export all sales (CSV)') }} />
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
            text={say(isUndelivered(ctx) ? 'Every sale was delivered.' : 'No sales yet.')}
          />
        )
      )}
      {items.length > 0 && (
        <div className="space-y-4">
          <SaleOrders ctx={ctx} />
          <ul className="card divide-y divide-line">
            {items.map((sale) => (
              <SaleRow config={ctx.config} key={sale.id} sale={sale} />
            ))}
          </ul>
        </div>
      )}
      <OtherPages
        address={address}
        after={ctx.query.after}
        first={say(ORDERS[sort].first)}
        next={say(ORDERS[sort].next)}
        nextToken={nextToken}
      />
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

const BADGES: Record<string, Sentence | undefined> = { suspended: 'Disputed', ended: 'Returned' };

const DELIVERIES: Record<string, Sentence | undefined> = {
  delivered: 'Delivered',
  handed_over: 'Handed over',
  unopened: 'Not downloaded yet',
};

function describeDelivery({ state, percent }: NonNullable<Sale['delivery']>): string {
  return say(DELIVERIES[state] ?? 'Partly delivered ({percent}%)', { percent });
}

function SaleRow({ sale, config }: { sale: Sale; config: RuntimeConfig }) {
  const { linkId, title, key, url, paidAt, refused, gift, delivery } = sale;
  const [returns, setReturns] = useState<SaleReturns>(sale);
  const { gross, net, state } = returns;
  const name = nameOwnLink({ id: linkId, title, key, url });
  const badge = BADGES[state];
  return (
    <li className="dashboard-row">
      <LinkKey className="dashboard-key" id={linkId} />
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          <bdi>{name}</bdi>
          {gift && <span className="badge">{say('Gift')}</span>}
          {badge && <span className="badge">{say(badge)}</span>}
        </p>
        <p className="text-sm text-muted">
          <time dateTime={paidAt}>{formatDay(paidAt)}</time>
          {config.payouts.kind !== 'solo' &&
            `, ${say('{price} after the fee', { price: formatPrice(net) })}`}
          {delivery && `. ${describeDelivery(delivery)}`}
        </p>
        {refused && (
          <p className="mt-1 text-sm">
            {say(
              gift
                ? 'The recipient’s mail server refused the gift. If you send the receipt again, the buyer can correct the address.'
                : 'The buyer’s mail server refused the receipt.',
            )}
          </p>
        )}
        <div role="status">
          <SaleReturned sale={returns} />
        </div>
      </div>
      <div className="flex flex-1 flex-wrap items-center gap-x-3 gap-y-2 sm:flex-none">
        {/* On a phone both buttons share a line, below the price. */}
        <span className="basis-full text-lg font-semibold tabular-nums sm:basis-auto">
          {formatPrice(gross)}
        </span>
        {returns.mailable && <ResendOfSale config={config} id={returns.id} name={name} />}
        {returns.refundable > 0 && (
          <div className="ms-auto">
            <RefundButton config={config} name={name} onRefunded={setReturns} sale={returns} />
          </div>
        )}
      </div>
    </li>
  );
}

const resendReceipt = graphql(
  'mutation ResendReceiptOfSale($id: ID!) { resendReceiptOfSale(purchaseId: $id) }',
);

interface ResendOfSaleProps {
  id: string;
  name: string;
  config: RuntimeConfig;
}

function ResendOfSale({ id, name, config }: ResendOfSaleProps) {
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle');
  const [failure, setFailure] = useState('');
  const hydrated = useHydrated();

  async function resend() {
    setState('sending');
    setFailure('');
    try {
      await needSession(requestGraphql(config, resendReceipt, { id }));
      setState('sent');
    } catch (error) {
      setFailure(messageOf(error));
      setState('idle');
    }
  }

  return (
    <div>
      <ResendReceipt
        disabled={!hydrated || state === 'sending'}
        isSent={state === 'sent'}
        name={name}
        onClick={resend}
        type="button"
      >
        {state === 'sending' && say('Sending...')}
      </ResendReceipt>
      {failure && <Alert>{failure}</Alert>}
    </div>
  );
}
