import type { ExpressionBuilder } from 'kysely';
import { enqueue } from '../outbox/enqueue.ts';
import type { DatabaseTransaction, Tables } from '../tables.ts';
import type { Purchase } from './tables.ts';

export type Visitor = Pick<Purchase, 'link_id' | 'claim_hash' | 'buyer_id'>;

/** Purchases of the same link by the same browser or the same account. */
export function ofVisitor({ link_id, claim_hash, buyer_id }: Visitor) {
  return ({ eb, and, or }: ExpressionBuilder<Tables, 'purchase'>) =>
    and([
      eb('purchase.link_id', '=', link_id),
      or([
        eb('purchase.claim_hash', '=', claim_hash),
        ...(buyer_id === null ? [] : [eb('purchase.buyer_id', '=', buyer_id)]),
      ]),
    ]);
}

/** One is paid: nobody may pay the visitor's other checkouts of the link any more. */
export async function endRivals(
  transaction: DatabaseTransaction,
  settled: Purchase,
  now: number,
): Promise<void> {
  const ended = await transaction
    .updateTable('purchase')
    .set({ state: 'expired' })
    .where(ofVisitor(settled))
    .where('state', '=', 'open')
    .returning('session_id')
    .execute();
  for (const { session_id: sessionId } of ended) {
    if (sessionId) await enqueue(transaction, 'expire-checkout', { sessionId }, now);
  }
}
