import type { Database } from '../tables.ts';
import type { FileStore } from './file-store.ts';

/** How long a broken upload can be resumed. */
const KEPT_FOR_MS = 24 * 60 * 60 * 1000;

/** Removes uploads that nobody continued for a day, and blobs that no row knows. */
export async function sweepAbandonedUploads(
  db: Database,
  store: Pick<FileStore, 'list' | 'remove'>,
  now: number,
): Promise<void> {
  const before = now - KEPT_FOR_MS;
  const touched = new Set<string>();
  const untouched = new Set<string>();
  for await (const { blob, changedAt } of store.list()) {
    if (changedAt < before) untouched.add(blob);
    else touched.add(blob);
  }
  const abandoned = await db
    .selectFrom('file')
    .select('blob')
    .where('finished_at', 'is', null)
    .where('created_at', '<', before)
    .execute();
  for (const { blob } of abandoned) {
    if (!touched.has(blob)) await removeRow(db, blob);
  }
  for (const blob of untouched) {
    if (!(await isKnown(db, blob))) await store.remove(blob);
  }
}

/** As a file, or as the cover of a link. */
async function isKnown(db: Database, blob: string): Promise<boolean> {
  const file = await db
    .selectFrom('file')
    .select('key')
    .where('blob', '=', blob)
    .executeTakeFirst();
  const link = await db
    .selectFrom('link')
    .select('id')
    .where('cover', '=', blob)
    .executeTakeFirst();
  return file !== undefined || link !== undefined;
}

/** The row goes first: an upload that is finished at this moment must keep its bytes. */
async function removeRow(db: Database, blob: string): Promise<void> {
  await db.deleteFrom('file').where('blob', '=', blob).where('finished_at', 'is', null).execute();
}
