import { enqueue } from '../outbox/enqueue.ts';
import type { Database } from '../tables.ts';

/** A delayed payment that did not come: the buyer, who may be far from the page, is told by mail. */
export async function failPurchase(db: Database, purchaseId: string, now: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const failed = await transaction
      .updateTable('purchase')
      .set({ state: 'failed' })
      .where('id', '=', purchaseId)
      .where('state', 'in', ['open', 'processing'])
      .returning('buyer_email')
      .executeTakeFirst();
    if (failed?.buyer_email) await enqueue(transaction, 'send-payment-failed', { purchaseId }, now);
  });
}
