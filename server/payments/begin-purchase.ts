import { randomUUID } from 'node:crypto';
import { dialectOf } from '../database/dialect.ts';
import type { DatabaseTransaction } from '../database/tables.ts';
import { transaction } from '../database/transaction.ts';
import type { Discount } from '../discounts/tables.ts';
import { refused } from '../discounts/use-discount.ts';
import { dayOf } from '../lib/time.ts';
import type { Link } from '../links/tables.ts';
import { enqueue } from '../outbox/jobs.ts';
import { addCounts } from '../statistics/counts.ts';
import type { CardProvider } from './card-provider.ts';
import type { CheckoutParty } from './context.ts';
import { requireCopyLeft } from './copies-left.ts';
import { requireUseLeft } from './discount-uses.ts';
import { type FulfilmentContext, fulfilPurchase } from './fulfil-purchase.ts';
import type { Visitor } from './queries.ts';
import type { Quote } from './quote.ts';
import type { Purchase } from './tables.ts';

/** The provider's minimum is 30 minutes; latency makes exactly 30 an error. */
const CHECKOUT_LIFETIME_MS = 35 * 60 * 1000;

interface BeginInput extends CheckoutParty {
  link: Link;
  quote: Quote;
}

/**
 * Writes down what is offered: price and fee as quoted, and the version that is on sale.
 * @returns undefined when the visitor has an open purchase of the link already, or it is not on sale
 * any more as it was when it was read
 * @throws DomainError NOT_ON_SALE, DISCOUNT_REFUSED where others have taken the last copy, or use of its discount
 */
export function beginPurchase(
  { db, provider, now }: FulfilmentContext,
  { link, visitor, device, account, quote }: BeginInput,
): Promise<Purchase | undefined> {
  const begunAt = now();
  return transaction(db, async (trx) => {
    const onSale = await trx
      .selectFrom('link')
      .select(['content_version', 'copies', 'sold_until'])
      .where('id', '=', link.id)
      .where('deleted_at', 'is', null)
      .where('taken_down_at', 'is', null)
      .where('paused', '=', 0)
      // Who may pay nothing may pay all the same.
      .where(({ eb, or }) => or([eb('unlocked', '=', 0), eb('least_cents', '=', 0)]))
      .where(({ eb, and, or }) =>
        or([
          and([eb('least_cents', 'is', null), eb('price_cents', '=', quote.listCents)]),
          eb('least_cents', '<=', quote.listCents),
        ]),
      )
      // Unchanged from here on: its files stay, and whoever changes it finds this checkout.
      .$if(dialectOf(trx) === 'postgres', (query) =>
        // Of many who want the last copy, each counts what the one before it took.
        link.copies === null ? query.forShare() : query.forUpdate(),
      )
      .executeTakeFirst();
    if (!onSale) return undefined;
    const { content_version, ...limits } = onSale;
    // Limited since it was read: the row is not held as it has to be.
    if (limits.copies !== null && link.copies === null) return undefined;
    await requireCopyLeft(trx, { id: link.id, ...limits }, visitor, begunAt);
    if (quote.discount) await takeUse(trx, quote.discount, visitor, begunAt);
    const begun = await insertPurchase(trx, {
      ...visitor,
      content_version,
      id: randomUUID(),
      seller_id: link.owner_id,
      price_cents: quote.agreedCents,
      list_cents: quote.listCents,
      fee_cents: quote.feeCents,
      taxed: Number(quote.taxed),
      tax_cents: 0,
      currency: quote.currency,
      mode: provider.mode,
      provider_account: account,
      session_id: null,
      checkout_url: null,
      payment_intent_id: null,
      buyer_email: null,
      state: 'open',
      created_at: begunAt,
      expires_at: begunAt + CHECKOUT_LIFETIME_MS,
      settled_at: null,
      ...{ available_on: null, watch_at: null, undelivered_at: null, receipt_refused_at: null },
      ...{ refunded_because: null, buyer_address: device.address, buyer_browser: device.browser },
      title: link.title,
    });
    if (!begun) return undefined;
    const purchaseId = begun.id;
    if (quote.discount) {
      const use = { purchase_id: purchaseId, discount_id: quote.discount.id };
      await trx.insertInto('purchase_discount').values(use).execute();
    }
    const askAt = begunAt + FIRST_FOLLOW_UP_MS;
    await enqueue(trx, 'follow-checkout', { purchaseId }, begunAt, askAt);
    return begun;
  });
}

/** Of many at once, each counts the uses that the one before it took. */
async function takeUse(
  trx: DatabaseTransaction,
  discount: Discount,
  visitor: Visitor,
  now: number,
): Promise<void> {
  // Writes nothing new, but holds the row.
  const held = await trx
    .updateTable('discount')
    .set({ id: discount.id })
    .where('id', '=', discount.id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!held) throw refused('This discount code has ended.');
  await requireUseLeft(trx, discount, visitor, now);
}

/**
 * Writes a purchase with the name that it is sold under, and counts it.
 * @returns undefined when it, or one it excludes, is there
 */
export async function insertPurchase(
  trx: DatabaseTransaction,
  purchase: Omit<Purchase, 'seller_name'>,
): Promise<Purchase | undefined> {
  const inserted = await trx
    .insertInto('purchase')
    .values(({ selectFrom }) => ({
      ...purchase,
      seller_name: selectFrom('seller').where('owner_id', '=', purchase.seller_id).select('name'),
    }))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!inserted) return undefined;
  const { link_id, seller_id: owner_id, created_at: begunAt } = inserted;
  await addCounts(
    trx,
    [{ link_id, checkouts: 1 }],
    [{ owner_id, day: dayOf(begunAt), checkouts: 1 }],
  );
  return inserted;
}

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

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
  const purchase = await db
    .selectFrom('purchase')
    .selectAll()
    .where('id', '=', purchaseId)
    .executeTakeFirst();
  if (!purchase || isOver(purchase)) return null;
  if (purchase.mode !== provider.mode) return null;
  if (purchase.provider_account !== (await provider.account())) return null;
  const sessionId = purchase.session_id ?? (await findSession(provider, purchase));
  const current = (sessionId && (await fulfilPurchase(context, sessionId))) || purchase;
  if (isOver(current)) return null;
  const next = nextFollowUp(current, now());
  if (next === null && current.state === 'open') {
    await db
      .updateTable('purchase')
      .set({ state: 'expired' })
      .where('id', '=', purchaseId)
      .where('state', '=', 'open')
      .execute();
  }
  return next;
}

const isOver = ({ state }: Purchase) => state === 'settled' || state === 'failed';

/** The provider's answer may have been lost after it opened the session: that names the purchase. */
async function findSession(
  provider: CardProvider,
  { id, created_at: begunAt }: Purchase,
): Promise<string | null> {
  const from = begunAt - SESSION_WINDOW_MS;
  for await (const session of provider.listCheckouts(from, begunAt + SESSION_WINDOW_MS)) {
    if (session.purchaseId === id) return session.id;
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
