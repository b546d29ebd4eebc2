import { MAX_FILES_PER_LINK } from '../../../contract/limits.ts';
import { DomainError } from '../domain-error.ts';
import type { StoredFile } from '../files/tables.ts';
import type { Database } from '../tables.ts';

/**
 * The finished uploads behind the keys, in their order.
 * @throws DomainError INVALID_KEY when one is unknown, unfinished or another creator's.
 */
export async function findSellableFiles(
  db: Database,
  ownerId: string,
  keys: string[],
): Promise<[StoredFile, ...StoredFile[]]> {
  if (keys.length > MAX_FILES_PER_LINK || new Set(keys).size < keys.length) {
    throw new DomainError(
      'INVALID_KEY',
      `A link sells 1 to ${MAX_FILES_PER_LINK} different files.`,
    );
  }
  const rows = await db
    .selectFrom('file')
    .selectAll()
    .where('key', 'in', keys)
    .where('owner_id', '=', ownerId)
    .where('finished_at', 'is not', null)
    .execute();
  const found = new Map(rows.map((row) => [row.key, row]));
  const files = keys.map((key) => {
    const file = found.get(key);
    if (file) return file;
    throw new DomainError('INVALID_KEY', `No finished upload of yours has the key '${key}'.`);
  });
  return files as [StoredFile, ...StoredFile[]];
}
