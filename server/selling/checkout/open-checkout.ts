import { type Expression, sql } from 'kysely';
import { nameLink } from '../../../contract/name-link.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import { readInstallationId } from '../../ground/database/installation.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { cannotStore, remedyFor } from '../../ground/lib/cannot-store.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { MINUTE_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { beginPurchases, type Offered } from '../purchases/begin-purchase.ts';
import { CheckoutInProgressError } from '../purchases/card-provider.ts';
import { fingerprintContent } from '../purchases/content-fingerprint.ts';
import { type CheckoutContext, type CheckoutParty, closeCheckout } from '../purchases/context.ts';
import { type Gift, giftOf } from '../purchases/gifts.ts';
import { paymentKind } from '../purchases/payment-kind.ts';
import { findLines, ofVisitor, prepareOfVisitor, selectPurchases } from '../purchases/queries.ts';
import type { PaymentLine } from '../purchases/tables.ts';

/** With the discount that it was agreed on by. */
export type Unfinished = PaymentLine & { discount_id: string | null };

export const findUnfinished = prepareOfVisitor<Unfinished>((db, visitor) =>
  selectPurchases(db)
    .leftJoin('purchase_discount', 'purchase_discount.purchase_id', 'purchase.id')
    .select('discount_id')
    .where(ofVisitor(visitor))
    .where('state', 'in', ['open', 'processing']),
);

/** Parallel requests of one visitor overtake each other at most a few times. */
const MAX_ATTEMPTS = 5;

/**
 * Tries until no other request of the visitor gets in between.
 * @param attempt answers null when another one changed what it had read
 * @throws DomainError CHECKOUT_UNAVAILABLE, and whatever the attempt throws
 */
export async function untilUndisturbed<Offer>(
  attempt: () => Promise<Offer | null>,
): Promise<Offer> {
  for (let tried = 0; tried < MAX_ATTEMPTS; tried += 1) {
    const offer = await attempt();
    if (offer) return offer;
  }
  return unavailable(new Error('Parallel checkouts of one visitor keep replacing each other'));
}

/**
 * Where a payment is awaited that is under way already. One on another account of the provider cannot
 * be asked after.
 * @returns null where there is none
 */
export function findUnderWay(
  { publicUrl }: CheckoutContext,
  unfinished: Unfinished[],
  { account, gift }: { account: string; gift: Gift | null },
): string | null {
  const found = unfinished.find(
    (purchase) =>
      purchase.state === 'processing' &&
      purchase.provider_account === account &&
      isSameGift(purchase, gift),
  );
  return found?.session_id ? `${publicUrl}/success?session_id=${found.session_id}` : null;
}

interface Wish {
  /** What is paid together. */
  lines: Offered[];
  party: CheckoutParty;
  /** Of the visitor, all that is not over of these links. */
  unfinished: Unfinished[];
}

export type Opened =
  /** It cost nothing. */
  | { kind: 'unlocked' }
  /** url: the provider's hosted page; null when the provider gave none. */
  | { kind: 'checkout'; url: string | null };

/**
 * Begins the purchases of what is offered and answers where they are paid. A checkout that is open
 * already is offered again while it fits; any other one of these links ends at the provider before this
 * one begins, so that nothing is asked for twice.
 * @param wish its lines cost something, or all of them nothing
 * @returns null when another request of the visitor changed what this one had read
 * @throws DomainError NOT_ON_SALE, DISCOUNT_REFUSED, CHECKOUT_UNAVAILABLE
 */
export async function openCheckout(
  context: CheckoutContext,
  { lines, party, unfinished }: Wish,
): Promise<Opened | null> {
  const open = unfinished.filter(({ state }) => state === 'open');
  const offerable = await findOfferable(context, lines, open, party);
  const others = open.filter((purchase) => !offerable?.includes(purchase));
  if (!(await supersede(context, others))) return null;
  const purchases = offerable ?? (await beginPurchases(context, lines, party));
  if (!purchases) return null;
  if (purchases.every(({ price_cents }) => price_cents === 0)) return { kind: 'unlocked' };
  const url = await openSession(context, purchases, { lines, party }).catch(unavailable);
  return { kind: 'checkout', url };
}

