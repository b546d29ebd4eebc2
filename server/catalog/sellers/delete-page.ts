import { recordUnneeded } from '../../files/unneeded-blobs.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { announce } from '../../ground/database/transaction.ts';
import { leaveHandle } from './change-page.ts';

/**
 * Erases what a seller's page said, in the caller's transaction. Nobody else gets its address
 * before it is swept: it may still stand on other sites.
 * @param now UTC milliseconds
 */
export async function deletePage(
  trx: DatabaseTransaction,
  ownerId: string,
  now: number,
): Promise<void> {
  await leaveHandle(trx, ownerId, now);
  await trx.deleteFrom('pinned_link').where('owner_id', '=', ownerId).execute();
  const page = await trx
    .deleteFrom('seller_page')
    .where('owner_id', '=', ownerId)
    .returning('picture')
    .executeTakeFirst();
  if (page?.picture) await recordUnneeded(trx, page.picture, now);
  await trx.deleteFrom('seller').where('owner_id', '=', ownerId).execute();
  announce(trx, { kind: 'seller-changed', id: ownerId, ownerId });
}
