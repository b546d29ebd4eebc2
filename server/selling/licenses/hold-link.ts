import type { DatabaseTransaction } from '../../ground/database/tables.ts';

/**
 * Holds a link whose keys change: sales wait, and then find what there is. What is kept of its page is not
 * true any more.
 * @returns whether it is deleted by now
 */
export async function holdLink(
  trx: DatabaseTransaction,
  id: string,
  now: number,
): Promise<{ isDeleted: boolean }> {
  const { deleted_at } = await trx
    .updateTable('link')
    .set((update) => ({ version: update('version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .returning('deleted_at')
    .executeTakeFirstOrThrow();
  return { isDeleted: deleted_at !== null };
}