/** The open purchases that are paid together for just these lines, if there are. */
async function findOfferable(
  context: CheckoutContext,
  lines: Offered[],
  open: Unfinished[],
  party: CheckoutParty,
): Promise<Unfinished[] | null> {
  for (const [paymentId, purchases] of Map.groupBy(open, ({ payment_id }) => payment_id)) {
    const fits = (line: Offered) =>
      purchases.some(
        (purchase) =>
          purchase.link_id === line.link.id && isOfferable(context, purchase, line, party),
      );
    if (purchases.length !== lines.length || !lines.every(fits)) continue;
    // With those that are not asked for now, such as what was taken out of a cart.
    const all = await findLines(context.db, paymentId);
    if (all.length === lines.length) return purchases.toSorted((a, b) => a.line - b.line);
  }
  return null;
}

/** An open session with less time left than this is not offered again. */
const SESSION_MARGIN_MS = 5 * MINUTE_MS;
/** The provider opens no session with less than 30 minutes left, and needs time to answer. */
const NEW_SESSION_MARGIN_MS = 31 * MINUTE_MS;

/**
 * Whether an open purchase may be paid by this party: the version on sale at today's price and fee, by
 * the same discount, to the same account, by the same buyer and for the same person. Whoever signed in
 * or out since then begins anew, so that it lands in their account.
 */
function isOfferable(
  { now }: CheckoutContext,
  purchase: Unfinished,
  { link, quote, gift = null }: Offered,
  { visitor, account }: CheckoutParty,
): boolean {
  const timeLeft = purchase.expires_at - now();
  const hasTime = purchase.session_id
    ? purchase.checkout_url !== null && timeLeft > SESSION_MARGIN_MS
    : timeLeft > NEW_SESSION_MARGIN_MS;
  return (
    hasTime &&
    purchase.price_cents === quote.agreedCents &&
    purchase.fee_cents === quote.feeCents &&
    purchase.discount_id === (quote.discount?.id ?? null) &&
    purchase.taxed === Number(quote.taxed) &&
    purchase.provider_account === account &&
    purchase.buyer_id === visitor.buyer_id &&
    purchase.content_version === link.content_version &&
    isSameGift(purchase, gift)
  );
}

const isSameGift = (purchase: Unfinished, gift: Gift | null): boolean =>
  purchase.gift_email === (gift?.email ?? null) &&
  purchase.gift_message === (gift?.message ?? null);

/** Ends checkouts at the provider, and here. @returns whether nobody had paid, or is paying, one of them */
async function supersede(context: CheckoutContext, purchases: Unfinished[]): Promise<boolean> {
  const ids = purchases.map(({ id }) => id);
  if (ids.length === 0) return true;
  const sessions = new Set(purchases.flatMap(({ session_id }) => session_id ?? []));
  if (!(await closeAll(context, sessions))) return false;
  await context.db
    .updateTable('purchase')
    .set({ state: 'expired' })
    .where('id', 'in', ids)
    .where('state', '=', 'open')
    .execute();
  const left = await context.db
    .selectFrom('purchase')
    .leftJoin('payment', 'payment.id', 'purchase.payment_id')
    .where('purchase.id', 'in', ids)
    .select(['state', 'session_id'])
    .execute();
  // A session may have been opened since they were read.
  const late = new Set(left.flatMap(({ session_id }) => session_id ?? [])).difference(sessions);
  if (!(await closeAll(context, late))) return false;
  return left.every(({ state }) => state !== 'settled' && state !== 'processing');
}

/** @returns whether nobody had paid, or is paying, one of them */
async function closeAll(context: CheckoutContext, sessionIds: Set<string>): Promise<boolean> {
  for (const sessionId of sessionIds) {
    const closed = await closeCheckout(context, sessionId).catch(unavailable);
    if (closed?.state === 'settled' || closed?.state === 'processing') return false;
  }
  return true;
}

/**
 * Where open purchases are paid. They name their session by the idempotency key, so that parallel
 * requests, and one that takes over from a process that died, get the same session.
 * @returns the provider's hosted page; null when the provider gave none
 * @throws whatever kept the provider from opening it
 */
