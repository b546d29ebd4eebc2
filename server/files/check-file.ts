import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Fact, fact, putIntoEnglish, readFact } from '../../contract/fact.ts';
import { describePending } from '../../contract/texts.ts';
import type { Database, DatabaseContext } from '../ground/database/tables.ts';
import { announce, transaction } from '../ground/database/transaction.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import { enqueue } from '../ground/outbox/jobs.ts';
import { BLOCKED, isBlocked } from './blocked-files.ts';
import { mayHaveFacts, type ReadFacts } from './file-facts.ts';
import { type BlobReader, type FileStore, findDamage } from './file-store.ts';
import { describeVerdict, type OpenScan, type Scan, ScannerDownError } from './malware-scan.ts';
import { readChunks, withReader } from './read-blob.ts';
import { SNIFFED_BYTES, sniffMediaType } from './sniff-media-type.ts';
import type { StoredFile } from './tables.ts';

export interface CheckContext extends DatabaseContext {
  store: Pick<FileStore, 'openForReading' | 'sizeOf'>;
  /** Null where there is no scanner. */
  openScan: OpenScan | null;
  readFacts: ReadFacts;
}

type Findings = Pick<StoredFile, 'sha256' | 'crc32' | 'media_type' | 'refused_because' | 'facts'>;

/**
 * Reads a finished file and writes down what it found: from then on it may be sold, or never.
 * Repeating it is harmless, and so is a file that is gone.
 * @throws ScannerDownError, Error when its bytes are missing or incomplete, and whatever the store
 * says
 */
export async function checkFile(context: CheckContext, blob: string): Promise<void> {
  const { db, store, now } = context;
  const file = await db
    .selectFrom('file')
    .selectAll()
    .where('blob', '=', blob)
    .where('finished_at', 'is not', null)
    .executeTakeFirst();
  if (!file) return;
  const isUnread = file.sha256 === null || file.crc32 === null || file.checked_at === null;
  if (!isUnread && !lacksFacts(file)) return;
  const damage = await findDamage(store, file);
  if (damage) throw new Error(`The blob ${blob} ${putIntoEnglish(damage)}`);
  await withReader(await store.openForReading(blob), async (reader) => {
    const read = isUnread ? await readAll(context, reader) : file;
    const found = lacksFacts(read) ? await context.readFacts(reader, { ...file, ...read }) : null;
    await write(db, file, { ...read, facts: found ? JSON.stringify(found) : file.facts }, now());
  });
}

export function lacksFacts({ facts, media_type }: Pick<StoredFile, 'facts' | 'media_type'>) {
  return facts === null && mayHaveFacts(media_type);
}

async function readAll({ openScan }: CheckContext, reader: BlobReader): Promise<Findings> {
  const media_type = sniffMediaType(await readHead(reader));
  const scan = openScan?.();
  try {
    const sums = await sumAll(reader, scan);
    const refused_because = scan ? describeVerdict(await scan.end()) : null;
    return { ...sums, media_type, refused_because, facts: null };
  } finally {
    scan?.abandon();
  }
}

async function write(
  db: Database,
  { key, blob, refused_because: before }: StoredFile,
  { sha256, crc32, media_type, facts, ...found }: Findings,
  checkedAt: number,
): Promise<void> {
  await transaction(db, async (trx) => {
    const isDown = sha256 !== null && (await isBlocked(trx, sha256));
    const refused_because = found.refused_because ?? (isDown ? BLOCKED : null);
    const { numUpdatedRows } = await trx
      .updateTable('file')
      .set({ sha256, crc32, media_type, refused_because, facts, checked_at: checkedAt })
      .where('key', '=', key)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    if (refused_because && !before) await enqueue(trx, 'send-file-refused', { blob }, checkedAt);
    await trx.updateTable('link').set({ media_type }).where('key', '=', key).execute();
    await tellLinks(trx, key);
  });
}

