import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { dialectOf } from '../database/dialect.ts';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { announce, transaction } from '../database/transaction.ts';
import { recordSale, type Sale } from '../ledger/record-sale.ts';
import { enqueue } from '../outbox/jobs.ts';
import type { CardProvider, CheckoutSession } from './card-provider.ts';
import type { Purchase } from './tables.ts';
import { tellSale } from './tell-sale.ts';

/**
 * The provider reports a payment that differs from what was offered: never fulfilled automatically.
 */
export class PaymentMismatchError extends Error {
  override name = 'PaymentMismatchError';
}

export interface FulfilmentContext {
  db: Database;
  provider: CardProvider;
  now: () => number;
}

/**
 * Brings our purchase to the state that the provider reports, and grants the content once it is
 * paid. Idempotent: the webhook, its repetitions and the success page may all call it at once.
 * @returns the purchase, or null for a session that is not ours
 * @throws PaymentMismatchError when an amount, currency, account or mode differs from the snapshot
 */
export async function fulfilPurchase(
  context: FulfilmentContext,
  sessionId: string,
): Promise<Purchase | null> {
  const { db, provider } = context;
  const session = await provider.retrieveCheckout(sessionId);
  if (!session) return null;
  const purchase = await findPurchaseOfSession(db, session);
  if (!purchase || purchase.state === 'settled') return purchase;
  if (!session.paid) return recordUnpaid(context, purchase, session);
  const paymentIntentId = await verifyPayment(purchase, session, provider);
  return settle(context, purchase, { ...session, paymentIntentId });
}

/** Two days for the buyer to come back. */
const WATCHED_AFTER_MS = 2 * 24 * 60 * 60 * 1000;

async function settle(
  { db, now }: FulfilmentContext,
  purchase: Purchase,
  { paymentIntentId, ...session }: CheckoutSession & { paymentIntentId: string },
): Promise<Purchase | null> {
  return transaction(db, async (trx) => {
    // Of all parallel callers exactly one sees the purchase change here.
    const settled = await trx
      .updateTable('purchase')
      .set({
        state: 'settled',
        session_id: session.id,
        payment_intent_id: paymentIntentId,
        buyer_email: session.buyerEmail,
        settled_at: now(),
        tax_cents: session.taxCents,
        watch_at: now() + WATCHED_AFTER_MS,
      })
      .where('id', '=', purchase.id)
      .where('state', '!=', 'settled')
      .returningAll()
      .executeTakeFirst();
    if (!settled) return findPurchase(trx, purchase.id);
    const { link_id: linkId, seller_id: ownerId } = settled;
    const grantId = randomUUID();
    await trx
      .insertInto('access_grant')
      .values({
        id: grantId,
        purchase_id: settled.id,
        link_id: linkId,
        buyer_id: settled.buyer_id,
        state: 'active',
        created_at: now(),
        updated_at: now(),
        position: nextPosition(trx),
      })
      .execute();
    await trx
      .insertInto('grant_claim')
      .values({ grant_id: grantId, claim_hash: settled.claim_hash })
      .execute();
    await recordSale(trx, saleOf(settled), now());
    await tellSale(trx, settled, { type: 'sale.created' }, now());
    // A refund or dispute reported before this moment found no purchase to act on.
    await enqueue(trx, 'review-payment', { paymentIntentId }, now());
    await enqueue(trx, 'follow-settlement', { purchaseId: settled.id }, now());
    if (settled.buyer_email) {
      await enqueue(trx, 'send-receipt', { purchaseId: settled.id }, now());
    }
    announce(trx, { kind: 'access-changed', id: linkId, ownerId, grantId });
    announce(trx, { kind: 'balance-changed', id: ownerId, ownerId });
    return settled;
  });
}

/** Grants are counted by the database: the clocks of two processes may differ by seconds. */
function nextPosition(trx: DatabaseTransaction) {
  return dialectOf(trx) === 'postgres'
    ? sql<number>`nextval('access_grant_position')`
    : sql<number>`(select coalesce(max(position), 0) + 1 from access_grant)`;
}

/** The webhook may arrive before the session's id was written: the session names our purchase. */
async function findPurchaseOfSession(
  db: Database,
  session: CheckoutSession,
): Promise<Purchase | null> {
  if (!session.purchaseId) return null;
  const purchase = await findPurchase(db, session.purchaseId);
  const foreign = purchase?.session_id && purchase.session_id !== session.id;
  return foreign ? null : purchase;
}

