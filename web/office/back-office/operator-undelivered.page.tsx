import { say } from '../../languages/say.ts';
import { formatPrice, formatTime, nameLink } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { OtherPages } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import {
  type Acting,
  CardList,
  OperatorFrame,
  RowLink,
  searchAddress,
  useActs,
} from './operator-frame.tsx';
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
  head: () => ({ title: say('Undelivered'), robots: 'noindex' }),
  Component: OperatorUndelivered,
});

/** What was paid for, was not fetched, and was not fetched after a reminder either. */
function OperatorUndelivered(props: PageProps<Data>) {
  const { ctx } = props;
  const { path } = ctx;
  const { shown, done, acting } = useActs(props, query, readVariables(ctx));
  const found = shown.listUndeliveredPurchases;
  return (
    <OperatorFrame ctx={ctx} done={done} title={say('Undelivered')}>
      <p className="text-muted">
        {say(
          'These buyers paid more than two days ago, were reminded once, and still have not received everything. A purchase leaves the list as soon as it is delivered.',
        )}
      </p>
      <CardList
        address={path}
        empty={<EmptyList text={say('Everything that was paid for has been delivered.')} />}
        items={found?.items}
        what={say('The purchases')}
      >
        {(purchase) => <PurchaseRow key={purchase.id} {...acting} purchase={purchase} />}
      </CardList>
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

function PurchaseRow({ purchase, ...acting }: Acting & { purchase: Purchase }) {
  const { id, linkId, title, price, buyerEmail, sellerEmail, paidAt, refused } = purchase;
  const name = nameLink({ id: linkId, title });
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <RowLink href={searchAddress('/operator/purchases', id)}>{name}</RowLink>
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
      {buyerEmail && <ResendButton {...acting} buyerEmail={buyerEmail} id={id} name={name} />}
    </li>
  );
}
