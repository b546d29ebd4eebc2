import type { Database } from '../tables.ts';
import { NO_COVER } from './no-cover.ts';

/**
 * Takes every link of a creator off sale for good; their buyers keep their content.
 * @returns the ids of the links
 */
export async function deleteLinksOf(db: Database, ownerId: string, now: number): Promise<string[]> {
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
  return deleted.map(({ id }) => id);
}
