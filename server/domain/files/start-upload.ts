import { randomBytes } from 'node:crypto';
import { STORAGE_PREFIX } from '../../../contract/limits.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';
import type { FileStore } from './file-store.ts';
import { refuseWhenFull } from './refuse-when-full.ts';
import { reserveLinkId } from './reserve-link-id.ts';
import { sanitizeFileName } from './sanitize-file-name.ts';
import type { StoredFile } from './tables.ts';
import { validateFileSize } from './validate-file-size.ts';

/** Stays free of uploads: without room for the database nothing can be sold. */
const HEADROOM_BYTES = 64 * 1024 * 1024;

export interface UploadInput {
  ownerId: string;
  /** The link id the client chose; null for a new one. */
  linkId: string | null;
  fileName: string;
  mediaType: string;
  sizeBytes: number;
}

/**
 * Opens an upload: reserves the link id and the key before a byte is read.
 * @throws DomainError FILE_EMPTY, FILE_TOO_LARGE, STORAGE_FULL, INVALID_LINK_ID, LINK_ID_TAKEN,
 *   KEY_TAKEN
 */
export async function startUpload(
  db: Database,
  store: Pick<FileStore, 'freeBytes'>,
  input: UploadInput,
  maxFileBytes: number,
  now: number,
): Promise<StoredFile> {
  validateFileSize(input.sizeBytes, maxFileBytes);
  if ((await store.freeBytes()) - HEADROOM_BYTES < input.sizeBytes) {
    throw new DomainError('STORAGE_FULL', 'The server has no room for a file of this size.');
  }
  return refuseWhenFull(
    db.transaction().execute((transaction) => insertUpload(transaction, input, now)),
  );
}

async function insertUpload(db: Database, input: UploadInput, now: number): Promise<StoredFile> {
  const { ownerId } = input;
  const linkId = await reserveLinkId(db, { ownerId, id: input.linkId }, now);
  const name = sanitizeFileName(input.fileName);
  const file = await db
    .insertInto('file')
    .values({
      key: `${STORAGE_PREFIX}${linkId}-${name}`,
      blob: randomBytes(16).toString('hex'),
      owner_id: ownerId,
      link_id: linkId,
      name,
      size_bytes: input.sizeBytes,
      media_type: input.mediaType,
      created_at: now,
      finished_at: null,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (file) return file;
  throw new DomainError('KEY_TAKEN', `The link '${linkId}' already has a file named '${name}'.`);
}
