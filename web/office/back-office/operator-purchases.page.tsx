import { type Sentence, say, tell } from '../../languages/say.ts';
import { formatPrice, formatTime, nameLink } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { ListFailed } from '../../ui/list-parts.tsx';
import { RefundButton } from '../dashboard/refund-button.tsx';
import { returnFields } from '../dashboard/sale-returns.tsx';
import {
  type Acting,
  OperatorFrame,
  RowLink,
  SearchForm,
  searchAddress,
  useActs,
} from './operator-frame.tsx';
import { ResendButton } from './resend-button.tsx';

const query = graphql(
  `
    query OperatorPurchases($search: String!) {
      findPurchases(search: $search) {
        items { id linkId title price buyerEmail sellerEmail state createdAt }
        story { at words fact }
        sale { ...ReturnFields }
      }
    }
  `,
  [returnFields],
);

type Data = ResultOf<typeof query>;
type Found = NonNullable<Data['findPurchases']>;
type Purchase = Found['items'][number];

const readSearch = ({ query }: PageContext) => query.search?.trim() ?? '';

export const page = definePage({
  query,
  variables: (ctx) => ({ search: readSearch(ctx) }),
  fallback: { findPurchases: null },
  status: (_, { failed }) => failed?.findPurchases ?? 200,
  hydrate: 'now',
  head: () => ({ title: say('Purchases'), robots: 'noindex' }),
  Component: OperatorPurchases,
});

/** Finds purchases; of one alone, all that happened to it and what can be done for its buyer. */
function OperatorPurchases(props: PageProps<Data>) {
  const { ctx } = props;
  const { path } = ctx;
  const search = readSearch(ctx);
  const { shown, done, acting } = useActs(props, query, { search });
  const found = shown.findPurchases;
  const [only] = found?.items ?? [];
  return (
    <OperatorFrame ctx={ctx} done={done} title={say('Purchases')}>
      <SearchForm
        address={path}
        hint={say(
          'Only the payment provider knows cards: search there by their digits, then here for the payment’s ID, pi_…',
        )}
        label={say('Email address or order number')}
        search={search}
      />
      {!found && <ListFailed address={path} what={say('Purchases')} />}
      {found && search && !only && (
        <p className="text-muted wrap-anywhere" role="status">
          {say('No purchase was found for “{search}”.', { search })}
        </p>
      )}
      {found && found.items.length > 1 && (
        <ul className="card divide-y divide-line">
          {found.items.map((purchase) => (
            <PurchaseRow key={purchase.id} path={path} purchase={purchase} />
          ))}
        </ul>
      )}
      {found?.items.length === 1 && only && (
        <PurchaseStory {...acting} found={found} purchase={only} />
      )}
    </OperatorFrame>
  );
}

const STATES: Record<string, Sentence | undefined> = {
  open: 'Not paid yet',
  processing: 'Payment under way',
  failed: 'Payment failed',
  expired: 'Never paid',
};

function PurchaseRow({ purchase, path }: { purchase: Purchase; path: string }) {
  const { id, linkId, title, price, buyerEmail, state, createdAt } = purchase;
  const badge = STATES[state];
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          <RowLink href={searchAddress(path, id)}>{nameLink({ id: linkId, title })}</RowLink>
          {badge && <span className="badge">{say(badge)}</span>}
        </p>
        <p className="text-sm text-muted">
          <time dateTime={createdAt}>{formatTime(createdAt)}</time>
          {buyerEmail && `, ${buyerEmail}`}
        </p>
      </div>
      <p className="text-lg font-semibold tabular-nums">{formatPrice(price)}</p>
    </li>
  );
}

interface PurchaseStoryProps extends Acting {
  purchase: Purchase;
  found: Found;
}

function PurchaseStory({ purchase, found, config, onDone }: PurchaseStoryProps) {
  const { id, linkId, title, buyerEmail, sellerEmail, state } = purchase;
  const { story, sale } = found;
  const name = nameLink({ id: linkId, title });
  const badge = STATES[state];
  return (
    <section aria-labelledby="purchase" className="card px-6 py-5">
      <h2 className="flex flex-wrap items-center gap-x-3 text-xl wrap-anywhere" id="purchase">
        <bdi>{name}</bdi>
        {badge && <span className="badge">{say(badge)}</span>}
      </h2>
      <dl className="mt-4 grid gap-x-8 gap-y-3 sm:grid-cols-2">
        <Fact name={say('Order number')}>{id}</Fact>
        <Fact name={say('Link')}>{linkId}</Fact>
        <Fact name={say('Buyer')}>{buyerEmail ?? say('Not known')}</Fact>
        <Fact name={say('Seller')}>{sellerEmail ?? say('A deleted account')}</Fact>
      </dl>
      {sale && (
        <div className="mt-5 flex flex-wrap gap-2">
          {sale.mailable && (
            <ResendButton
              buyerEmail={buyerEmail}
              config={config}
              id={id}
              name={name}
              onDone={onDone}
            />
          )}
          {sale.refundable > 0 && (
            <RefundButton
              asOperator
              config={config}
              name={name}
              onRefunded={() =>
                void onDone(say('The refund was requested; what happened below shows it.'))
              }
              sale={sale}
            />
          )}
        </div>
      )}
      <h3 className="mt-6 text-lg">{say('What happened')}</h3>
      <ol className="mt-2 divide-y divide-line">
        {story.map(({ at, words, fact }) => (
          <li className="flex flex-wrap gap-x-4 py-2 wrap-anywhere" key={`${at} ${words}`}>
            <time className="text-sm text-muted tabular-nums" dateTime={at}>
              {formatTime(at)}
            </time>
            <span className="min-w-0 flex-1 basis-64">{tell(fact)}</span>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-sm text-muted">
        {say('Emails and other jobs are shown while they wait; nothing is kept of finished ones.')}
      </p>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
