import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';
import type { FileStore } from './file-store.ts';
import type { StoredFile } from './tables.ts';

/**
 * Declares an upload complete, only after its bytes are durable. Repeating it is harmless.
 * @throws DomainError UPLOAD_NOT_FOUND when it was abandoned in the meantime
 */
export async function finishUpload(
  db: Database,
  store: Pick<FileStore, 'makeDurable'>,
  upload: StoredFile,
  now: number,
): Promise<StoredFile> {
  if (upload.finished_at !== null) return upload;
  await store.makeDurable(upload.blob);
  const finished = await db
    .updateTable('file')
    .set((update) => ({ finished_at: update.fn.coalesce('finished_at', update.val(now)) }))
    .where('blob', '=', upload.blob)
    .returningAll()
    .executeTakeFirst();
  if (finished) return finished;
  throw new DomainError('UPLOAD_NOT_FOUND', 'There is no such upload.');
}
