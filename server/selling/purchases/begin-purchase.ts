import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { seenText } from '../../../contract/characters.ts';
import { isSourceWord } from '../../../contract/sources.ts';
import { addCounts } from '../../books/statistics/counts.ts';
import { admitSource } from '../../books/statistics/sources.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import { addressOfBuyer, addressOfRecipient } from '../../ground/database/mailbox-of.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { refused } from '../discounts/use-discount.ts';
import type { CardProvider } from './card-provider.ts';
import type { CheckoutContext, CheckoutParty } from './context.ts';
import { requireCopyLeft, requireKeysForAll } from './copies-left.ts';
import { requireUseLeft } from './discount-uses.ts';
import { type FulfilmentContext, fulfilPurchase, settleFree } from './fulfil-purchase.ts';
import type { Gift } from './gifts.ts';
import { findPurchase, findStanding } from './queries.ts';
import type { Quote } from './quote.ts';
import { holdParts, writeParts } from './sold-parts.ts';
import type { PaymentLine, Purchase } from './tables.ts';

/** The provider's minimum is 30 minutes; latency makes exactly 30 an error. */
const CHECKOUT_LIFETIME_MS = 35 * 60 * 1000;

/** A link, what it costs this buyer, and from where they came to it. */
export interface Offered {
  link: Link;
  quote: Quote;
  /** As `contract/sources.ts` writes it. */
  source: string;
  /** Whom it is given to; in a cart nobody. */
  gift?: Gift | null;
}

/** Ends a transaction whose work could not be done as it was asked for. */
class NotBegunError extends Error {
  override name = 'NotBegunError';
}

/**
 * Writes down what is offered, to be paid together: price and fee as quoted, and the versions that are
 * on sale; all of it or nothing. Where none of it costs anything, it settles at once.
 * @returns undefined when the visitor has an open purchase of one of the links already, or it is not on
 * sale any more as it was when it was read
 * @throws DomainError NOT_ON_SALE, DISCOUNT_REFUSED where others have taken the last copy, or use of its discount
 */
export async function beginPurchases(
  { db, provider, now, views }: Pick<CheckoutContext, 'db' | 'provider' | 'now' | 'views'>,
  offered: Offered[],
  party: CheckoutParty,
): Promise<PaymentLine[] | undefined> {
  const begunAt = now();
  const paymentId = randomUUID();
  // Of their sellers and links, in whose order all of their rows are always locked.
  const keyOf = ({ link }: Offered) => `${link.owner_id} ${link.id}`;
  const lines = offered.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const isFree = lines.every(({ quote }) => quote.agreedCents === 0);
  const work = async (trx: DatabaseTransaction) => {
    const links = lines.map(({ link }) => link);
    if (!(await holdParts(trx, links))) throw new NotBegunError();
    const versions: number[] = [];
    for (const line of lines) versions.push(await holdLink(trx, line, party, begunAt));
    if (lines.length > 1) await requireKeysForAll(trx, links, party.visitor, begunAt);
    const discounts = lines.flatMap(({ quote }) => quote.discount ?? []);
    for (const id of [...new Set(discounts.map((discount) => discount.id))].sort()) {
      await holdDiscount(trx, id);
    }
    const begun: PaymentLine[] = [];
    for (const [index, { link, quote, source, gift }] of lines.entries()) {
      const visitor = { ...party.visitor, link_id: link.id };
      if (quote.discount) await requireUseLeft(trx, quote.discount, visitor, begunAt);
      const visit = { ...party.device.visit, linkId: link.id, source };
      const offer: NewPurchase = {
        ...visitor,
        content_version: versions[index] ?? link.content_version,
        id: randomUUID(),
        payment_id: paymentId,
        line: index + 1,
        seller_id: link.owner_id,
        price_cents: quote.agreedCents,
        list_cents: quote.listCents,
        fee_cents: quote.feeCents,
        taxed: Number(quote.taxed),
        currency: quote.currency,
        mode: provider.mode,
        provider_account: party.account,
        ...addressOfBuyer(null),
        state: 'open',
        created_at: begunAt,
        expires_at: begunAt + CHECKOUT_LIFETIME_MS,
        buyer_address: party.device.address,
        buyer_browser: party.device.browser,
        language: party.device.language,
        title: seenText(link.title),
        source,
        ...addressOfRecipient(gift?.email ?? null),
        gift_message: gift?.message ?? null,
      };
      const purchase = await insertPurchase(trx, offer, () => views.ofCheckout(visit));
      if (!purchase) throw new NotBegunError();
      if (link.type === 'bundle') await writeParts(trx, purchase);
      if (quote.discount) {
        const use = { purchase_id: purchase.id, discount_id: quote.discount.id };
        await trx.insertInto('purchase_discount').values(use).execute();
      }
      begun.push(purchase);
    }
    const [first] = begun;
    if (isFree) {
      await settleFree(trx, begun, party.viewer.user?.email ?? null, begunAt);
      return begun;
    }
    const askAt = begunAt + FIRST_FOLLOW_UP_MS;
    if (first) await enqueue(trx, 'follow-checkout', { purchaseId: first.id }, begunAt, askAt);
    return begun;
  };
  return transaction(db, work).catch((error: unknown) => {
    if (error instanceof NotBegunError) return undefined;
    throw error;
  });
}

