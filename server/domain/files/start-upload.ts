import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { STORAGE_PREFIX } from '../../../contract/limits.ts';
import { dialectOf } from '../dialect.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';
import type { FileStore } from './file-store.ts';
import { refuseWhenFull } from './refuse-when-full.ts';
import { reserveLinkId } from './reserve-link-id.ts';
import { sanitizeFileName } from './sanitize-file-name.ts';
import type { StoredFile } from './tables.ts';
import { validateFileSize } from './validate-file-size.ts';

/** Stays free of uploads: a database without room on the same disk can sell nothing. */
const HEADROOM_BYTES = 64 * 1024 * 1024;

/** Any number that no other user of PostgreSQL's advisory locks takes. */
const ADMISSION_LOCK = 7_203_114;

export interface UploadInput {
  ownerId: string;
  /** The link id the client chose; null for a new one. */
  linkId: string | null;
  fileName: string;
  mediaType: string;
  sizeBytes: number;
}

/**
 * Opens an upload: reserves the link id, the key and the room before a byte is read.
 * @throws DomainError FILE_EMPTY, FILE_TOO_LARGE, STORAGE_FULL, INVALID_LINK_ID, LINK_ID_TAKEN,
 *   KEY_TAKEN
 */
export async function startUpload(
  db: Database,
  store: Pick<FileStore, 'freeBytes' | 'sizeOf'>,
  input: UploadInput,
  maxFileBytes: number,
  now: number,
): Promise<StoredFile> {
  validateFileSize(input.sizeBytes, maxFileBytes);
  // Looked at before the free room is: what comes meanwhile counts twice then, and never not at all.
  const stored = await measureOpenUploads(db, store);
  return refuseWhenFull(
    db.transaction().execute(async (transaction) => {
      const upload = await insertUpload(transaction, input, now);
      // One at a time from here on, as on SQLite since the insertion.
      if (dialectOf(transaction) === 'postgres') {
        await sql`select pg_advisory_xact_lock(${ADMISSION_LOCK})`.execute(transaction);
      }
      const open = await listOpenUploads(transaction);
      const room = (await store.freeBytes()) - HEADROOM_BYTES;
      let toCome = 0;
      for (const { blob, size_bytes } of open) toCome += size_bytes - (stored.get(blob) ?? 0);
      if (toCome <= room) return upload;
      const reason = input.sizeBytes <= room ? ' beside the uploads that are running' : '';
      const message = `The server has no room for a file of this size${reason}. Please try again later.`;
      throw new DomainError('STORAGE_FULL', message);
    }),
  );
}

/** How much of every running upload is on the disk, in bytes by its blob. */
async function measureOpenUploads(
  db: Database,
  store: Pick<FileStore, 'sizeOf'>,
): Promise<Map<string, number>> {
  const open = await listOpenUploads(db);
  const sizes = await Promise.all(
    open.map(async ({ blob }) => [blob, (await store.sizeOf(blob)) ?? 0] as const),
  );
  return new Map(sizes);
}

const listOpenUploads = (db: Database) =>
  db.selectFrom('file').select(['blob', 'size_bytes']).where('finished_at', 'is', null).execute();

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
