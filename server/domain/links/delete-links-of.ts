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
  const covered = await db
    .selectFrom('link')
    .select('cover')
    .where('owner_id', '=', ownerId)
    .where('cover', 'is not', null)
    .execute();
  for (const { cover } of covered) if (cover) await recordUnneeded(db, cover, now);
  const deleted = await db
    .updateTable('link')
    .set((update) => ({
      ...NO_COVER,
      deleted_at: now,
      updated_at: now,
      version: update('version', '+', 1),
    }))
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  const ids = deleted.map(({ id }) => id);
  await forgetWords(db, ids);
  return ids;
}
