import { useEffect } from 'react';
import { chooseTones } from '../../../contract/drawn-cover.ts';
import { SENTENCES } from '../../../contract/texts.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { contentAddress } from '../../lib/addresses.ts';
import { formatDay, formatPrice, nameLink } from '../../lib/format.ts';
import { type FragmentOf, graphql, type ResultOf } from '../../lib/graphql.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { Still } from '../../shell/raw.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Field } from '../../ui/field.tsx';
import { faceFields, LinkCover } from '../../ui/link-cover.tsx';
import { ListFailed, OtherPages, ResendReceipt } from '../../ui/list-parts.tsx';
import { ForgetBrowser } from './forget-browser.tsx';
import { GivenGiftRow } from './given-gift-row.tsx';

const purchaseFields = graphql(
  'fragment PurchaseFields on Purchase { id linkId title seller price paidAt type files state face { ...FaceFields } gift { email url } }',
  [faceFields],
);

type Purchase = FragmentOf<typeof purchaseFields>;

const query = graphql(
  `
    query Purchases($after: String) {
      listPurchases(nextToken: $after) { items { ...PurchaseFields } nextToken here }
    }
  `,
  [purchaseFields],
);

export const page = definePage({
  query,
  variables: (ctx) => ({ after: ctx.query.after ?? null }),
  fallback: { listPurchases: null },
  status: (_, ctx) => ctx.failed?.listPurchases ?? 200,
  hydrate: 'late',
  head: () => ({ title: say('Your purchases'), robots: 'noindex' }),
  Component: Purchases,
});

/** What this browser and this account bought, and how to find what they do not hold. */
function Purchases({ data, ctx }: PageProps<ResultOf<typeof query>>) {
  const { items = [], nextToken = null, here = false } = data.listPurchases ?? {};
  const isEmpty = items.length === 0;
  const tones = chooseTones(items.map(({ linkId }) => linkId));
  const { forgotten } = ctx.query;
  useEffect(() => {
    if (forgotten) {
      import('../../lib/played.ts').then(({ forgetPlayed }) => forgetPlayed(), console.warn);
    }
  }, [forgotten]);
  return (
    <div className="list-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">{say('Your purchases')}</h1>
        <p className="mt-3 text-lg text-muted">{say(leadOf(ctx, isEmpty))}</p>
      </div>
      <Outcome ctx={ctx} />
      {ctx.failed && <ListFailed address="/purchases" what={say('Your purchases')} />}
      {!isEmpty && (
        <ul className="card divide-y divide-line">
          {items.map((purchase, place) => (
            <PurchaseRow ctx={ctx} key={purchase.id} purchase={purchase} tone={tones[place]} />
          ))}
        </ul>
      )}
      <OtherPages
        address="/purchases"
        after={ctx.query.after}
        first={say('Show the newest')}
        next={say('Show older purchases')}
        nextToken={nextToken}
      />
      {!isEmpty && (
        <p className="text-muted">
          {`${say('A signed receipt proves what you bought.')} `}
          <a className="text-link" href="/verify">
            {say('Verify a receipt')}
          </a>
        </p>
      )}
      <FindForm askedFor={ctx.askedFor} isPrimary={isEmpty} />
      <Still className="empty:hidden">
        {import.meta.env.SSR && here && <ForgetBrowser query={ctx.query} />}
      </Still>
    </div>
  );
}

function leadOf({ viewer, failed }: PageContext, isEmpty: boolean): Sentence {
  if (failed) return 'They are still yours, and will be here in a moment.';
  if (!isEmpty) return 'Everything you bought here, newest first.';
  return viewer
    ? 'Nothing has been bought with your account or in this browser yet.'
    : 'There are no purchases in this browser. Find yours by the email address you paid with.';
}

function Outcome({ ctx: { query, error, askedFor } }: { ctx: PageContext }) {
  if (error) return <Alert>{error}</Alert>;
  if (!askedFor && !query.forgotten) return null;
  return (
    <p className="card px-6 py-4 font-medium wrap-anywhere" role="status">
      {askedFor
        ? say(
            'If something was paid for with {email}, an email with a link is on its way to that address. Please check your inbox.',
            { email: askedFor },
          )
        : say('There are no longer any purchases in this browser.')}
    </p>
  );
}

const STATES: Record<string, { badge: Sentence; words: Sentence } | undefined> = {
  suspended: { badge: 'On hold', words: SENTENCES.accessOnHold },
  ended: {
    badge: 'Ended',
    words: 'Your payment was returned, so your access has ended.',
  },
  unavailable: { badge: 'Not available', words: 'It is not available at the moment.' },
};

