import type { DatabaseTransaction } from '../tables.ts';
import {
  type DisputeMovement,
  disputeCause,
  recordDisputeMovement,
} from './record-dispute-movement.ts';
import { processingCostCause, recordProcessingCost } from './record-processing-cost.ts';
import { recordRefund, reverseRefund } from './record-refund.ts';
import type { Sale } from './record-sale.ts';
import { refundCause, refundReversalCause } from './refunds.ts';

/** All money that moved after a sale, as the provider reports it now. */
export interface PaymentMovements {
  /** Null while the provider does not say. */
  processingCostCents: number | null;
  /** Oldest first. */
  refunds: { id: string; amountCents: number; state: 'pending' | 'succeeded' | 'failed' }[];
  disputeMovements: DisputeMovement[];
}

/** Who pays what the provider keeps of a refunded sale. */
export type RefundCost = 'platform' | 'creator';

/**
 * Books what moved since a sale and is not booked yet. The caller lets no two of these run at once
 * for one sale: what a refund takes from whom depends on those before it.
 * @returns whether the creator's balance moved
 * @throws RefundTooLargeError when all refunds together exceed the sale
 */
export async function followPayment(
  transaction: DatabaseTransaction,
  sale: Sale,
  { processingCostCents, refunds, disputeMovements }: PaymentMovements,
  refundCost: RefundCost,
  now: number,
): Promise<boolean> {
  const booked = await findBookedCauses(transaction, sale.purchaseId);
  const isNew = (cause: string) => !booked.has(cause);
  const failed = refunds.filter(
    ({ id, state }) =>
      state === 'failed' && !isNew(refundCause(id)) && isNew(refundReversalCause(id)),
  );
  const made = refunds.filter(({ id, state }) => state === 'succeeded' && isNew(refundCause(id)));
  const moved = disputeMovements.filter((movement) => isNew(disputeCause(movement)));
  const cost = isNew(processingCostCause(sale)) ? processingCostCents : null;

  if (cost !== null) await recordProcessingCost(transaction, sale, cost, now);
  for (const refund of failed) await reverseRefund(transaction, sale, refund, now);
  const costCents = refundCost === 'creator' ? (processingCostCents ?? 0) : 0;
  for (const refund of made) {
    await recordRefund(transaction, sale, { ...refund, costCents }, now);
  }
  for (const movement of moved) await recordDisputeMovement(transaction, sale, movement, now);
  return failed.length + made.length + moved.length > 0;
}

async function findBookedCauses(
  transaction: DatabaseTransaction,
  purchaseId: string,
): Promise<Set<string>> {
  const entries = await transaction
    .selectFrom('ledger_entry')
    .where('purchase_id', '=', purchaseId)
    .select('cause')
    .execute();
  return new Set(entries.map(({ cause }) => cause));
}
