import { enqueue } from '../outbox/enqueue.ts';
import type { FulfilmentContext } from './fulfil-purchase.ts';

/** A delayed payment that did not come: the buyer, who may be far from the page, is told by mail. */
export async function failPurchase(
  { db, now, publish }: FulfilmentContext,
  purchaseId: string,
): Promise<void> {
  const failed = await db.transaction().execute(async (transaction) => {
    const changed = await transaction
      .updateTable('purchase')
      .set({ state: 'failed' })
      .where('id', '=', purchaseId)
      .where('state', 'in', ['open', 'processing'])
      .returning(['link_id', 'seller_id', 'buyer_email'])
      .executeTakeFirst();
    if (changed?.buyer_email) {
      await enqueue(transaction, 'send-payment-failed', { purchaseId }, now());
    }
    return changed;
  });
  if (!failed) return;
  publish({ kind: 'payment-changed', id: failed.link_id, ownerId: failed.seller_id, purchaseId });
}
