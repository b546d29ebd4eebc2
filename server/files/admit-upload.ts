import { sql } from 'kysely';
import { texts } from '../../contract/fact.ts';
import type { UploadRoom } from '../../contract/page-context.ts';
import { dialectOf } from '../ground/database/dialect.ts';
import type { Database, DatabaseContext } from '../ground/database/tables.ts';
import { transaction } from '../ground/database/transaction.ts';
import { isFull } from '../ground/lib/cannot-store.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import type { FileStore } from './file-store.ts';
import { readUsage } from './queries.ts';
import { findOwnQuota } from './quota.ts';
import type { StoredFile } from './tables.ts';

/**
 * How long room is reserved for an upload after it last made progress: an announcement alone
 * reserves nothing for long.
 */
export const ROOM_KEPT_FOR_MS = 10 * 60 * 1000;

/** Any number that no other user of PostgreSQL's advisory locks takes. */
const ADMISSION_LOCK = 7_203_114;

type MeasuringStore = Pick<FileStore, 'measureSpace' | 'sizeOf' | 'changedAt'>;

export interface AdmissionContext extends DatabaseContext {
  store: MeasuringStore;
}

/**
 * Writes an upload's row, with the current time as its `created_at`, and reserves room for the rest
 * of it; without room, the row stays as it was.
 * @throws DomainError STORAGE_FULL, and whatever `write` throws
 */
export async function admitUpload(
  { db, store, now }: AdmissionContext,
  write: (trx: Database, createdAt: number) => Promise<StoredFile>,
): Promise<StoredFile> {
  const createdAt = now();
  const since = createdAt - ROOM_KEPT_FOR_MS;
  // Where there is always room, nobody asks a store over the network for each open upload.
  const isBounded = Number.isFinite(await measureRoom(store));
  // Read before the free room: bytes that arrive in between are counted twice rather than not at
  // all.
  const measured = isBounded ? await measureOpenUploads(db, store) : new Map<string, Measured>();
  return refuseWhenFull(
    transaction(db, async (trx) => {
      // One at a time from here on, as on SQLite: none misses what another one reserves.
      if (dialectOf(trx) === 'postgres') {
        await sql`select pg_advisory_xact_lock(${ADMISSION_LOCK})`.execute(trx);
      }
      const upload = await write(trx, createdAt);
      if (!isBounded) return upload;
      const open = await listOpenUploads(trx);
      const room = await measureRoom(store);
      let toCome = 0;
      for (const { blob, size_bytes, created_at } of open) {
        const { bytes = 0, changedAt = 0 } = measured.get(blob) ?? {};
        if (Math.max(created_at, changedAt) > since) toCome += size_bytes - bytes;
      }
      if (toCome <= room) return upload;
      const ownRest = upload.size_bytes - (measured.get(upload.blob)?.bytes ?? 0);
      const words = measured.has(upload.blob) ? NO_ROOM_TO_GO_ON : NO_ROOM;
      throw new DomainError('STORAGE_FULL', ownRest <= room ? words.besideOthers : words.alone);
    }),
  );
}

/**
 * Reserves room again for an unfinished upload that resumes after a pause.
 * @throws DomainError STORAGE_FULL if there is none now, UPLOAD_NOT_FOUND
 */
export async function readmitUpload(
  context: AdmissionContext,
  { blob, created_at }: StoredFile,
): Promise<void> {
  const movedAt = Math.max(created_at, (await context.store.changedAt(blob)) ?? 0);
  if (movedAt > context.now() - ROOM_KEPT_FOR_MS) return;
  await admitUpload(context, async (trx, createdAt) => {
    const upload = await trx
      .updateTable('file')
      .set({ created_at: createdAt })
      .where('blob', '=', blob)
      .where('finished_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (upload) return upload;
    throw new DomainError('UPLOAD_NOT_FOUND', 'This upload does not exist.');
  });
}

const NO_ROOM = texts({
  alone: 'The server does not have enough space for a file of this size. Please try again later.',
  besideOthers:
    'The server does not have enough space for a file of this size beside the uploads in progress. Please try again later.',
});
const NO_ROOM_TO_GO_ON = texts({
  alone:
    'The server does not have enough space for the rest of this file. What has been uploaded is kept: please continue the upload later.',
  besideOthers:
    'The server does not have enough space for the rest of this file beside the uploads in progress. What has been uploaded is kept: please continue the upload later.',
});

interface Measured {
  bytes: number;
  /** UTC milliseconds. */
  changedAt: number;
}

/** How much of every open upload is on the disk, and when it last grew, by its blob. */
async function measureOpenUploads(
  db: Database,
  store: MeasuringStore,
): Promise<Map<string, Measured>> {
  const open = await listOpenUploads(db);
  const measured = await Promise.all(
    open.map(async ({ blob }) => {
      const [bytes, changedAt] = await Promise.all([store.sizeOf(blob), store.changedAt(blob)]);
      return [blob, { bytes: bytes ?? 0, changedAt: changedAt ?? 0 }] as const;
    }),
  );
  return new Map(measured);
}

const listOpenUploads = (db: Database) =>
  db
    .selectFrom('file')
    .select(['blob', 'size_bytes', 'created_at'])
    .where('finished_at', 'is', null)
    .execute();

/**
 * Stays free of files, because a database without room on the same disk can neither sell nor sign
 * anyone in: this percentage of the disk, and at most this many bytes, unless the operator has set
 * another figure.
 */
export const FLOOR_PERCENT = 5;
export const FLOOR_BYTES = 256 * 1024 ** 2;

/** How many bytes of files the disk can still take; negative once the floor is reached. */
export async function measureRoom(store: Pick<FileStore, 'measureSpace'>): Promise<number> {
  const { free, total, minFree = null } = await store.measureSpace();
  if (minFree !== null) return free - minFree;
  return free - Math.min((total * FLOOR_PERCENT) / 100, FLOOR_BYTES);
}

/** What an account may still upload: as its quota allows and the disk can take. */
export async function readRoom(
  { db, store, accountQuotaBytes }: Omit<AdmissionContext, 'now'> & { accountQuotaBytes: number },
  userId: string,
): Promise<UploadRoom> {
  const { usedBytes } = await readUsage(db, userId);
  const quotaBytes = (await findOwnQuota(db, userId))?.bytes ?? accountQuotaBytes;
  const left = quotaBytes - usedBytes;
  const room = await measureRoom(store);
  return { bytes: Math.max(0, Math.min(left, room)), isQuota: left < room };
}

/** @throws DomainError STORAGE_FULL with this message if the disk cannot take that many bytes */
export async function requireRoom(
  store: Pick<FileStore, 'measureSpace'>,
  bytes: number,
  message: string,
): Promise<void> {
  if ((await measureRoom(store)) < bytes) throw new DomainError('STORAGE_FULL', message);
}

/**
 * The database usually shares the disk with the files.
 * @throws DomainError STORAGE_FULL in place of what the disk or the database says when full
 */
export async function refuseWhenFull<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!isFull(error)) throw error;
    const message = 'The server does not have enough space for this file.';
    throw new DomainError('STORAGE_FULL', message, { cause: error });
  }
}