interface PurchaseRowProps {
  ctx: PageContext;
  purchase: Purchase;
  /** Of its drawn cover. */
  tone: number | undefined;
}

function PurchaseRow({ ctx, purchase, tone }: PurchaseRowProps) {
  const { id, linkId, title, seller, price, paidAt, state, face, gift } = purchase;
  const name = nameLink({ id: linkId, title });
  const fault = STATES[state];
  if (gift) {
    return (
      <li className="dashboard-row">
        <LinkCover className="row-cover" face={face} id={linkId} tone={tone} />
        <Still className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
          {import.meta.env.SSR && <GivenGiftRow gift={gift} name={name} purchase={purchase} />}
        </Still>
      </li>
    );
  }
  return (
    <li className="dashboard-row">
      <LinkCover className="row-cover" face={face} id={linkId} tone={tone} />
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          {state === 'active' ? (
            <a className="text-link -my-2.5 inline-block py-2.5" dir="auto" href={`/p/${linkId}`}>
              {name}
            </a>
          ) : (
            <bdi>{name}</bdi>
          )}
          {fault && <span className="badge">{say(fault.badge)}</span>}
        </p>
        <p className="text-sm text-muted">
          {seller && `${say('by {name}', { name: seller })}, `}
          <time dateTime={paidAt}>{formatDay(paidAt)}</time>
        </p>
        {fault && <p className="mt-1 text-sm">{say(fault.words)}</p>}
        {state !== 'ended' && (
          <div className="-mt-2 -mb-3 flex flex-wrap items-center gap-x-5 text-sm">
            {state === 'active' && price !== null && (
              <a
                aria-label={say('Signed receipt of {name}', { name })}
                className="text-link inline-flex min-h-11 items-center"
                href={`/p/${linkId}/receipt?purchase=${id}`}
              >
                {say('Signed receipt')}
              </a>
            )}
            <form action="/purchases/receipt" method="post">
              <input name="id" type="hidden" value={id} />
              {ctx.query.after && <input name="after" type="hidden" value={ctx.query.after} />}
              <ResendReceipt
                className="text-link min-h-11"
                data-busy-label={say('Sending...')}
                isSent={ctx.query.sent === id}
                name={name}
                type="submit"
              />
            </form>
          </div>
        )}
      </div>
      <div className="flex flex-1 flex-wrap items-center gap-x-4 gap-y-2 sm:flex-none">
        {price === null ? (
          <span className="badge">{say('A gift')}</span>
        ) : (
          <span className="text-lg font-semibold tabular-nums">{formatPrice(price)}</span>
        )}
        {state === 'active' && <ToContent name={name} purchase={purchase} />}
      </div>
    </li>
  );
}

/** To a file, or a web address, itself; several files, and the parts of a bundle, are on its page. */
function ToContent({ name, purchase }: { name: string; purchase: Purchase }) {
  const { linkId, type, files } = purchase;
  const isFile = type === 'file' && files === 1;
  const isHere = type === 'bundle' || files > 1;
  return (
    <a
      aria-label={say(isFile ? 'Download {name}' : 'Open {name}', { name })}
      className="button button-secondary button-small ms-auto"
      href={isHere ? `/p/${linkId}` : contentAddress(linkId)}
    >
      {say(isFile ? 'Download' : 'Open')}
    </a>
  );
}

/** The answer is the same for every address, so that it tells nobody who bought something. */
function FindForm({ isPrimary, askedFor }: { isPrimary: boolean; askedFor: string | undefined }) {
  return (
    <section aria-labelledby="find" className="card px-6 py-5">
      <h2 className="text-xl" id="find">
        {say(isPrimary ? 'Find them by email' : 'Find more purchases by email')}
      </h2>
      <p className="mt-2 text-muted">
        {say('We’ll email you a link to everything bought with this address.')}
      </p>
      <form action="/purchases" className="mt-4 flex flex-wrap items-end gap-3" method="post">
        <Field
          autoComplete="email"
          className="min-w-0 flex-1 basis-64"
          defaultValue={askedFor}
          label={say('Email address you paid with')}
          maxLength={254}
          name="email"
          required
          type="email"
        />
        <button
          className={`button ${isPrimary ? 'button-primary' : 'button-secondary'}`}
          data-busy-label={say('Sending...')}
          type="submit"
        >
          {say('Send the link')}
        </button>
      </form>
    </section>
  );
}
