import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** A gigabyte takes a second: a larger database than this would hold up the start. */
const EXAMINED_BYTES = 256 * 1024 * 1024;

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set<unknown>([11, 26]);

/**
 * Looks at a database file before anything is written to it.
 * @param holdsBlobs whether files are there that only an earlier database can know
 * @throws Error that names the file and says how to restore it
 */
export async function examineSqlite(
  file: string,
  holdsBlobs: () => Promise<boolean>,
): Promise<void> {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (!size) {
    if (!(await holdsBlobs())) return;
    throw new Error(`${file} is ${size === 0 ? 'empty' : 'missing'}, but files that were uploaded are beside it. Nothing was changed. To go on:
- Kept in PostgreSQL until now? Set DATABASE_URL as it was.
- Lost? Restore the database from a backup: docs/backup.md.
- Beginning anew? Set DATA_DIR to another folder.`);
  }
  if (size > EXAMINED_BYTES) return;
  const fault = findFault(file);
  if (fault === null) return;
  throw new Error(
    `${file} is damaged (${fault}). Nothing was changed. Keep a copy of it, and restore the database from a backup: docs/backup.md`,
  );
}

function findFault(file: string): string | null {
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const found = String(database.prepare('PRAGMA quick_check(1)').get()?.quick_check);
    return found === 'ok' ? null : found.replaceAll('\n', ' ');
  } catch (error) {
    const { errcode, message } = error as { errcode?: number; message: string };
    if (!DAMAGED.has(errcode && errcode & 0xff)) throw error;
    return message;
  }
}
