import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { announce } from '../../ground/database/transaction.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { forgetWords, indexWords } from './index-words.ts';

/**
 * Takes all links of a suspended creator off sale, in the caller's transaction, as if they were
 * deleted at that moment, but with their covers and previews: nobody is shown these of a deleted
 * link. Their buyers keep their content.
 * @param now UTC milliseconds, by which they are found again
 */
export async function takeLinksOffSale(
  trx: DatabaseTransaction,
  ownerId: string,
  now: number,
): Promise<void> {
  const taken = await trx
    .updateTable('link')
    .set((update) => ({ deleted_at: now, version: update('version', '+', 1) }))
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  const ids = taken.map(({ id }) => id);
  await forgetWords(trx, ids);
  await enqueue(trx, 'end-checkouts', { ownerId, linkId: null }, now);
  for (const id of ids) announce(trx, { kind: 'link-deleted', id, ownerId });
}

/**
 * Puts the links back on sale that were taken off at this moment, as they were, in the caller's
 * transaction.
 * @param takenAt UTC milliseconds
 * @param atMost how many of them; all unless given
 * @returns how many
 */
export async function putLinksBackOnSale(
  trx: DatabaseTransaction,
  ownerId: string,
  takenAt: number,
  atMost?: number,
): Promise<number> {
  const taken = trx
    .selectFrom('link')
    .where('owner_id', '=', ownerId)
    .where('deleted_at', '=', takenAt)
    .$if(atMost !== undefined, (query) => query.limit(atMost ?? 0))
    .select('id');
  const back = await trx
    .updateTable('link')
    .set((update) => ({ deleted_at: null, version: update('version', '+', 1) }))
    .where('id', 'in', taken)
    .returning(['id', 'title', 'description'])
    .execute();
  for (const link of back) {
    await indexWords(trx, link);
    announce(trx, { kind: 'link-created', id: link.id, ownerId });
  }
  return back.length;
}
