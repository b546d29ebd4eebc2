import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { cutCharacters } from '../../../contract/characters.ts';
import { putIntoEnglish } from '../../../contract/fact.ts';
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_FILES_PER_LINK,
  MAX_TITLE_LENGTH,
} from '../../../contract/limits.ts';
import {
  checkFileSize,
  type PriceTerms,
  tidyDescription,
  tidyTitle,
} from '../../../contract/link-rules.ts';
import { formatCents } from '../../../contract/money.ts';
import { createLink } from '../../catalog/links/create-link.ts';
import { isOffered } from '../../catalog/links/queries.ts';
import { keepDetails, validatePrice, validateTargetUrl } from '../../catalog/links/validate.ts';
import { deleteFile } from '../../delivery/downloads/delete-file.ts';
import {
  abandonUpload,
  abandonWhenFull,
  appendToUpload,
  finishUpload,
  UploadHashes,
} from '../../files/append-to-upload.ts';
import { sumBlob } from '../../files/check-file.ts';
import type { FileStore } from '../../files/file-store.ts';
import {
  keyOf,
  sanitizeFilePath,
  startUpload,
  type UploadLimits,
} from '../../files/start-upload.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { BackupRefused } from '../backup/backup-refused.ts';
import type { ContentFinder, FoundFile } from './find-content.ts';
import type { Source } from './read-sale.ts';
import type { Product } from './read-shop.ts';
import { foldName } from './read-values.ts';

export interface LinkingContext extends DatabaseContext, PriceTerms, UploadLimits {
  store: FileStore;
  quotaLinks: number | null;
  /** Whether there is a malware scanner. */
  scans: boolean;
}

interface Input {
  source: Source;
  ownerId: string;
  product: Product;
  content: ContentFinder;
  /** Writes nothing. */
  isDry: boolean;
}

/** What became of a product. */
export type Linked =
  /** With its price in cents, the names of what it sells, and what is not as it was. */
  | { kind: 'created'; linkId: string; price: number; sells: string[]; says: string[] }
  | { kind: 'known'; linkId: string }
  /** With what is looked for. */
  | { kind: 'waiting'; says: string }
  /** With the reason, as sentences. */
  | { kind: 'refused'; says: string }
  /** Only sales name it. */
  | { kind: 'unlisted' };

/**
 * Puts a product on sale, unless an earlier import did. What its seller made of the link since stays.
 * @throws BackupRefused where a file changes while it is read
 */
export async function ensureLink(context: LinkingContext, input: Input): Promise<Linked> {
  const { product, source, ownerId, content } = input;
  if (product.fault !== null) return { kind: 'refused', says: product.fault };
  const { id, link } = await findPlace(context.db, source, ownerId, product.names);
  if (link) {
    if (isOffered(link)) return { kind: 'known', linkId: id };
    return {
      kind: 'refused',
      says: `It was imported as the link ${id}, which was deleted or taken down since.`,
    };
  }
  if (product.isUnlisted && source === 'csv') return { kind: 'unlisted' };
  if (product.cents === null) {
    return {
      kind: 'refused',
      says: 'None of its sales cost anything, so that its price is not known: list it in a table of products.',
    };
  }
  if (product.cents === 0 && product.isPaid) {
    return {
      kind: 'refused',
      says: 'It is listed at 0, but its sales were paid for: give its price in the table of products.',
    };
  }
  const files = product.url === '' ? content.find(product) : [];
  if (files.length === 0 && product.url === '') {
    return { kind: 'waiting', says: content.describe(product) };
  }
  if (files.length > MAX_FILES_PER_LINK) {
    return {
      kind: 'refused',
      says: `It has ${files.length} files, and a link sells ${MAX_FILES_PER_LINK} at most: pack them into one.`,
    };
  }
  try {
    const { details, says } = describeLink(product, product.cents, context);
    await checkContent(product.url, files, context);
    if (!input.isDry) await makeLink(context, { id, ownerId, files, url: product.url, details });
    const sells = product.url === '' ? files.map(({ name }) => name) : [product.url];
    return { kind: 'created', linkId: id, price: details.price, sells, says };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { kind: 'refused', says: error.message };
  }
}

/**
 * The id of a product's link follows from its name: a second import, or one that was interrupted, finds
 * what the first one made. Where somebody else has that id, the next one that follows is taken.
 */
