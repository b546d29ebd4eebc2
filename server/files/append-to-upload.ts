import type { Database } from '../database/tables.ts';
import { transaction } from '../database/transaction.ts';
import { isFull } from '../lib/cannot-store.ts';
import { DomainError } from '../lib/domain-error.ts';
import { refuseWhenFull, requireRoom } from './admit-upload.ts';
import type { FileStore } from './file-store.ts';
import { releaseLinkId } from './link-id.ts';
import type { StoredFile } from './tables.ts';

/** The disk is checked again after this many bytes of an upload: others fill it as well. */
export const ROOM_CHECKED_EVERY_BYTES = 8 * 1024 ** 2;

const NO_ROOM =
  'The server does not have enough space for the rest of this file. Please continue the upload later.';

/**
 * Stores the bytes that follow `offset` for as long as they arrive. If they break off, what was
 * stored stays, to be resumed.
 * @returns the new offset
 * @throws DomainError FILE_TOO_LARGE if more bytes arrive than were announced, STORAGE_FULL if they
 * would use the room reserved for the database; whatever `batches` or the store throws
 */
export async function appendToUpload(
  store: Pick<FileStore, 'openForAppend' | 'measureSpace'>,
  upload: StoredFile,
  offset: number,
  batches: AsyncIterable<Uint8Array[]>,
): Promise<number> {
  const writer = await store.openForAppend(upload.blob, offset, upload.size_bytes);
  let end = offset;
  let checkedUntil = offset;
  try {
    for await (const batch of batches) {
      const begin = end;
      for (const { length } of batch) end += length;
      if (end > upload.size_bytes) {
        throw new DomainError('FILE_TOO_LARGE', 'More bytes were sent than the upload announced.');
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

/**
 * Declares an upload complete, only after its bytes are durable. Repeating it is harmless.
 * @throws DomainError UPLOAD_NOT_FOUND when it was abandoned in the meantime
 */
export async function finishUpload(
  { db, store, now }: { db: Database; store: Pick<FileStore, 'makeDurable'>; now: () => number },
  upload: StoredFile,
): Promise<StoredFile> {
  if (upload.finished_at !== null) return upload;
  await store.makeDurable(upload.blob);
  const finished = await db
    .updateTable('file')
    .set((update) => ({ finished_at: update.fn.coalesce('finished_at', update.val(now())) }))
    .where('blob', '=', upload.blob)
    .returningAll()
    .executeTakeFirst();
  if (finished) return finished;
  throw new DomainError('UPLOAD_NOT_FOUND', 'This upload does not exist.');
}

interface RemovalContext {
  db: Database;
  store: Pick<FileStore, 'remove'>;
}

/**
 * Removes an unfinished upload that nobody else is working on. The bytes go first: the database
 * often shares the disk, and on a full one needs their room to delete the row.
 * @throws DomainError FORBIDDEN when it is finished, because a link may sell it
 */
export async function abandonUpload({ db, store }: RemovalContext, blob: string): Promise<void> {
  const finished = await db
    .selectFrom('file')
    .select('key')
    .where('blob', '=', blob)
    .where('finished_at', 'is not', null)
    .executeTakeFirst();
  if (finished) throw new DomainError('FORBIDDEN', 'A finished upload cannot be deleted.');
  await store.remove(blob);
  await transaction(db, async (trx) => {
    const row = await trx
      .deleteFrom('file')
      .where('blob', '=', blob)
      .where('finished_at', 'is', null)
      .returning('link_id')
      .executeTakeFirst();
    if (row) await releaseLinkId(trx, row.link_id);
  });
}

/**
 * Works on an upload, and abandons it if the disk is full, because nothing can be sold then. An
 * upload that is refused before that, for the room that is kept free, stays.
 * @throws DomainError STORAGE_FULL, and whatever the work throws
 */
export async function abandonWhenFull<Value>(
  context: RemovalContext,
  blob: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const worked = work().catch(async (error: unknown) => {
    if (isFull(error)) await abandonUpload(context, blob);
    throw error;
  });
  return refuseWhenFull(worked);
}
