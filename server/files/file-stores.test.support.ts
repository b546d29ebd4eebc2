import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createDatabase } from '../../tests/harness/postgres.ts';
import { openDiskStore } from '../adapters/storage/disk-store.ts';
import { migrate } from '../ground/database/migrate.ts';
import { openPostgres } from '../ground/database/postgres.ts';
import { openSqlite } from '../ground/database/sqlite.ts';
import type { Database } from '../ground/database/tables.ts';
import { appendToUpload, finishUpload, UploadHashes } from './append-to-upload.ts';
import type { FileStore } from './file-store.ts';
import { startUpload, type UploadInput } from './start-upload.ts';
import type { StoredFile } from './tables.ts';

export interface FileStores {
  db: Database;
  store: FileStore;
  hashes: UploadHashes;
  scans: boolean;
  dataDir: string;
  close(): Promise<void>;
}

/** A fresh database and blob folder. */
export async function openFileStores(kind: 'sqlite' | 'postgres' = 'sqlite'): Promise<FileStores> {
  const dataDir = mkdtempSync(join(tmpdir(), 'padlink-files-'));
  const postgres = kind === 'postgres' ? await createDatabase() : null;
  const db = postgres
    ? openPostgres(postgres.url, { onLost: () => {} })
    : openSqlite(join(dataDir, 'padlink.sqlite'));
  await migrate(db);
  return {
    db,
    store: await openDiskStore(dataDir),
    hashes: new UploadHashes(),
    scans: false,
    dataDir,
    async close() {
      await db.destroy();
      await postgres?.drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** The same for all tests of the surrounding `describe`. */
export function useFileStores(kind?: 'sqlite' | 'postgres'): FileStores {
  const stores = {} as FileStores;
  beforeAll(async () => {
    Object.assign(stores, await openFileStores(kind));
  });
  afterAll(() => stores.close());
  return stores;
}

const LIMIT = 5 * 1024 ** 3;
export const BOUNDS = {
  maxFileBytes: LIMIT,
  accountQuotaBytes: 10 * LIMIT,
  quotaUploadsADay: null,
};

export function start(
  files: FileStores,
  input: Partial<UploadInput> = {},
  bounds = BOUNDS,
): Promise<StoredFile> {
  const upload = {
    ownerId: 'ada',
    linkId: null,
    fileName: 'a.txt',
    mediaType: 'text/plain',
    sizeBytes: 5,
    ...input,
  };
  return startUpload({ ...files, ...bounds, now: () => 1 }, upload);
}

export async function* batches(...texts: string[]) {
  for (const text of texts) yield [Buffer.from(text)];
}

export function append(files: FileStores, upload: StoredFile, offset: number, ...texts: string[]) {
  return appendToUpload(files, upload, offset, batches(...texts));
}

export async function finished(
  files: FileStores,
  input?: Partial<UploadInput>,
): Promise<StoredFile> {
  const upload = await start(files, input);
  await append(files, upload, 0, 'hello');
  return finishUpload({ ...files, now: () => 2 }, upload);
}

export async function rowsAndBlobs({ db, dataDir }: FileStores) {
  const rows = await db.selectFrom('file').select('blob').execute();
  return { rows: rows.map(({ blob }) => blob), blobs: await readdir(join(dataDir, 'blobs')) };
}
