import { isFull } from '../cannot-store.ts';
import type { Database } from '../tables.ts';
import { abandonUpload } from './abandon-upload.ts';
import type { FileStore } from './file-store.ts';
import { refuseWhenFull } from './refuse-when-full.ts';

/**
 * Works on an upload, and abandons it when the disk takes nothing any more: on a full one nothing
 * can be sold. One that is refused before that, for the room that is kept free, stays.
 * @throws DomainError STORAGE_FULL, and whatever the work throws
 */
export async function abandonWhenFull<Value>(
  db: Database,
  store: Pick<FileStore, 'remove'>,
  blob: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const worked = work().catch(async (error: unknown) => {
    if (isFull(error)) await abandonUpload(db, store, blob);
    throw error;
  });
  return refuseWhenFull(worked);
}
