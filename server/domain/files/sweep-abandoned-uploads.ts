import type { Database } from '../tables.ts';
import { abandonUpload } from './abandon-upload.ts';
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
  const unfinished = await db
    .selectFrom('file')
    .select('blob')
    .where('finished_at', 'is', null)
    .where('created_at', '<', before)
    .execute();
  for (const { blob } of unfinished) {
    if (!touched.has(blob)) await abandonUpload(db, store, blob);
    untouched.delete(blob);
  }
  for (const blob of untouched) {
    const known = await db.selectFrom('file').select('key').where('blob', '=', blob).execute();
    if (known.length === 0) await store.remove(blob);
  }
}
