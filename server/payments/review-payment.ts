import { announce, transaction } from '../database/transaction.ts';
import { type CostBearers, followPayment } from '../ledger/follow-payment.ts';
import { enqueue } from '../outbox/jobs.ts';
import type { PaymentReport } from './card-provider.ts';
import type { FulfilmentContext } from './fulfil-purchase.ts';
import { saleOf } from './fulfil-purchase.ts';
import { findPurchaseByPayment } from './queries.ts';
import { recordReturns } from './record-returns.ts';
import type { AccessGrant } from './tables.ts';

export interface ReviewContext extends FulfilmentContext {
  /** Origin without a trailing slash. */
  publicUrl: string;
  costBearers: CostBearers;
}

/**
 * Brings the grant and the books of a payment to what the provider says of it now. The grant is
 * suspended while a dispute is open, ended by a full refund or a lost dispute, active otherwise -
 * also again, when a dispute is won, a lost one is appealed with success, or a refund failed. Events come in any order, so none of them
 * is taken at its word. A payment that is not ours changes nothing.
 * @returns whether something changed
 * @throws RefundTooLargeError when the provider reports more refunded than was sold
 */
export async function reviewPayment(
  context: ReviewContext,
  paymentIntentId: string,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const review = await reviewOnce(context, paymentIntentId);
    if (review !== 'overtaken') return review === 'changed';
  }
  throw new Error(`The payment ${paymentIntentId} is changing too fast to be reviewed`);
}

/** Of parallel reviews only one that nobody overtook may write: an older answer never wins. */
const MAX_ATTEMPTS = 10;

async function reviewOnce(
  { db, provider, costBearers, now }: ReviewContext,
  paymentIntentId: string,
): Promise<'overtaken' | 'changed' | 'unchanged'> {
  const purchase = await findPurchaseByPayment(db, paymentIntentId);
  if (!purchase) return 'unchanged';
  const seen = await db
    .selectFrom('access_grant')
    .where('purchase_id', '=', purchase.id)
    .select(['id', 'state', 'updated_at'])
    .executeTakeFirstOrThrow();
  const payment = await provider.retrievePayment(paymentIntentId);
  const state = grantStateOf(payment);
  return transaction(db, async (trx) => {
    const changed = await trx
      .updateTable('access_grant')
      .set({ state, updated_at: Math.max(now(), seen.updated_at + 1) })
      .where('id', '=', seen.id)
      .where('updated_at', '=', seen.updated_at)
      .returning('id')
      .executeTakeFirst();
    if (!changed) return 'overtaken';
    const movements = { ...payment, claimedCents: claimedCentsOf(payment) };
    const moved = await followPayment(trx, saleOf(purchase), movements, costBearers, now());
    await recordReturns(trx, purchase, payment, now());
    const { link_id: linkId, seller_id: ownerId } = purchase;
    if (state !== seen.state) {
      announce(trx, { kind: 'access-changed', id: linkId, ownerId, grantId: seen.id });
      if (state === 'suspended' && seen.state === 'active') {
        await enqueue(trx, 'send-payment-disputed', { purchaseId: purchase.id }, now());
      }
    }
    if (moved) announce(trx, { kind: 'balance-changed', id: ownerId, ownerId });
    return state !== seen.state || moved ? 'changed' : 'unchanged';
  });
}

function grantStateOf(payment: PaymentReport): AccessGrant['state'] {
  if (isGivenBack(payment)) return 'ended';
  const isOpen = payment.disputes.some(
    (dispute) => dispute.stage === 'open' || isWithheld(payment, dispute.id),
  );
  return isOpen ? 'suspended' : 'active';
}

/** Whether a payment was refunded in full, or lost in a dispute: nothing is owed for it. */
export function isGivenBack(payment: PaymentReport): boolean {
  const { amountCents, refunds, disputes } = payment;
  const refundedCents = refunds
    .filter(({ state }) => state === 'succeeded')
    .reduce((sum, refund) => sum + refund.amountCents, 0);
  const isLost = disputes.some(({ id, stage }) => stage === 'lost' && isWithheld(payment, id));
  return refundedCents >= amountCents || isLost;
}

/** Cents that inquiries and open disputes are about, but did not take. */
function claimedCentsOf(payment: PaymentReport): number {
  return payment.disputes
    .filter(({ id, stage }) => ['inquiry', 'open'].includes(stage) && !isWithheld(payment, id))
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** Whether a dispute took more than it gave back: then no stage of it leaves the content. */
function isWithheld({ disputeMovements }: PaymentReport, id: string): boolean {
  const moved = disputeMovements.filter(({ disputeId }) => disputeId === id);
  return moved.reduce((sum, { amountCents }) => sum + amountCents, 0) < 0;
}
