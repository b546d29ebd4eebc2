import { join } from 'node:path';
import type { PriceTerms } from '../../../contract/link-rules.ts';
import { putLinksBackOnSale } from '../../catalog/links/suspend-links.ts';
import type { FileStore } from '../../files/file-store.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import { readInstallationId } from '../../ground/database/installation.ts';
import type {
  Database,
  DatabaseContext,
  DatabaseTransaction,
} from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { isThere } from '../../ground/lib/is-there.ts';
import type { Mode } from '../../selling/purchases/tables.ts';
import { BackupRefused } from '../backup/backup-refused.ts';
import { openObjectFolder, readChecked } from '../backup/object-folder.ts';
import { restoreFile } from '../backup/restore.ts';
import { findTaken } from './find-taken.ts';
import {
  type ExportManifest,
  LINES,
  type Line,
  OBJECTS,
  objectsOf,
  REMEDY,
  readLines,
  readManifest,
} from './format.ts';
import type { AccountImport } from './tables.ts';
import { verifyLines } from './verify-lines.ts';
import { writeLines } from './write-lines.ts';

interface Context extends PriceTerms, DatabaseContext {
  store: FileStore;
  /** Of payments here. */
  mode: Mode;
  /** Whether files are scanned here: then imported ones are, before they are sold or delivered. */
  hasScanner: boolean;
}

interface Input {
  folder: string;
  /** Told of the bytes of each file that was compared with its checksum, and of each that was copied. */
  onRead(bytes: number): void;
}

interface Imported {
  manifest: ExportManifest;
  /** False where this export had been imported before. */
  isNew: boolean;
  /** What the address of the seller's page ended with, where somebody else has it here. */
  lostHandle: string | null;
}

const AT_ONCE = 100;

/**
 * Brings an exported account into this installation: its links go on sale once all else is there.
 * What was interrupted can be repeated, and nothing of it is done twice.
 * @throws BackupRefused before anything is written, when the export is damaged, speaks of things
 * that are not its account's, is of another version
 * or of payments that do not belong here, or when something of it is here already
 */
export async function importAccount(
  context: Context,
  { folder, onRead }: Input,
): Promise<Imported> {
  const { db, store, now, mode } = context;
  const { sha256, ...manifest } = await readManifest(folder);
  const ownerId = manifest.account.id;
  await requireOwnStore(db, store);
  if (manifest.mode !== null && manifest.mode !== mode) {
    throw new BackupRefused(
      `The sales of this account are ${manifest.mode} sales, and payments here are ${mode} ones: they never mix.`,
    );
  }
  const objects = openObjectFolder(join(folder, OBJECTS), { remedy: REMEDY });
  const text = readChecked(join(folder, LINES), manifest.account_ndjson, REMEDY);
  for await (const _chunk of text);
  let handle: string | null = null;
  for await (const line of verifyLines(readLines(folder), manifest.account, context)) {
    if (line.kind === 'page') handle = line.handle;
    for (const object of objectsOf(line)) {
      for await (const _chunk of objects.read(object));
      onRead(object.bytes);
    }
  }
  const begun = await begin(db, folder, { ...manifest, sha256 }, now());
  if (begun.finished_at !== null) return { manifest, isNew: false, lostHandle: null };
  const { imported_at: importedAt } = begun;
  let done = begun.lines_done;
  for await (const batch of batchesAfter(folder, done)) {
    for (const object of batch.flatMap(objectsOf)) {
      await restoreFile(store, objects, object);
      onRead(object.bytes);
    }
    await transaction(db, async (trx) => {
      await advance(trx, ownerId, done, batch.length);
      await writeLines(trx, batch, { ...context, ownerId, importedAt });
    });
    done += batch.length;
  }
  const openSome = () =>
    transaction(db, (trx) => putLinksBackOnSale(trx, ownerId, importedAt, AT_ONCE));
  while ((await openSome()) > 0);
  await transaction(db, async (trx) => {
    const finished = await trx
      .updateTable('account_import')
      .set({ finished_at: now() })
      .where('owner_id', '=', ownerId)
      .where('finished_at', 'is', null)
      .returning('owner_id')
      .executeTakeFirst();
    if (!finished) return;
    const subject = { kind: 'account', id: ownerId } as const;
    const details = { installation: manifest.installation, owedCents: manifest.owed_cents };
    const act = { act: 'account.imported', subject, details };
    await recordAct(trx, { kind: 'cli' }, act, now());
  });
  const own = db
    .selectFrom('seller_handle')
    .where('handle', '=', handle)
    .where('owner_id', '=', ownerId)
    .select('handle');
  return { manifest, isNew: true, lostHandle: (await isThere(own)) ? null : handle };
}

/** @throws BackupRefused where the files are not those of the database */
export async function requireOwnStore(
  db: Database,
  store: Pick<FileStore, 'readOwner' | 'place'>,
): Promise<void> {
  if ((await store.readOwner()) === (await readInstallationId(db))) return;
  throw new BackupRefused(
    `The files in ${store.place} do not belong to this database. Start Padlink here once.`,
  );
}

/** @throws BackupRefused when another export of the account, or something of this one, is here */
async function begin(
  db: Database,
  folder: string,
  manifest: ExportManifest & { sha256: string },
  now: number,
): Promise<AccountImport> {
  const { account, sha256, installation, owed_cents } = manifest;
  const earlier = await db
    .selectFrom('account_import')
    .where('owner_id', '=', account.id)
    .selectAll()
    .executeTakeFirst();
  const user = db.selectFrom('user').where('id', '=', account.id).select('id');
  if (earlier && earlier.lines_done > 0 && !(await isThere(user))) {
    throw new BackupRefused(
      'This account was imported, and has been deleted here since. It is not imported again.',
    );
  }
  if (earlier && earlier.manifest_sha256 !== sha256) {
    throw new BackupRefused(
      earlier.finished_at === null
        ? 'The import of another export of this account was interrupted. Repeat that one.'
        : 'This account was imported from another export. It is not imported over itself.',
    );
  }
  if (earlier) return earlier;
  const taken = await findTaken(db, readLines(folder));
  if (taken) throw new BackupRefused(`${taken} Nothing was imported.`);
  await db
    .insertInto('account_import')
    .values({
      owner_id: account.id,
      manifest_sha256: sha256,
      installation,
      owed_cents,
      lines_done: 0,
      imported_at: now,
      finished_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return begin(db, folder, manifest, now);
}

/** The lines that are not written yet, some at a time. */
async function* batchesAfter(folder: string, done: number): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  let number = 0;
  for await (const line of readLines(folder)) {
    number += 1;
    if (number <= done) continue;
    batch.push(line);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** @throws BackupRefused where another process imports the same */
async function advance(trx: DatabaseTransaction, ownerId: string, done: number, lines: number) {
  const { numUpdatedRows } = await trx
    .updateTable('account_import')
    .set({ lines_done: done + lines })
    .where('owner_id', '=', ownerId)
    .where('lines_done', '=', done)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) {
    throw new BackupRefused('Another process is importing this account.');
  }
}
