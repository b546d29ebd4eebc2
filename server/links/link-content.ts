import { MAX_FILES_PER_LINK } from '../../contract/limits.ts';
import { TEXTS } from '../../contract/texts.ts';
import type { Database } from '../database/tables.ts';
import type { StoredFile } from '../files/tables.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Link, LinkType } from './tables.ts';
import { validateTargetUrl } from './validate.ts';

export interface ContentInput {
  key?: string | null;
  url?: string | null;
  files?: string[] | null;
}

interface LinkContent {
  columns: Pick<Link, 'key' | 'url' | 'size_bytes' | 'media_type'>;
  files: StoredFile[];
}

/**
 * What a link sells, checked against its type.
 * @throws DomainError INVALID_PAYWALL_DATA when type and key or url do not fit together,
 *   INVALID_KEY or INVALID_URL when the content itself is refused.
 */
export async function resolveContent(
  db: Database,
  ownerId: string,
  type: LinkType,
  input: ContentInput,
): Promise<LinkContent> {
  const keys = input.files ?? (input.key ? [input.key] : []);
  const fits = type === 'file' ? keys.length > 0 && !input.url : keys.length === 0 && input.url;
  if (!fits || (input.key && input.key !== keys[0])) {
    throw new DomainError('INVALID_PAYWALL_DATA', TEXTS.invalidPaywallData);
  }
  if (type === 'link') {
    const url = validateTargetUrl(input.url ?? '');
    return { columns: { key: null, url, size_bytes: null, media_type: null }, files: [] };
  }
  const files = await findSellableFiles(db, ownerId, keys);
  const [first] = files;
  const size = files.reduce((sum, file) => sum + file.size_bytes, 0);
  return {
    columns: { key: first.key, url: null, size_bytes: size, media_type: first.media_type },
    files,
  };
}

/** Replaces the list of files that a link sells. */
export async function replaceLinkFiles(
  db: Database,
  linkId: string,
  files: StoredFile[],
): Promise<void> {
  await db.deleteFrom('link_file').where('link_id', '=', linkId).execute();
  await addLinkFiles(db, linkId, files);
}

/** Writes the list of files that a new link sells. */
export async function addLinkFiles(
  db: Database,
  linkId: string,
  files: StoredFile[],
): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map((file, position) => ({ link_id: linkId, position, file_key: file.key }));
  await db.insertInto('link_file').values(rows).execute();
}

/**
 * The finished uploads behind the keys, in their order.
 * @throws DomainError INVALID_KEY when one is unknown, unfinished or another creator's.
 */
async function findSellableFiles(
  db: Database,
  ownerId: string,
  keys: string[],
): Promise<[StoredFile, ...StoredFile[]]> {
  if (keys.length > MAX_FILES_PER_LINK || new Set(keys).size < keys.length) {
    throw new DomainError(
      'INVALID_KEY',
      `A link must sell 1 to ${MAX_FILES_PER_LINK} different files.`,
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
    throw new DomainError('INVALID_KEY', `You have no finished upload with the key '${key}'.`);
  });
  return files as [StoredFile, ...StoredFile[]];
}
