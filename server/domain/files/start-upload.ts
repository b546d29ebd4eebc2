import { randomBytes } from 'node:crypto';
import { STORAGE_PREFIX } from '../../../contract/limits.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';
import { admitUpload } from './admit-upload.ts';
import type { FileStore } from './file-store.ts';
import { refuseOverQuota } from './refuse-over-quota.ts';
import { reserveLinkId } from './reserve-link-id.ts';
import { sanitizeFileName } from './sanitize-file-name.ts';
import type { StoredFile } from './tables.ts';
import { validateFileSize } from './validate-file-size.ts';

export interface UploadInput {
  ownerId: string;
  /** The link id the client chose; null for a new one. */
  linkId: string | null;
  fileName: string;
  mediaType: string;
  sizeBytes: number;
}

export interface UploadBounds {
  maxFileBytes: number;
  /** Of all files of an account, uploads that are open included. */
  accountQuotaBytes: number;
}

/**
 * Opens an upload: reserves the link id, the key and the room before a byte is read.
 * @throws DomainError FILE_EMPTY, FILE_TOO_LARGE, STORAGE_FULL, QUOTA_EXCEEDED,
 *   TOO_MANY_OPEN_UPLOADS, INVALID_LINK_ID, LINK_ID_TAKEN, KEY_TAKEN
 */
export async function startUpload(
  db: Database,
  store: Pick<FileStore, 'measureSpace' | 'sizeOf' | 'changedAt'>,
  input: UploadInput,
  { maxFileBytes, accountQuotaBytes }: UploadBounds,
  now: number,
): Promise<StoredFile> {
  validateFileSize(input.sizeBytes, maxFileBytes);
  const open = async (transaction: Database) => {
    await refuseOverQuota(transaction, input, accountQuotaBytes);
    return insertUpload(transaction, input, now);
  };
  return admitUpload(db, store, open, now);
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
