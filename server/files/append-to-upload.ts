import type { Database, DatabaseContext } from '../ground/database/tables.ts';
import { transaction } from '../ground/database/transaction.ts';
import { isFull } from '../ground/lib/cannot-store.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import { isThere } from '../ground/lib/is-there.ts';
import { enqueue } from '../ground/outbox/jobs.ts';
import { refuseWhenFull, requireRoom } from './admit-upload.ts';
import {
  lacksFacts,
  requireUnblocked,
  Summing,
  type Sums,
  sniffBlob,
  sumBlob,
} from './check-file.ts';
import type { FileStore } from './file-store.ts';
import { releaseLinkId } from './link-id.ts';
import type { StoredFile } from './tables.ts';

/** Far more than upload at the same time; what is forgotten is read back. */
const MAX_RUNNING_HASHES = 1_000;

/** The sums of uploads under way, as far as all of their bytes came through this process. */
export class UploadHashes {
  readonly #running = new Map<string, Summing>();

  /** Takes in the bytes that follow `offset`. */
  add(blob: string, offset: number, chunks: Uint8Array[]): void {
    const known = offset === 0 ? undefined : this.#running.get(blob);
    this.#running.delete(blob);
    if (offset > 0 && known?.bytes !== offset) return;
    const summing = known ?? new Summing();
    for (const chunk of chunks) summing.add(chunk);
    this.#running.set(blob, summing);
    const [oldest] = this.#running.keys();
    if (oldest && this.#running.size > MAX_RUNNING_HASHES) this.#running.delete(oldest);
  }

  /** Forgets an upload. @returns its sums; null unless of exactly these bytes */
  end(blob: string, sizeBytes: number): Sums | null {
    const known = this.#running.get(blob);
    this.#running.delete(blob);
    return known?.bytes === sizeBytes ? known.end() : null;
  }
}

/** The disk is checked again after this many bytes of an upload: others fill it as well. */
export const ROOM_CHECKED_EVERY_BYTES = 8 * 1024 ** 2;

const NO_ROOM =
  'The server does not have enough space for the rest of this file. Please continue the upload later.';

interface AppendContext {
  store: Pick<FileStore, 'direct' | 'openForAppend' | 'measureSpace'>;
  hashes: UploadHashes;
}

/**
 * Stores and hashes the bytes that follow `offset` for as long as they arrive. If they break off, what was
 * stored stays, to be resumed.
 * @returns the new offset
 * @throws DomainError FILE_TOO_LARGE if more bytes arrive than were announced, STORAGE_FULL if they
 * would use the room reserved for the database; whatever `batches` or the store throws
 */
export async function appendToUpload(
  { store, hashes }: AppendContext,
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
      // The system takes them meanwhile.
      const written = writer.write(batch);
      // Where its owner may send parts to the store as well, other bytes may be there than pass here.
      if (!store.direct) hashes.add(upload.blob, begin, batch);
      await written;
    }
  } finally {
    await writer.close();
  }
  return end;
}

/** A larger file whose hash is unknown is read by a job, so that no request waits for it. */
const READ_BACK_BYTES = 16 * 1024 ** 2;

interface FinishContext extends DatabaseContext {
  store: Pick<FileStore, 'makeDurable' | 'openForReading' | 'remove'>;
  hashes: UploadHashes;
  /** Whether there is a malware scanner. */
  scans: boolean;
}

/**
 * Declares an upload complete, only after its bytes are durable. Repeating it is harmless. One
 * whose hash is not known now, or that is to be scanned, is pending until the job `check-file` has
 * read it.
 * @throws DomainError UPLOAD_NOT_FOUND when it was abandoned in the meantime, FILE_REFUSED for bytes
 *   that were taken down: nothing is kept of them
 */
export async function finishUpload(
  { db, store, hashes, scans, now }: FinishContext,
  upload: StoredFile,
): Promise<StoredFile> {
  if (upload.finished_at !== null) return upload;
  const { blob, size_bytes } = upload;
  await store.makeDurable(blob);
  let sums = hashes.end(blob, size_bytes);
  if (sums === null && size_bytes <= READ_BACK_BYTES) sums = await sumBlob(store, blob);
  await requireUnblocked(db, sums ? [sums] : []).catch(async (error: unknown) => {
    await abandonUpload({ db, store }, blob);
    throw error;
  });
  const media_type = await sniffBlob(store, blob);
  const finishedAt = now();
  const checked_at = sums === null || scans ? null : finishedAt;
  const file = await transaction(db, async (trx) => {
    const finished = await trx
      .updateTable('file')
      .set({ finished_at: finishedAt, ...sums, checked_at, media_type })
      .where('blob', '=', blob)
      .where('finished_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (finished && (checked_at === null || lacksFacts(finished))) {
      await enqueue(trx, 'check-file', { blob }, finishedAt);
    }
    return finished ?? findFinished(trx, blob);
  });
  return file;
}

async function findFinished(db: Database, blob: string): Promise<StoredFile> {
  const file = await db.selectFrom('file').selectAll().where('blob', '=', blob).executeTakeFirst();
  if (file) return file;
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
  const finished = db
    .selectFrom('file')
    .select('key')
    .where('blob', '=', blob)
    .where('finished_at', 'is not', null);
  if (await isThere(finished)) {
    throw new DomainError('FORBIDDEN', 'A finished upload cannot be deleted.');
  }
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
