import { DomainError } from '../domain-error.ts';
import type { FileStore } from './file-store.ts';
import type { StoredFile } from './tables.ts';

/**
 * Stores the bytes that follow `offset` for as long as they come. What was stored when they break
 * off stays, to be continued.
 * @returns the new offset
 * @throws DomainError FILE_TOO_LARGE when more bytes come than were announced; whatever `batches`
 *   or the store throws
 */
export async function appendToUpload(
  store: Pick<FileStore, 'openForAppend'>,
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
