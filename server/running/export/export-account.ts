import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sumOwed } from '../../books/ledger/balance.ts';
import type { FileStore } from '../../files/file-store.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import { withSnapshot } from '../../ground/database/carry-rows.ts';
import { readInstallationId } from '../../ground/database/installation.ts';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { type BackupContext, copyBlob } from '../backup/back-up.ts';
import { BackupRefused } from '../backup/backup-refused.ts';
import { type ObjectFolder, openObjectFolder, type StoredObject } from '../backup/object-folder.ts';
import {
  type ExportManifest,
  FORMAT,
  LINES,
  type Line,
  type LineOf,
  MANIFEST,
  MANIFEST_DRAFT,
  OBJECTS,
  REMEDY,
  writeManifest,
} from './format.ts';
import {
  type FileRow,
  type Row,
  readDays,
  readDiscounts,
  readFiles,
  readLinks,
  readPage,
  readSales,
} from './read-account.ts';
import { requireFinal } from './require-final.ts';

interface Input {
  userId: string;
  /** Empty, or with an earlier export. */
  folder: string;
  /** Of the product. */
  version: string;
  /** The token of a grant's personal link. */
  signLink(grantId: string): string;
  /** Told of the bytes of each file that was copied. */
  onCopied(bytes: number): void;
}

const DRAFT = 'rows.ndjson';
const OWN_NAMES = [MANIFEST, MANIFEST_DRAFT, LINES, OBJECTS, DRAFT];

/**
 * Writes one moment of an account, and every file of it, into a folder. The manifest is written last:
 * without it, nothing there is an export.
 * @throws BackupRefused when something of the account could still be sold or returned, the folder
 * holds other things, or a file is missing or damaged
 */
export async function exportAccount(
  { db, store, now }: BackupContext,
  input: Input,
): Promise<ExportManifest> {
  const { userId, folder, version, onCopied } = input;
  await mkdir(join(folder, OBJECTS), { recursive: true, mode: 0o700 });
  const foreign = (await readdir(folder)).find((name) => !OWN_NAMES.includes(name));
  if (foreign !== undefined) {
    throw new BackupRefused(`${folder} contains other things. Name a folder for this account.`);
  }
  const exportedAt = now();
  const { installation, ...books } = await withSnapshot(db, (snapshot) =>
    writeDraft(snapshot, input, exportedAt),
  );
  if (installation === null || (await store.readOwner()) !== installation) {
    throw new BackupRefused(`The files in ${store.place} do not belong to this database.`);
  }
  await rm(join(folder, MANIFEST), { force: true });
  const objects = openObjectFolder(join(folder, OBJECTS), { remedy: REMEDY });
  await objects.begin();
  const complete = createCopier(objects, store, onCopied);
  const counts = { files: 0, file_bytes: 0, links: 0, sales: 0, lines: 0 };
  let account = { id: userId, email: '' };
  const lines = async function* (): AsyncGenerator<Line> {
    for await (const row of readRows(join(folder, DRAFT))) {
      counts.lines += 1;
      if (row.kind === 'account') account = { id: row.id, email: row.email };
      if (row.kind === 'sale') counts.sales += 1;
      if (row.kind === 'link') counts.links += 1;
      if (row.kind === 'file') {
        counts.files += 1;
        counts.file_bytes += row.size_bytes;
      }
      yield await complete(row);
    }
  };
  const written = await writeLines(join(folder, LINES), lines());
  await rm(join(folder, DRAFT));
  const manifest: ExportManifest = {
    padlink: 'account',
    format: FORMAT,
    version,
    installation,
    exported_at: new Date(exportedAt).toISOString(),
    account,
    ...books,
    ...counts,
    account_ndjson: written,
  };
  await writeManifest(folder, manifest);
  const subject = { kind: 'account', id: userId } as const;
  await transaction(db, (trx) =>
    recordAct(trx, { kind: 'cli' }, { act: 'account.exported', subject }, now()),
  );
  return manifest;
}

/** Writes what the database has of an account. @returns what of it the manifest tells */
async function writeDraft(
  snapshot: Database,
  { userId, folder, signLink }: Input,
  exportedAt: number,
) {
  const account = await readAccount(snapshot, userId);
  await requireFinal(snapshot, userId);
  const hashOfLink = (grantId: string) =>
    createHash('sha256').update(signLink(grantId)).digest('hex');
  const rows = async function* (): AsyncGenerator<Row> {
    yield account;
    yield* readFiles(snapshot, userId);
    yield* readLinks(snapshot, userId);
    yield* readPage(snapshot, userId);
    const codeOf = new Map<string, string>();
    for await (const { id, ...discount } of readDiscounts(snapshot, userId, exportedAt)) {
      codeOf.set(id, discount.code);
      yield discount;
    }
    yield* readSales(snapshot, userId, codeOf, hashOfLink);
    yield* readDays(snapshot, userId);
  };
  await writeLines(join(folder, DRAFT), rows());
  return {
    ...(await readBooks(snapshot, userId)),
    installation: await readInstallationId(snapshot),
  };
}

