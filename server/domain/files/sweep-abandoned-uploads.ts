import type { Database } from '../tables.ts';
import type { FileStore } from './file-store.ts';
import { recordUnneeded } from './unneeded-blobs.ts';

/** How long a broken upload can be resumed. */
const KEPT_FOR_MS = 24 * 60 * 60 * 1000;

/** Gives up the uploads that nobody continued for a day; their bytes go to quarantine next. */
export async function sweepAbandonedUploads(
  db: Database,
  store: Pick<FileStore, 'changedAt'>,
  now: number,
): Promise<void> {
  const before = now - KEPT_FOR_MS;
  const abandoned = await db
    .selectFrom('file')
    .select('blob')
    .where('finished_at', 'is', null)
    .where('created_at', '<', before)
    .execute();
  for (const { blob } of abandoned) {
    if (((await store.changedAt(blob)) ?? 0) < before) await giveUp(db, blob, now);
  }
}

/** An upload that is finished at this moment keeps its row, and so its bytes. */
async function giveUp(db: Database, blob: string, now: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .deleteFrom('file')
      .where('blob', '=', blob)
      .where('finished_at', 'is', null)
      .returning('blob')
      .executeTakeFirst();
    if (row) await recordUnneeded(transaction, blob, now);
  });
}
