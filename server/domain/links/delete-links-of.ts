import { recordUnneeded } from '../files/unneeded-blobs.ts';
import type { Database } from '../tables.ts';
import { NO_COVER } from './no-cover.ts';
import { forgetWords } from './search/forget-words.ts';

/**
 * Takes every link of a creator off sale for good, in the caller's transaction; their buyers keep
 * their content.
 * @returns the ids of the links
 */
export async function deleteLinksOf(db: Database, ownerId: string, now: number): Promise<string[]> {
  // Written twice: the first locks the rows, so that the covers they had are known for sure.
  const deleted = await db
    .updateTable('link')
    .set((update) => ({
      deleted_at: now,
      updated_at: now,
      version: update('version', '+', 1),
    }))
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .returning(['id', 'cover'])
    .execute();
  await db
    .updateTable('link')
    .set(NO_COVER)
    .where('owner_id', '=', ownerId)
    .where('cover', 'is not', null)
    .execute();
  for (const { cover } of deleted) if (cover) await recordUnneeded(db, cover, now);
  const ids = deleted.map(({ id }) => id);
  await forgetWords(db, ids);
  return ids;
}