type Pictures = LineOf<'page'>['pictures'];

/** Copies the bytes that a row names, and completes it with their checksums. */
function createCopier(objects: ObjectFolder, store: FileStore, onCopied: Input['onCopied']) {
  const copy = async (blob: string): Promise<StoredObject | null> => {
    const stored = await copyBlob(objects, store, blob);
    if (stored) onCopied(stored.bytes);
    return stored;
  };
  const copyFile = async (row: FileRow): Promise<LineOf<'file'>> => {
    const known = row.sha256 && { sha256: row.sha256, bytes: row.size_bytes };
    const stored = known && (await objects.has(known)) ? known : await copy(row.blob);
    if (!stored) throw new BackupRefused(`“${row.key}” is missing in ${store.place}.`);
    if (stored.bytes !== row.size_bytes || (known && known.sha256 !== stored.sha256)) {
      throw new BackupRefused(
        `“${row.key}” is not as it was uploaded: ${store.place} has damaged it.`,
      );
    }
    return { ...row, sha256: stored.sha256 };
  };
  const copyPictures = async (...blobs: (string | null)[]): Promise<Pictures> => {
    const pictures: Pictures = [];
    for (const blob of blobs) {
      if (blob === null) continue;
      const stored = await copy(blob);
      if (!stored) throw new BackupRefused(`The blob ${blob} is missing in ${store.place}.`);
      pictures.push({ blob, ...stored });
    }
    return pictures;
  };
  return async (row: Row): Promise<Line> => {
    switch (row.kind) {
      case 'file':
        return copyFile(row);
      case 'link':
        return { ...row, pictures: await copyPictures(row.cover, row.preview_blob) };
      case 'page':
        return { ...row, pictures: await copyPictures(row.picture) };
      default:
        return row;
    }
  };
}

async function readAccount(db: Database, userId: string): Promise<LineOf<'account'>> {
  const user = await db
    .selectFrom('user')
    .leftJoin('seller', 'seller.owner_id', 'user.id')
    .leftJoin('notification_choice as choice', 'choice.owner_id', 'user.id')
    .where('user.id', '=', userId)
    .select(['user.email', 'user.emailVerified', 'user.firstName', 'user.createdAt', 'seller.name'])
    .select(['user.language', 'choice.sales', 'choice.weekly', 'choice.told_week'])
    .executeTakeFirst();
  if (!user?.emailVerified) {
    throw new BackupRefused('Only an account that exists, with a confirmed address, is exported.');
  }
  const browsers = await db
    .selectFrom('notified_browser')
    .where('owner_id', '=', userId)
    .orderBy('created_at')
    .select('created_at')
    .execute();
  const { sales, told_week } = user;
  const weekly = user.weekly === 1 ? 1 : 0;
  return {
    kind: 'account',
    id: userId,
    email: user.email,
    first_name: user.firstName,
    created_at: new Date(user.createdAt).getTime(),
    seller_name: user.name,
    language: user.language,
    notifications:
      sales === null && browsers.length === 0
        ? null
        : { sales: sales ?? 'each', weekly, told_week: told_week ?? 0, browsers },
  };
}

async function readBooks(db: Database, userId: string) {
  const sale = await db
    .selectFrom('purchase')
    .where('seller_id', '=', userId)
    .where('settled_at', 'is not', null)
    .select('mode')
    .limit(1)
    .executeTakeFirst();
  // Test and live never mix.
  return { mode: sale?.mode ?? null, owed_cents: await sumOwed(db, userId) };
}

async function writeLines(path: string, lines: AsyncIterable<object>): Promise<StoredObject> {
  const hash = createHash('sha256');
  let bytes = 0;
  await using file = await open(path, 'w', 0o600);
  for await (const line of lines) {
    const text = `${JSON.stringify(line)}\n`;
    hash.update(text);
    bytes += Buffer.byteLength(text);
    await file.writeFile(text);
  }
  await file.sync();
  return { sha256: hash.digest('hex'), bytes };
}

async function* readRows(path: string): AsyncGenerator<Row> {
  for await (const text of createInterface({ input: createReadStream(path) })) {
    yield JSON.parse(text);
  }
}
