import type { Database } from '../database/tables.ts';
import { enqueue } from '../outbox/jobs.ts';

interface Context {
  db: Database;
  now: () => number;
  limits: { take(name: 'receiptsResent', purchaseId: string): Promise<unknown> };
}

/**
 * Emails the receipt again to the address that paid. Answers the same whether or not there is one,
 * so that it reveals nothing to strangers.
 * @throws RateLimited when that of this purchase was mailed too often
 */
export async function resendReceipt(
  { db, now, limits }: Context,
  sessionId: string,
): Promise<void> {
  const purchase = await db
    .selectFrom('purchase')
    .where('session_id', '=', sessionId)
    .where('state', '=', 'settled')
    .where('buyer_email', 'is not', null)
    .select('id')
    .executeTakeFirst();
  if (!purchase) return;
  await limits.take('receiptsResent', purchase.id);
  await enqueue(db, 'send-receipt', { purchaseId: purchase.id }, now());
}
