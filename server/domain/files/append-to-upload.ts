import { DomainError } from '../domain-error.ts';
import type { FileStore } from './file-store.ts';
import { requireRoom } from './measure-room.ts';
import type { StoredFile } from './tables.ts';

/** The disk is looked at again after so many bytes of an upload: others fill it as well. */
export const ROOM_CHECKED_EVERY_BYTES = 8 * 1024 ** 2;

const NO_ROOM =
  'The server has no room for the rest of this file. Please continue the upload later.';

/**
 * Stores the bytes that follow `offset` for as long as they come. What was stored when they break
 * off stays, to be continued.
 * @returns the new offset
 * @throws DomainError FILE_TOO_LARGE when more bytes come than were announced, STORAGE_FULL when
 *   they would take the room that is kept for the database; whatever `batches` or the store throws
 */
export async function appendToUpload(
  store: Pick<FileStore, 'openForAppend' | 'measureSpace'>,
  upload: StoredFile,
  offset: number,
  batches: AsyncIterable<Uint8Array[]>,
): Promise<number> {
  const writer = await store.openForAppend(upload.blob, offset);
  let end = offset;
  let checkedUntil = offset;
  try {
    for await (const batch of batches) {
      const begin = end;
      for (const { length } of batch) end += length;
      if (end > upload.size_bytes) {
        throw new DomainError('FILE_TOO_LARGE', 'More bytes came than Upload-Length announced.');
      }
      if (end > checkedUntil) {
        checkedUntil = begin + ROOM_CHECKED_EVERY_BYTES;
        await requireRoom(store, Math.min(checkedUntil, upload.size_bytes) - begin, NO_ROOM);
      }
      await writer.write(batch);
    }
  } finally {
    await writer.close();
  }
  return end;
}