/** Every page of a link that sells the file, or sold it, is read anew. */
async function tellLinks(trx: Database, key: string): Promise<void> {
  const links = await trx
    .updateTable('link')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', 'in', trx.selectFrom('link_file').where('file_key', '=', key).select('link_id'))
    .returning(['id', 'owner_id'])
    .execute();
  for (const { id, owner_id: ownerId } of links)
    announce(trx, { kind: 'link-updated', id, ownerId });
}

/**
 * Checks the files that were uploaded before files were hashed, one after the other. They stay on
 * sale meanwhile.
 * @param onFault told of each that cannot be checked
 * @throws ScannerDownError
 */
export async function checkOldFiles(
  context: CheckContext,
  onFault: (error: unknown, file: StoredFile) => void,
): Promise<void> {
  for (let after = ''; ; ) {
    const file = await context.db
      .selectFrom('file')
      .selectAll()
      .where('finished_at', 'is not', null)
      .where('checked_at', 'is not', null)
      .where(({ eb, or }) => or([eb('sha256', 'is', null), eb('crc32', 'is', null)]))
      .where('key', '>', after)
      .orderBy('key')
      .limit(1)
      .executeTakeFirst();
    if (!file) return;
    await checkFile(context, file.blob).catch((error: unknown) => {
      if (error instanceof ScannerDownError) throw error;
      onFault(error, file);
    });
    after = file.key;
  }
}

type Readable = Pick<FileStore, 'openForReading'>;

/** @returns the media type that a blob's first bytes tell */
export async function sniffBlob(store: Readable, blob: string): Promise<string> {
  const reader = await store.openForReading(blob);
  return withReader(reader, async () => sniffMediaType(await readHead(reader)));
}

export async function sumBlob(store: Readable, blob: string): Promise<Sums> {
  return withReader(await store.openForReading(blob), (reader) => sumAll(reader));
}

async function readHead(reader: BlobReader): Promise<Uint8Array> {
  const head = new Uint8Array(SNIFFED_BYTES);
  return head.subarray(0, await reader.read(head, head.length, 0));
}

const READ_AT_ONCE_BYTES = 256 * 1024;

/** What bytes are recognized by. */
export interface Sums {
  /** In hexadecimal. */
  sha256: string;
  /** As ZIP archives have it. */
  crc32: number;
}

/** Takes in bytes one after the other. */
export class Summing {
  readonly #hash = createHash('sha256');
  #crc32 = 0;
  bytes = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#crc32 = crc32(chunk, this.#crc32);
    this.bytes += chunk.length;
  }

  end(): Sums {
    return { sha256: this.#hash.digest('hex'), crc32: this.#crc32 };
  }
}

async function sumAll(reader: BlobReader, scan?: Scan): Promise<Sums> {
  const summing = new Summing();
  for await (const chunk of readChunks(reader, READ_AT_ONCE_BYTES)) {
    summing.add(chunk);
    await scan?.add(chunk);
  }
  return summing.end();
}

/** What people are told of a refused file. @param because as it is kept of the file */
export function describeRefused(because: string): Fact {
  return fact('This file was refused because {because}. It is neither sold nor delivered.', {
    because: readFact(because),
  });
}

/**
 * What has not been checked, or was refused, is neither sold nor delivered.
 * @throws DomainError CONTENT_PENDING, FILE_REFUSED
 */
export function requireChecked(
  { checked_at, refused_because }: StoredFile,
  may: 'bought' | 'downloaded',
  linkId: string | null,
): void {
  if (refused_because !== null) {
    throw new DomainError('FILE_REFUSED', describeRefused(refused_because), { linkId });
  }
  if (checked_at === null) {
    throw new DomainError('CONTENT_PENDING', describePending(may), { linkId });
  }
}

/** @throws DomainError FILE_REFUSED for bytes that were taken down */
export async function requireUnblocked(
  db: Database,
  files: Pick<StoredFile, 'sha256'>[],
): Promise<void> {
  for (const { sha256 } of files) {
    if (sha256 !== null && (await isBlocked(db, sha256))) {
      throw new DomainError('FILE_REFUSED', describeRefused(BLOCKED));
    }
  }
}
