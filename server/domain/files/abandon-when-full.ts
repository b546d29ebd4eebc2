import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';
import { abandonUpload } from './abandon-upload.ts';
import type { FileStore } from './file-store.ts';
import { refuseWhenFull } from './refuse-when-full.ts';

/**
 * Works on an upload, and abandons it when there is no room: on a full disk nothing can be sold.
 * @throws DomainError STORAGE_FULL, and whatever the work throws
 */
export async function abandonWhenFull<Value>(
  db: Database,
  store: Pick<FileStore, 'remove'>,
  blob: string,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await refuseWhenFull(work());
  } catch (error) {
    if (error instanceof DomainError && error.code === 'STORAGE_FULL') {
      await refuseWhenFull(abandonUpload(db, store, blob));
    }
    throw error;
  }
}