async function openSession(
  context: CheckoutContext,
  purchases: PaymentLine[],
  { lines, party }: Pick<Wish, 'lines' | 'party'>,
): Promise<string | null> {
  const [first] = purchases;
  if (!first) throw new Error('Nothing is to be paid');
  if (first.session_id) return first.checkout_url;
  const { db, provider, publicUrl } = context;
  const { payment_id: paymentId } = first;
  const noted = [];
  for (const purchase of purchases) {
    const link = lines.find((line) => line.link.id === purchase.link_id)?.link;
    if (!link) throw new Error(`Purchase ${purchase.id} is of no link that was offered`);
    noted.push({
      purchaseId: purchase.id,
      linkId: link.id,
      title: nameLink({ id: link.id, title: purchase.title }),
      agreedCents: purchase.price_cents,
      feeCents: purchase.fee_cents,
      contentFingerprint: await fingerprintContent(db, link, purchase.content_version),
      gift: giftOf(purchase),
    });
  }
  // By what is written down, so that each request for the same session is the same.
  const code = lines[0]?.quote.discount?.code;
  const returnPath = paymentKind(purchases).returnPath(first, code);
  const session = await provider
    .createCheckout({
      paymentId,
      installationId: await readInstallationId(db),
      lines: noted,
      taxed: first.taxed === 1,
      currency: first.currency,
      buyerEmail: party.viewer.user?.email ?? null,
      successUrl: `${publicUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${publicUrl}${returnPath}`,
      expiresAt: first.expires_at,
      idempotencyKey: `checkout-${paymentId}-2`,
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof CheckoutInProgressError)) await markFailed(context, paymentId);
      throw error;
    });
  const write = dialectOf(db) === 'postgres' ? writeHeld : writePayment;
  const opened = { id: paymentId, session_id: session.id, url: session.url };
  const [kept] = await write(db, opened, purchases.length);
  if (kept) return session.url;
  await enqueue(db, 'expire-checkout', { sessionId: session.id }, context.now());
  throw new Error(`Payment ${paymentId} ended before its checkout started`);
}

interface OpenedSession {
  id: string;
  session_id: string;
  url: string | null;
}

const STANDING = ['open', 'processing', 'settled'] as const;

/** While none of its purchases has ended. One that was paid meanwhile has its row already. */
const writePayment = prepare((db, opened: OpenedSession, lines: number) =>
  insertPayment(
    db,
    db,
    opened,
    db
      .selectFrom('purchase')
      .where('payment_id', '=', opened.id)
      .where('state', 'in', STANDING)
      .select(({ fn }) => fn.countAll<number>().as('count')),
    lines,
  ),
);

/** The same where others write at the same time: the purchases are held until it is written. */
const writeHeld = prepare((db, opened: OpenedSession, lines: number) =>
  insertPayment(
    db,
    db.with('held', (held) =>
      held
        .updateTable('purchase')
        .set(({ ref }) => ({ state: ref('state') }))
        .where('payment_id', '=', opened.id)
        .where('state', 'in', STANDING)
        .returning('id'),
    ),
    opened,
    sql<number>`(select count(*) from held)`,
    lines,
  ),
);

function insertPayment(
  db: Database,
  into: Pick<Database, 'insertInto'>,
  { id, session_id, url }: OpenedSession,
  standing: Expression<unknown>,
  lines: number,
) {
  return into
    .insertInto('payment')
    .columns(['id', 'session_id', 'checkout_url'])
    .expression(
      db
        .selectNoFrom([
          sql<string>`cast(${id} as text)`.as('id'),
          sql<string>`cast(${session_id} as text)`.as('session_id'),
          sql<string | null>`cast(${url} as text)`.as('checkout_url'),
        ])
        .where(sql<boolean>`(${standing}) = ${lines}`),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(({ ref }) => ({ checkout_url: ref('excluded.checkout_url') })),
    )
    .returning('id');
}

/** The provider opened nothing, for this request and for all at the same time. */
function markFailed({ db }: CheckoutContext, paymentId: string): Promise<void> {
  return transaction(db, async (trx) => {
    // Held before it is looked whether one of them was faster.
    await trx
      .selectFrom('purchase')
      .where('payment_id', '=', paymentId)
      .orderBy('line')
      .select('id')
      .$if(dialectOf(trx) === 'postgres', (query) => query.forUpdate())
      .execute();
    await trx
      .updateTable('purchase')
      .set({ state: 'failed' })
      .where('payment_id', '=', paymentId)
      .where('state', '=', 'open')
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('payment').where('id', '=', paymentId).select('id'))),
      )
      .execute();
  });
}

export function unavailable(cause: unknown): never {
  // What database and storage say, also where the provider is asked between them.
  const isBusy = cause instanceof DomainError && cause.code === 'UNAVAILABLE';
  if (isBusy || cannotStore(cause) || remedyFor(cause) !== null) throw cause;
  throw new DomainError(
    'CHECKOUT_UNAVAILABLE',
    'The payment provider did not open a checkout. Nothing was charged. Please try again in a moment.',
    { cause },
  );
}