async function findPlace(db: Database, source: Source, ownerId: string, names: string[]) {
  let free: string | undefined;
  for (const name of names) {
    for (let attempt = 0; ; attempt += 1) {
      const said = JSON.stringify([source, ownerId, foldName(name), attempt]);
      const id = createHash('sha256').update(said).digest('hex').slice(0, 8);
      const taken = await db
        .selectFrom('link_id')
        .leftJoin('link', 'link.id', 'link_id.id')
        .where('link_id.id', '=', id)
        .select(['link_id.owner_id', 'link.created_at', 'link.deleted_at', 'link.taken_down_at'])
        .executeTakeFirst();
      if (taken && taken.owner_id !== ownerId) continue;
      if (taken && taken.created_at !== null) return { id, link: taken };
      free ??= id;
      break;
    }
  }
  return { id: free ?? '', link: null };
}

/** @throws DomainError INVALID_PRICE, INVALID_TITLE, INVALID_DESCRIPTION */
function describeLink(product: Product, cents: number, terms: PriceTerms) {
  const title = tidyTitle(product.title);
  const description = tidyDescription(product.description);
  const price = Math.max(cents, terms.minimumPriceCents);
  validatePrice(price, terms);
  const details = {
    title: cutCharacters(title, MAX_TITLE_LENGTH).trim(),
    description: cutCharacters(description, MAX_DESCRIPTION_LENGTH).trim(),
    price,
    unlocked: cents === 0,
  };
  keepDetails(details);
  const says = [
    cents === 0 && 'it cost nothing, and is free for everyone',
    cents > 0 && price > cents && `its price of $${formatCents(cents)} was raised to the minimum`,
    product.isUnlisted && 'its price is that of its latest sale: see whether it is right',
    details.title !== title && 'its title was shortened',
    details.description !== description && 'its description was shortened',
  ];
  return { details, says: says.filter((one) => one !== false) };
}

/** @throws DomainError INVALID_URL, FILE_TOO_LARGE also for an empty file */
async function checkContent(
  url: string,
  files: FoundFile[],
  { maxFileBytes }: UploadLimits,
): Promise<void> {
  if (url !== '') validateTargetUrl(url);
  for (const { path } of files) {
    const fault = checkFileSize((await stat(path)).size, maxFileBytes);
    if (fault) throw new DomainError('FILE_TOO_LARGE', `${path}: ${putIntoEnglish(fault)}`);
  }
}

interface NewLink {
  id: string;
  ownerId: string;
  files: FoundFile[];
  url: string;
  details: ReturnType<typeof describeLink>['details'];
}

async function makeLink(
  context: LinkingContext,
  { id, ownerId, files, url, details }: NewLink,
): Promise<void> {
  const keys: string[] = [];
  for (const file of files) keys.push(await upload(context, { ownerId, linkId: id, file }));
  const content = url === '' ? { type: 'file', files: keys } : { type: 'link', url };
  await createLink(context, { ownerId, id, ...content, ...details });
}

/** @returns its key */
async function upload(
  context: LinkingContext,
  { ownerId, linkId, file }: { ownerId: string; linkId: string; file: FoundFile },
): Promise<string> {
  const { db, store } = context;
  const key = keyOf(linkId, sanitizeFilePath(file.name));
  // Of an import that was interrupted: the file may have been replaced since.
  const earlier = await db
    .selectFrom('file')
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .select(['blob', 'sha256', 'finished_at'])
    .executeTakeFirst();
  if (earlier?.finished_at === null) await abandonUpload(context, earlier.blob);
  else if (earlier) {
    const sha256 = earlier.sha256 ?? (await sumBlob(store, earlier.blob)).sha256;
    if (sha256 === (await hashFile(file.path))) return key;
    await deleteFile(context, { key, ownerId });
  }
  const { size } = await stat(file.path);
  const opened = await startUpload(context, {
    ownerId,
    linkId,
    fileName: file.name,
    mediaType: 'application/octet-stream',
    sizeBytes: size,
  });
  const receiving = { ...context, hashes: new UploadHashes() };
  await abandonWhenFull(context, opened.blob, async () => {
    const end = await appendToUpload(receiving, opened, 0, readBatches(file.path));
    if (end < size) throw new BackupRefused(`${file.path} changed while it was read.`);
    await finishUpload(receiving, opened);
  });
  return key;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunks of readBatches(path)) for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

async function* readBatches(path: string): AsyncGenerator<Uint8Array[]> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) yield [chunk];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BackupRefused(`${path} cannot be read (${code}).`, { cause: error });
  }
}
