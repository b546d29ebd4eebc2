import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { formatPrice, formatTime, nameLink } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { ListFailed, OtherPages } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { OperatorFrame, useActs } from './operator-frame.tsx';
import { ResendButton } from './resend-button.tsx';

const query = graphql(`
  query OperatorUndelivered($after: String) {
    listUndeliveredPurchases(nextToken: $after) {
      items { id linkId title price buyerEmail sellerEmail paidAt refused }
      nextToken
    }
  }
`);

type Data = ResultOf<typeof query>;
type Purchase = NonNullable<Data['listUndeliveredPurchases']>['items'][number];

const readVariables = ({ query: { after } }: PageContext) => ({ after: after ?? null });

export const page = definePage({
  query,
  variables: readVariables,
  fallback: { listUndeliveredPurchases: null },
  status: (_, { failed }) => failed?.listUndeliveredPurchases ?? 200,
  hydrate: 'now',
  head: () => ({ title: `${say('Undelivered')} · Padlink`, robots: 'noindex' }),
  Component: OperatorUndelivered,
});

/** What was paid for, was not fetched, and was not fetched after a reminder either. */
function OperatorUndelivered({ data, ctx }: PageProps<Data>) {
  const { config, path } = ctx;
  const variables = readVariables(ctx);
  const read = () => needSession(requestGraphql(config, query, variables));
  const { shown, done, tell } = useActs(data, read);
  const found = shown.listUndeliveredPurchases;
  return (
    <OperatorFrame ctx={ctx} done={done} title={say('Undelivered')}>
      <p className="text-muted">
        {say(
          'These buyers paid more than two days ago, were reminded once, and still have not got everything. A purchase leaves the list as soon as it arrives.',
        )}
      </p>
      {!found && <ListFailed address={path} what={say('The purchases')} />}
      {found?.items.length === 0 && (
        <EmptyList text={say('Everything that was paid for has arrived.')} />
      )}
      {found && found.items.length > 0 && (
        <ul className="card divide-y divide-line">
          {found.items.map((purchase) => (
            <PurchaseRow config={config} key={purchase.id} onDone={tell} purchase={purchase} />
          ))}
        </ul>
      )}
      <OtherPages
        address={path}
        after={ctx.query.after}
        first={say('Show the newest')}
        next={say('Show older purchases')}
        nextToken={found?.nextToken ?? null}
      />
    </OperatorFrame>
  );
}

interface PurchaseRowProps {
  purchase: Purchase;
  config: RuntimeConfig;
  onDone(words: string): Promise<void>;
}

function PurchaseRow({ purchase, config, onDone }: PurchaseRowProps) {
  const { id, linkId, title, price, buyerEmail, sellerEmail, paidAt, refused } = purchase;
  const name = nameLink({ id: linkId, title });
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <a
            className="text-link -my-2.5 inline-block py-2.5"
            dir="auto"
            href={`/operator/purchases?${new URLSearchParams({ search: id })}`}
          >
            {name}
          </a>
          {refused && <span className="badge">{say('Receipt refused')}</span>}
        </p>
        <p className="text-sm text-muted">
          {paidAt && <time dateTime={paidAt}>{formatTime(paidAt)}</time>}
          {buyerEmail && `, ${buyerEmail}`}
        </p>
        <p className="text-sm text-muted">
          {sellerEmail === null
            ? say('Sold by a deleted account')
            : say('Sold by {seller}', { seller: sellerEmail })}
        </p>
      </div>
      <p className="text-lg font-semibold tabular-nums">{formatPrice(price)}</p>
      {buyerEmail && (
        <ResendButton buyerEmail={buyerEmail} config={config} id={id} name={name} onDone={onDone} />
      )}
    </li>
  );
}