/**
 * Keeps what a link sells as it is until the purchase is written: its files stay, and whoever changes
 * it finds the checkout.
 * @returns the version that is on sale
 * @throws NotBegunError where it is not on sale any more as it was when it was read
 */
async function holdLink(
  trx: DatabaseTransaction,
  { link, quote }: Offered,
  { visitor }: Pick<CheckoutParty, 'visitor'>,
  now: number,
): Promise<number> {
  const isFree = quote.agreedCents === 0;
  // Of many who want the last copy, or key, each counts what the one before it took.
  const hold = isCounted(link) || isFree ? holdAlone : holdShared;
  const [onSale] = await hold(trx, link.id, quote.listCents);
  if (!onSale) throw new NotBegunError();
  const { content_version: version, ...limits } = onSale;
  // Limited since it was read: the row is not held as it has to be.
  if (isCounted(limits) && !isCounted(link)) throw new NotBegunError();
  const { id, type } = link;
  const own = { ...visitor, link_id: id };
  // Asked for twice at once, what is free is theirs by now.
  if (isFree && (await findStanding(trx, own)).length > 0) throw new NotBegunError();
  await requireCopyLeft(trx, { id, type, ...limits }, own, now);
  return version;
}

const isCounted = ({ copies, license_keys }: Pick<Link, 'copies' | 'license_keys'>) =>
  copies !== null || license_keys === 'list';

const holdOnSale = (lock: 'forShare' | 'forUpdate') =>
  prepare((db, linkId: string, listCents: number) =>
    db
      .selectFrom('link')
      .select(['content_version', 'copies', 'sold_until', 'license_keys'])
      .where('id', '=', linkId)
      .where('deleted_at', 'is', null)
      .where('taken_down_at', 'is', null)
      .where('paused', '=', 0)
      // Who may pay nothing may pay all the same.
      .where(({ eb, or }) => or([eb('unlocked', '=', 0), eb('least_cents', '=', 0)]))
      .where(({ eb, and, or }) =>
        or([
          and([eb('least_cents', 'is', null), eb('price_cents', '=', listCents)]),
          eb('least_cents', '<=', listCents),
        ]),
      )
      .$if(dialectOf(db) === 'postgres', (query) => query[lock]()),
  );

const holdShared = holdOnSale('forShare');
const holdAlone = holdOnSale('forUpdate');

/** Of many at once, each counts the uses that the one before it took. */
async function holdDiscount(trx: DatabaseTransaction, id: string): Promise<void> {
  // Writes nothing new, but holds the row.
  const held = await trx
    .updateTable('discount')
    .set({ id })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!held) throw refused('This discount code has ended.');
}

/**
 * Writes a purchase with the name that it is sold under, and counts it.
 * @param countViews how many views are counted with it: one where nothing is known of its visitor
 * @returns undefined when it, or one it excludes, is there
 */
export async function insertPurchase(
  trx: DatabaseTransaction,
  purchase: NewPurchase,
  countViews = () => 1,
): Promise<PaymentLine | undefined> {
  const isKnown = purchase.source === null || isSourceWord(purchase.source);
  const insert = isKnown ? insertKnown : insertStrange;
  const [inserted] = await insert(trx, purchase, dayOf(purchase.created_at));
  if (!inserted) return undefined;
  const { link_id, seller_id: owner_id, created_at: begunAt, source } = inserted;
  const day = dayOf(begunAt);
  const counts = { views: countViews(), checkouts: 1 };
  addCounts(
    trx,
    [{ link_id, ...counts }],
    [{ owner_id, day, ...counts }],
    source === null ? [] : [{ link_id, owner_id, day, source, ...counts }],
  );
  // The provider has not been asked yet.
  return { ...inserted, session_id: null, checkout_url: null, payment_intent_id: null };
}

/** What is left out comes with the payment, or later. */
type NewPurchase = Omit<
  Purchase,
  | 'seller_name'
  | 'tax_cents'
  | 'settled_at'
  | 'available_on'
  | 'watch_at'
  | 'undelivered_at'
  | 'receipt_refused_at'
  | 'refunded_because'
  | 'gift_opened_at'
  | 'gift_resends'
