import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import type { PaymentLine } from './tables.ts';

/** A payment that is given back because nothing is owed for it. */
export interface Unowed {
  purchase: PaymentLine;
  because: NonNullable<PaymentLine['refunded_because']>;
}

/** Decides it once, and tells buyer and seller. @returns whether it was decided now */
export async function beginRefund(
  trx: DatabaseTransaction,
  { purchase, because }: Unowed,
  now: number,
): Promise<boolean> {
  const decided = await trx
    .updateTable('purchase')
    .set({ refunded_because: because })
    .where('id', '=', purchase.id)
    .where('refunded_because', 'is', null)
    .returning('buyer_email')
    .executeTakeFirst();
  if (!decided) return false;
  const purchaseId = purchase.id;
  await enqueue(trx, 'refund-payment', { purchaseId }, now);
  if (decided.buyer_email) await enqueue(trx, 'send-payment-returned', { purchaseId }, now);
  if (because === 'double') await enqueue(trx, 'send-double-payment', { purchaseId }, now);
  return true;
}