export async function findPurchase(db: Database, id: string): Promise<Purchase | null> {
  const purchase = await db
    .selectFrom('purchase')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return purchase ?? null;
}

async function verifyPayment(
  purchase: Purchase,
  session: CheckoutSession,
  provider: CardProvider,
): Promise<string> {
  const account = await provider.account();
  const faults = [
    session.subtotalCents !== purchase.price_cents &&
      `paid ${session.subtotalCents} instead of ${purchase.price_cents} cents`,
    session.currency !== purchase.currency && `paid in ${session.currency}`,
    account !== purchase.provider_account && 'paid on another provider account',
    session.mode !== purchase.mode && `paid in ${session.mode} mode`,
    !session.paymentIntentId && 'no payment intent',
    session.discountCents !== 0 && `a discount of ${session.discountCents} cents`,
    session.taxed !== (purchase.taxed === 1) &&
      `paid ${session.taxed ? 'with' : 'without'} the provider’s taxes`,
    (session.taxCents < 0 || (session.taxCents > 0 && !session.taxed)) &&
      `a tax of ${session.taxCents} cents`,
    session.totalCents !== session.subtotalCents + session.taxCents &&
      `a total of ${session.totalCents} instead of ${session.subtotalCents + session.taxCents} cents`,
  ].filter(Boolean);
  if (faults.length > 0 || !session.paymentIntentId) {
    throw new PaymentMismatchError(`Purchase ${purchase.id}: ${faults.join(', ')}`);
  }
  return session.paymentIntentId;
}

/** One that was ended here may have been completed, faster, at the provider. */
const UNPAID = ['open', 'processing', 'expired'] as const;

async function recordUnpaid(
  { db, now }: FulfilmentContext,
  purchase: Purchase,
  session: CheckoutSession,
): Promise<Purchase> {
  if (session.failed) {
    const failed = await failPurchase({ db, now }, purchase.id, session.buyerEmail);
    return failed ?? purchase;
  }
  const reported = ({ open: 'open', complete: 'processing', expired: 'expired' } as const)[
    session.status
  ];
  if (reported === purchase.state || reported === 'open') return purchase;
  const changed = await db
    .updateTable('purchase')
    .set({ state: reported, buyer_email: session.buyerEmail })
    .where('id', '=', purchase.id)
    .where('state', 'in', UNPAID)
    .returningAll()
    .executeTakeFirst();
  if (changed?.state === 'processing') {
    const { id: purchaseId, link_id: id, seller_id: ownerId } = changed;
    announce(db, { kind: 'payment-changed', id, ownerId, purchaseId });
  }
  return changed ?? purchase;
}

/**
 * A delayed payment that did not arrive: the buyer, who may have left the page, is notified by
 * email.
 * @returns the purchase, or undefined when it was over already
 */
async function failPurchase(
  { db, now }: Pick<FulfilmentContext, 'db' | 'now'>,
  purchaseId: string,
  buyerEmail: string | null,
): Promise<Purchase | undefined> {
  return transaction(db, async (trx) => {
    const failed = await trx
      .updateTable('purchase')
      .set({ state: 'failed', buyer_email: buyerEmail })
      .where('id', '=', purchaseId)
      .where('state', 'in', UNPAID)
      .returningAll()
      .executeTakeFirst();
    if (!failed) return undefined;
    if (buyerEmail) await enqueue(trx, 'send-payment-failed', { purchaseId }, now());
    const { link_id: id, seller_id: ownerId } = failed;
    announce(trx, { kind: 'payment-changed', id, ownerId, purchaseId });
    return failed;
  });
}

/** A settled purchase as the ledger knows it. @throws Error for one that is not settled */
export function saleOf(purchase: Purchase): Sale {
  if (purchase.payment_intent_id === null || purchase.settled_at === null) {
    throw new Error(`Purchase ${purchase.id} is not settled`);
  }
  return {
    paymentIntentId: purchase.payment_intent_id,
    purchaseId: purchase.id,
    linkId: purchase.link_id,
    sellerId: purchase.seller_id,
    grossCents: purchase.price_cents,
    feeCents: purchase.fee_cents,
    taxCents: purchase.tax_cents,
    currency: purchase.currency,
    mode: purchase.mode,
    providerAccount: purchase.provider_account,
    soldAt: purchase.settled_at,
  };
}
