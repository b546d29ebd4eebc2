import type { Database } from '../tables.ts';
import type { FileStore } from './file-store.ts';
import { releaseLinkId } from './reserve-link-id.ts';
import type { Swept } from './sweep-unneeded-blobs.ts';
import { recordNeeded, recordUnneeded } from './unneeded-blobs.ts';

/** How long a broken upload can be resumed. */
const KEPT_FOR_MS = 24 * 60 * 60 * 1000;

/**
 * Gives up the uploads that nobody continued for a day. Half a file was never sold by any copy of
 * the database, and is removed at once; one that is whole goes to quarantine next.
 * @returns how many blobs were removed, and their bytes
 */
export async function sweepAbandonedUploads(
  db: Database,
  store: Pick<FileStore, 'changedAt' | 'sizeOf' | 'remove'>,
  now: number,
): Promise<Pick<Swept, 'removed' | 'removedBytes'>> {
  const before = now - KEPT_FOR_MS;
  const abandoned = await db
    .selectFrom('file')
    .select(['blob', 'size_bytes'])
    .where('finished_at', 'is', null)
    .where('created_at', '<', before)
    .execute();
  const swept = { removed: 0, removedBytes: 0 };
  for (const { blob, size_bytes } of abandoned) {
    if (((await store.changedAt(blob)) ?? 0) >= before) continue;
    if (!(await giveUp(db, blob, now))) continue;
    const bytes = (await store.sizeOf(blob)) ?? 0;
    if (bytes >= size_bytes) continue;
    await store.remove(blob);
    await recordNeeded(db, blob);
    swept.removed += 1;
    swept.removedBytes += bytes;
  }
  return swept;
}

/** An upload that is finished at this moment keeps its row, and so its bytes. */
async function giveUp(db: Database, blob: string, now: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .deleteFrom('file')
      .where('blob', '=', blob)
      .where('finished_at', 'is', null)
      .returning(['owner_id', 'size_bytes', 'link_id'])
      .executeTakeFirst();
    if (!row) return false;
    await recordUnneeded(transaction, blob, now, row);
    await releaseLinkId(transaction, row.link_id);
    return true;
  });
}
