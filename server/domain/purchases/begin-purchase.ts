import { randomUUID } from 'node:crypto';
import { feeOf } from '../../../contract/money.ts';
import type { Link } from '../links/tables.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { addCounts } from '../statistics/add-counts.ts';
import { dayOf } from '../statistics/day-of.ts';
import type { DatabaseTransaction } from '../tables.ts';
import type { CheckoutContext, CheckoutParty } from './checkout-context.ts';
import { FIRST_FOLLOW_UP_MS } from './follow-checkout.ts';
import { writeOfferedFiles } from './offered-files.ts';
import type { Purchase } from './tables.ts';

/** The provider's minimum is 30 minutes; latency makes exactly 30 an error. */
const CHECKOUT_LIFETIME_MS = 35 * 60 * 1000;

/**
 * Writes down what is offered: price, fee and files, as the link has them now.
 * @returns undefined when the visitor has an open purchase of the link already
 */
export function beginPurchase(
  { db, provider, fee, now }: CheckoutContext,
  link: Link,
  { visitor, account }: CheckoutParty,
): Promise<Purchase | undefined> {
  const begunAt = now();
  return db.transaction().execute(async (transaction) => {
    const begun = await insertPurchase(transaction, {
      ...visitor,
      id: randomUUID(),
      seller_id: link.owner_id,
      price_cents: link.price_cents,
      fee_cents: feeOf(link.price_cents, fee),
      currency: 'usd',
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
    });
    if (!begun) return undefined;
    const purchaseId = begun.id;
    const askAt = begunAt + FIRST_FOLLOW_UP_MS;
    await enqueue(transaction, 'follow-checkout', { purchaseId }, begunAt, askAt);
    return begun;
  });
}

/**
 * Writes a purchase with the files that its link has now, and counts it.
 * @returns undefined when it, or one it excludes, is there
 */
export async function insertPurchase(
  transaction: DatabaseTransaction,
  purchase: Purchase,
): Promise<Purchase | undefined> {
  const inserted = await transaction
    .insertInto('purchase')
    .values(purchase)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!inserted) return undefined;
  const { link_id, seller_id: owner_id, created_at: begunAt } = inserted;
  await writeOfferedFiles(transaction, inserted);
  await addCounts(
    transaction,
    [{ link_id, checkouts: 1 }],
    [{ owner_id, day: dayOf(begunAt), checkouts: 1 }],
  );
  return inserted;
}
