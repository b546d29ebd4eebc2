import type { ExpressionBuilder } from 'kysely';
import { enqueue } from '../outbox/enqueue.ts';
import type { DatabaseTransaction, Tables } from '../tables.ts';
import type { Purchase } from './tables.ts';

export type Visitor = Pick<Purchase, 'link_id' | 'claim_hash' | 'buyer_id'>;

/**
 * Purchases of the same link by the same browser or the same account. Each side of the "or" names
 * the link, so that each is one range of an index: a link may have been sold to very many.
 */
export function ofVisitor({ link_id, claim_hash, buyer_id }: Visitor) {
  return ({ eb, and, or }: ExpressionBuilder<Tables, 'purchase'>) => {
    const ofLink = eb('purchase.link_id', '=', link_id);
    const byBrowser = and([eb('purchase.claim_hash', '=', claim_hash), ofLink]);
    if (buyer_id === null) return byBrowser;
    return or([byBrowser, and([eb('purchase.buyer_id', '=', buyer_id), ofLink])]);
  };
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
