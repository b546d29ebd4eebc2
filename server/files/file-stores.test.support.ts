import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createDatabase } from '../../tests/postgres.ts';
import { openDiskStore } from '../adapters/storage/disk-store.ts';
import { migrate } from '../database/migrate.ts';
import { openPostgres } from '../database/postgres.ts';
import { openSqlite } from '../database/sqlite.ts';
import type { Database } from '../database/tables.ts';
import type { FileStore } from './file-store.ts';

export interface FileStores {
  db: Database;
  store: FileStore;
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
