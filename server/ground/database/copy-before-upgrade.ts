import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { isFull } from '../lib/cannot-store.ts';
import { findPendingMigrations, MIGRATIONS } from './migrate.ts';
import type { Database } from './tables.ts';

/** An earlier one is from an upgrade that has long proved itself. */
const KEPT_COPIES = 2;
const COPY = /^padlink-before-\d+\.sqlite$/;

/**
 * Copies a SQLite database that is about to be upgraded, beside it: an older version can be gone
 * back to with the copy. It is on the disk when this resolves.
 * @param migrations the product's, or with later ones
 * @returns the copy's path; null where there is nothing to upgrade
 * @throws Error that says how much room to make, with nothing changed
 */
export async function copyBeforeUpgrade(
  db: Database,
  file: string,
  migrations = MIGRATIONS,
): Promise<string | null> {
  const [next] = await findPendingMigrations(db, migrations);
  if (!next) return null;
  const folder = dirname(file);
  const copy = join(folder, `padlink-before-${Number.parseInt(next, 10)}.sqlite`);
  const draft = `${copy}.draft`;
  await requireRoom(db, folder);
  try {
    rmSync(draft, { force: true });
    await sql`vacuum into ${draft}`.execute(db);
    syncToDisk(draft);
    // Another copy made before the same migration is of an upgrade that never happened.
    renameSync(draft, copy);
    syncToDisk(folder);
  } catch (error) {
    rmSync(draft, { force: true });
    throw isFull(error) ? noRoom(folder, error) : error;
  }
  const copies = readdirSync(folder).filter((name) => COPY.test(name));
  for (const name of copies.toSorted().slice(0, -KEPT_COPIES)) rmSync(join(folder, name));
  return copy;
}

async function requireRoom(db: Database, folder: string): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`
    select (page_count - freelist_count) * page_size as bytes
    from pragma_page_count, pragma_freelist_count, pragma_page_size`.execute(db);
  const { bavail, bsize } = statfsSync(folder);
  const missing = (rows[0]?.bytes ?? 0) - bavail * bsize;
  if (missing > 0) throw noRoom(folder, undefined, missing);
}

function noRoom(folder: string, cause: unknown, missingBytes = 0): Error {
  const more = missingBytes ? ` ${Math.ceil(missingBytes / 1024 ** 2)} MiB more are needed.` : '';
  return new Error(
    `There is no room in ${folder} for a copy of the database, which is made before each upgrade.${more} Nothing was changed. Free some space, and start again.`,
    { cause },
  );
}

function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
