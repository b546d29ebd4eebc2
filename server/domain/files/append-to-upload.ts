import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';
import { abandonUpload } from './abandon-upload.ts';
import type { FileStore } from './file-store.ts';
import { refuseWhenFull } from './refuse-when-full.ts';
import type { StoredFile } from './tables.ts';

type AppendStore = Pick<FileStore, 'openForAppend' | 'remove'>;

/**
 * Stores the bytes that follow `offset` for as long as they come; an upload the disk has no room
 * for is abandoned. What was stored when the bytes break off stays, to be continued.
 * @returns the new offset
 * @throws DomainError STORAGE_FULL; FILE_TOO_LARGE when more bytes come than were announced;
 *   whatever `batches` throws
 */
export async function appendToUpload(
  db: Database,
  store: AppendStore,
  upload: StoredFile,
  offset: number,
  batches: AsyncIterable<Uint8Array[]>,
): Promise<number> {
  try {
    return await refuseWhenFull(append(store, upload, offset, batches));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'STORAGE_FULL') {
      await abandonUpload(db, store, upload.blob);
    }
    throw error;
  }
}

async function append(
  store: AppendStore,
  upload: StoredFile,
  offset: number,
  batches: AsyncIterable<Uint8Array[]>,
): Promise<number> {
  const writer = await store.openForAppend(upload.blob, offset);
  let end = offset;
  try {
    for await (const batch of batches) {
      for (const { length } of batch) end += length;
      if (end > upload.size_bytes) {
        throw new DomainError('FILE_TOO_LARGE', 'More bytes came than Upload-Length announced.');
      }
      await writer.write(batch);
    }
  } finally {
    await writer.close();
  }
  return end;
}