>;

const insertFrom = (sourceOf: (purchase: NewPurchase, day: number) => RawBuilder<string>) =>
  prepare((db, purchase: NewPurchase, day: number) => {
    const columns: Omit<NewPurchase, 'source'> = {
      id: purchase.id,
      payment_id: purchase.payment_id,
      line: purchase.line,
      link_id: purchase.link_id,
      content_version: purchase.content_version,
      seller_id: purchase.seller_id,
      buyer_id: purchase.buyer_id,
      claim_hash: purchase.claim_hash,
      price_cents: purchase.price_cents,
      list_cents: purchase.list_cents,
      fee_cents: purchase.fee_cents,
      taxed: purchase.taxed,
      currency: purchase.currency,
      mode: purchase.mode,
      provider_account: purchase.provider_account,
      buyer_email: purchase.buyer_email,
      buyer_mailbox: purchase.buyer_mailbox,
      state: purchase.state,
      created_at: purchase.created_at,
      expires_at: purchase.expires_at,
      title: purchase.title,
      buyer_address: purchase.buyer_address,
      buyer_browser: purchase.buyer_browser,
      language: purchase.language,
      gift_email: purchase.gift_email,
      gift_mailbox: purchase.gift_mailbox,
      gift_message: purchase.gift_message,
    };
    return db
      .insertInto('purchase')
      .values(({ selectFrom }) => ({
        ...columns,
        seller_name: selectFrom('seller').where('owner_id', '=', purchase.seller_id).select('name'),
        source: sourceOf(purchase, day),
      }))
      .onConflict((conflict) => conflict.doNothing())
      .returningAll();
  });

const insertKnown = insertFrom(({ source }) => sql<string>`cast(${source} as text)`);
const insertStrange = insertFrom(({ link_id, source }, day) => admitSource(link_id, day, source));

/** When a checkout is asked after for the first time, after it began. */
const FIRST_FOLLOW_UP_MS = 5 * MINUTE_MS;
/** The provider closes a session soon after its time. */
const EXPIRY_MARGIN_MS = MINUTE_MS;
/** How far our clock and the provider's, and a slow request, set begin and session apart. */
const SESSION_WINDOW_MS = 15 * MINUTE_MS;

/**
 * Asks the provider what became of a checkout, for a buyer who did not come back and an event that
 * never came: after 5 minutes, when it has expired, after an hour, after a day, and then every day
 * while the payment is under way. A checkout of which the provider says nothing in all that time
 * has ended.
 * @returns when to ask again, UTC milliseconds; null when nothing can come of it any more
 */
export async function followCheckout(
  context: FulfilmentContext,
  purchaseId: string,
): Promise<number | null> {
  const { db, provider, now } = context;
  const purchase = await findPurchase(db, purchaseId);
  if (!purchase || isOver(purchase)) return null;
  if (purchase.mode !== provider.mode) return null;
  if (purchase.provider_account !== (await provider.account())) return null;
  const sessionId = purchase.session_id ?? (await findSession(provider, purchase));
  const told = sessionId && (await fulfilPurchase(context, sessionId));
  // Of several, the first is told of.
  const current =
    (told && (told.id === purchaseId ? told : await findPurchase(db, purchaseId))) || purchase;
  if (isOver(current)) return null;
  const next = nextFollowUp(current, now());
  if (next === null && current.state === 'open') {
    await db
      .updateTable('purchase')
      .set({ state: 'expired' })
      .where('payment_id', '=', purchase.payment_id)
      .where('state', '=', 'open')
      .execute();
  }
  return next;
}

const isOver = ({ state }: Purchase) => state === 'settled' || state === 'failed';

/** The provider's answer may have been lost after it opened the session: that names the payment. */
async function findSession(
  provider: CardProvider,
  { payment_id: paymentId, created_at: begunAt }: Purchase,
): Promise<string | null> {
  const from = begunAt - SESSION_WINDOW_MS;
  for await (const session of provider.listCheckouts(from, begunAt + SESSION_WINDOW_MS)) {
    if (session.paymentId === paymentId) return session.id;
  }
  return null;
}

function nextFollowUp(purchase: Purchase, now: number): number | null {
  const { state, created_at: begunAt } = purchase;
  const closedAt = purchase.expires_at + EXPIRY_MARGIN_MS;
  if (state === 'expired' && now >= closedAt) return null;
  const times = [begunAt + FIRST_FOLLOW_UP_MS, closedAt, begunAt + HOUR_MS, begunAt + DAY_MS];
  const next = times.find((time) => time > now);
  if (next !== undefined) return next;
  return state === 'processing' ? now + DAY_MS : null;
}
