import { fact } from '../../../contract/fact.ts';
import { MAX_FILES_PER_LINK } from '../../../contract/limits.ts';
import { TEXTS } from '../../../contract/texts.ts';
import { requireUnblocked } from '../../files/check-file.ts';
import type { StoredFile } from '../../files/tables.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, DatabaseTransaction } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { partsOfVersion, requireParts } from './bundles.ts';
import { filesOfVersion, findUrl } from './queries.ts';
import type { Link, LinkType } from './tables.ts';
import { validateTargetUrl } from './validate.ts';

export interface ContentInput {
  key?: string | null;
  url?: string | null;
  files?: string[] | null;
  /** Of a bundle: ids of its owner's links. */
  parts?: string[] | null;
}

export interface LinkContent {
  columns: Pick<Link, 'key' | 'url' | 'size_bytes' | 'media_type'>;
  files: StoredFile[];
  /** Ids of links. */
  parts: string[];
}

const TYPES: LinkType[] = ['file', 'link', 'bundle'];
const NO_FILE = { key: null, size_bytes: null, media_type: null };

/**
 * What a link sells, checked against its type.
 * @throws DomainError INVALID_PAYWALL_DATA when type and key or url do not fit together,
 *   INVALID_KEY, INVALID_URL or INVALID_PARTS when the content itself is refused.
 */
export async function resolveContent(
  db: Database,
  ownerId: string,
  type: LinkType,
  input: ContentInput,
): Promise<LinkContent> {
  const keys = input.files ?? (input.key ? [input.key] : []);
  const given = { file: keys.length > 0, link: Boolean(input.url), bundle: Boolean(input.parts) };
  const fits = TYPES.every((one) => given[one] === (one === type));
  if (!fits || (input.key && input.key !== keys[0])) {
    throw new DomainError('INVALID_PAYWALL_DATA', TEXTS.invalidPaywallData);
  }
  if (type === 'link') {
    const url = validateTargetUrl(input.url ?? '');
    return { columns: { ...NO_FILE, url }, files: [], parts: [] };
  }
  if (type === 'bundle') {
    const parts = await requireParts(db, ownerId, input.parts ?? []);
    return { columns: { ...NO_FILE, url: null }, files: [], parts };
  }
  const files = await findSellableFiles(db, ownerId, keys);
  const [first] = files;
  const size = files.reduce((sum, file) => sum + file.size_bytes, 0);
  return {
    columns: { key: first.key, url: null, size_bytes: size, media_type: first.media_type },
    files,
    parts: [],
  };
}

/**
 * Puts content on sale as the next version of a link whose row this transaction has locked, unless
 * it is what the link sells already.
 * @returns the link, with the version that is on sale
 */
export async function replaceContent(
  trx: DatabaseTransaction,
  link: Link,
  content: LinkContent,
  now: number,
): Promise<Link> {
  const held = await filesOfVersion(trx, link.id, link.content_version);
  const parts =
    link.type === 'bundle' ? await partsOfVersion(trx, link.id, link.content_version) : [];
  const isSame =
    content.columns.url === link.url &&
    content.files.length === held.length &&
    content.files.every(({ key }, position) => key === held[position]?.key) &&
    content.parts.join() === parts.map(({ id }) => id).join();
  if (isSame) return link;
  const replaced = await trx
    .updateTable('link')
    .set({ ...content.columns, content_version: link.content_version + 1 })
    .where('id', '=', link.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await addVersion(trx, replaced, content, now);
  return replaced;
}

/** Writes down what a link sells from now on, by the number that it has as its version. */
export async function addVersion(
  trx: DatabaseTransaction,
  { id: link_id, content_version: number, url }: Link,
  { files, parts }: Pick<LinkContent, 'files' | 'parts'>,
  now: number,
): Promise<void> {
  await insertVersion(trx, link_id, number, url, now);
  const placeOf = (position: number) => ({ link_id, version: number, position });
  if (parts.length > 0) {
    const rows = parts.map((part_id, position) => ({ ...placeOf(position), part_id }));
    await trx.insertInto('link_part').values(rows).execute();
  }
  if (files.length === 0) return;
  const rows = files.map(({ key }, position) => ({ ...placeOf(position), file_key: key }));
  await trx.insertInto('link_file').values(rows).execute();
}

const insertVersion = prepare(
  (db, link_id: string, number: number, url: string | null, created_at: number) =>
    db
      .insertInto('link_version')
      .values({ link_id, number, url, created_at, files_deleted_at: null }),
);

/**
 * What is put on sale when a version of a link is sold again.
 * @throws DomainError NOT_FOUND for one that the link never had, FILE_DELETED
 */
export async function readContent(db: Database, link: Link, number: number): Promise<ContentInput> {
  if (number < 1 || number > link.content_version) {
    throw new DomainError('NOT_FOUND', 'This link has no such version.');
  }
  await requireWholeVersion(db, link.id, number);
  if (link.type === 'link') return { url: await findUrl(db, link, number) };
  if (link.type === 'bundle') {
    const parts = await partsOfVersion(db, link.id, number);
    return { parts: parts.map(({ id }) => id) };
  }
  const files = await filesOfVersion(db, link.id, number);
  return { files: files.map(({ key }) => key) };
}

/** @throws DomainError FILE_DELETED when a file of the version was deleted */
export async function requireWholeVersion(
  db: Database,
  linkId: string,
  number: number,
): Promise<void> {
  const whole = await db
    .selectFrom('link_version')
    .where('link_id', '=', linkId)
    .where('number', '=', number)
    .where('files_deleted_at', 'is', null)
    .select('number')
    .executeTakeFirst();
  if (whole) return;
  throw new DomainError(
    'FILE_DELETED',
    fact('A file of version {number} was deleted, so it cannot be sold again. Upload it again.', {
      number,
    }),
  );
}

/**
 * The finished uploads behind the keys, in their order.
 * @throws DomainError INVALID_KEY when one is unknown, unfinished or another creator's, FILE_REFUSED
 *   when its bytes were taken down.
 */
async function findSellableFiles(
  db: Database,
  ownerId: string,
  keys: string[],
): Promise<[StoredFile, ...StoredFile[]]> {
  if (keys.length > MAX_FILES_PER_LINK || new Set(keys).size < keys.length) {
    throw new DomainError(
      'INVALID_KEY',
      fact('A link must sell 1 to {limit} different files.', { limit: MAX_FILES_PER_LINK }),
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
    throw new DomainError(
      'INVALID_KEY',
      fact("You have no finished upload with the key '{key}'.", { key }),
    );
  });
  await requireUnblocked(db, files);
  return files as [StoredFile, ...StoredFile[]];
}
