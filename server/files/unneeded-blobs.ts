import type { Database } from '../ground/database/tables.ts';
import { isThere } from '../ground/lib/is-there.ts';
import type { FileStore } from './file-store.ts';
import type { StoredFile } from './tables.ts';

/**
 * Records that a blob is no longer needed, in the caller's transaction. One that is about to be
 * written is recorded before its first byte and removed from the record once a row names it, so
 * that a crash leaves no blob that this database does not know.
 * @param dueAt UTC milliseconds
 * @param file whose upload it was: until it is removed, it counts for its owner
 */
export async function recordUnneeded(
  db: Database,
  blob: string,
  dueAt: number,
  file?: Pick<StoredFile, 'owner_id' | 'size_bytes'>,
): Promise<void> {
  const { owner_id = null, size_bytes = null } = file ?? {};
  await db
    .insertInto('unneeded_blob')
    .values({ blob, due_at: dueAt, quarantined_at: null, owner_id, size_bytes })
    .onConflict((conflict) => conflict.column('blob').doNothing())
    .execute();
}

/** Removes a blob from the record that a row names now, or that is gone. */
export async function recordNeeded(db: Database, blob: string): Promise<void> {
  await db.deleteFrom('unneeded_blob').where('blob', '=', blob).execute();
}

/** Moves a recorded blob to quarantine. Repeating it is harmless. @returns its bytes */
export async function quarantineBlob(
  db: Database,
  store: Pick<FileStore, 'quarantine'>,
  blob: string,
  now: number,
): Promise<number> {
  const bytes = await store.quarantine(blob);
  await db
    .updateTable('unneeded_blob')
    .set({ quarantined_at: now })
    .where('blob', '=', blob)
    .execute();
  return bytes;
}

/** Whether a row names it: as a file, the cover or the preview of a link, or a seller's picture. */
export async function isKnownBlob(db: Database, blob: string): Promise<boolean> {
  if (await isThere(db.selectFrom('file').select('key').where('blob', '=', blob))) return true;
  const shown = db
    .selectFrom('link')
    .select('id')
    .where(({ eb, or }) => or([eb('cover', '=', blob), eb('preview_blob', '=', blob)]));
  if (await isThere(shown)) return true;
  return isThere(db.selectFrom('seller_page').select('owner_id').where('picture', '=', blob));
}
