import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { FileStore } from '../../files/file-store.ts';
import { insertRows, listTables } from '../../ground/database/carry-rows.ts';
import {
  findUnknown,
  isAmongSteps,
  LAST_IN_STEPS,
  MIGRATIONS,
  requireReferences,
  withoutReferences,
} from '../../ground/database/migrate.ts';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { holdsBlobs, isOwnSecret, MOVES } from '../installation/match-installation.ts';
import { readAll } from '../installation/move-storage.ts';
import { BackupRefused } from './backup-refused.ts';
import { PLAIN } from './cipher.ts';
import {
  type BlobEntry,
  type Manifest,
  OBJECTS,
  type OwnEntry,
  type OwnName,
  type TableEntry,
} from './manifest.ts';
import { type ObjectFolder, openObjectFolder, readLines } from './object-folder.ts';

interface Context {
  /** An empty database. */
  db: Database;
  /** Creates the tables as these migrations leave them. */
  migrateAll(db: Database, migrations: typeof MIGRATIONS): Promise<void>;
  /** Where the files are to be, which may need the database meanwhile. */
  openStore(db: Database): Promise<FileStore>;
}

interface Input {
  manifest: Manifest;
  /** APP_SECRET, where it is set. */
  appSecret: string | null;
  /** The SHA-256 of a file in the data folder; null where there is none. */
  hashOwn(name: OwnName): Promise<string | null>;
  writeOwn(name: OwnName, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Told of the bytes of each file that was restored. */
  onRestored(bytes: number): void;
}

/**
 * Puts a backup into an empty database and an empty store, of whatever kind they are, and compares
 * everything with the checksums of the backup. The database has nothing of it before all files are
 * there; what was interrupted can be repeated.
 * @throws BackupRefused when the place is not empty, or the backup cannot be restored
 */
export async function restore({ db, migrateAll, openStore }: Context, input: Input): Promise<void> {
  const { manifest, appSecret } = input;
  const { installation } = manifest.head;
  const { cipher } = manifest;
  const objects = openObjectFolder(join(manifest.folder, OBJECTS), { cipher });
  const migrations = requireKnown(manifest);
  if ((await listTables(db)).length > 0) {
    throw new BackupRefused('The database is not empty: a backup is restored into an empty one.');
  }
  const own: OwnEntry[] = [];
  for await (const entry of ownEntries(manifest)) {
    // A secret that is set needs no file.
    if (entry.own !== 'app-secret' || appSecret === null) own.push(entry);
  }
  for (const { own: name, sha256 } of own) {
    if (((await input.hashOwn(name)) ?? sha256) !== sha256) {
      throw new BackupRefused(`The data folder is not empty: there is another ${name} in it.`);
    }
  }
  const kept = own.find(({ own: name }) => name === 'app-secret');
  const secret = appSecret ?? (kept ? await text(objects.read(kept)) : null);
  const work = async (trx: Database) => {
    const files = await openStore(trx);
    await claim(files, installation);
    await migrateAll(trx, migrations);
    await fillTables(trx, objects, manifest);
    await requireSecret(trx, objects, manifest, secret);
    for await (const entry of manifest.entries()) {
      if (!('blob' in entry)) continue;
      await restoreFile(files, objects, entry);
      input.onRestored(entry.bytes);
    }
    for (const entry of own) await input.writeOwn(entry.own, objects.read(entry));
    await migrateAll(trx, MIGRATIONS);
    await requireReferences(trx);
    return files;
  };
  const store = await withoutReferences(db, () => transaction(db, work));
  await store.writeOwner(installation);
}

/** The migrations that the backup's database had. */
function requireKnown({ head }: Manifest): typeof MIGRATIONS {
  if (isAmongSteps(head.migrations)) {
    throw new BackupRefused(
      `The backup was made by an earlier Padlink, ${head.version}, than this one can upgrade. Restore it with ${LAST_IN_STEPS}, start that once, then this one.`,
    );
  }
  const unknown = findUnknown(head.migrations);
  if (unknown.length === 0) {
    return Object.fromEntries(
      Object.entries(MIGRATIONS).filter(([name]) => head.migrations.includes(name)),
    );
  }
  throw new BackupRefused(
    `The backup was made by a newer Padlink, ${head.version} (${unknown.join(', ')}). Restore it with that version.`,
  );
}

/** Only an interrupted restore of the same backup leaves something that may be there. */
async function claim(store: FileStore, installation: string): Promise<void> {
  const owner = await store.readOwner();
  if (owner !== MOVES.arriving(installation)) {
    if (owner !== null || (await holdsBlobs(store))) {
      throw new BackupRefused(
        `${store.place} is not empty: a backup is restored beside an empty one.`,
      );
    }
    await store.writeOwner(MOVES.arriving(installation));
  }
}

async function fillTables(trx: Database, objects: ObjectFolder, manifest: Manifest): Promise<void> {
  const entries = new Map<string, TableEntry>();
  for await (const entry of manifest.entries())
    if ('table' in entry) entries.set(entry.table, entry);
  const tables = await listTables(trx);
  const homeless = [...entries.keys()].find((table) => !tables.includes(table));
  if (homeless)
    throw new BackupRefused(`There is no table ${homeless} in this version of Padlink.`);
  for (const table of tables) {
    const entry = entries.get(table);
    if (!entry) continue;
    // Before any row of it is read.
    for await (const _chunk of objects.read(entry));
    const rows = await insertRows(trx, table, readLines(objects.read(entry)));
    if (rows !== entry.rows)
      throw new BackupRefused(`The table ${table} of the backup is damaged.`);
  }
}

async function findSecret(manifest: Manifest): Promise<OwnEntry | null> {
  for await (const entry of ownEntries(manifest)) if (entry.own === 'app-secret') return entry;
  return null;
}

async function* ownEntries(manifest: Manifest): AsyncGenerator<OwnEntry> {
  for await (const entry of manifest.entries()) if ('own' in entry) yield entry;
}

/** Personal links, sessions and signing keys of the backup depend on it. */
async function requireSecret(
  trx: Database,
  objects: ObjectFolder,
  manifest: Manifest,
  secret: string | null,
): Promise<void> {
  if (secret === null) {
    throw new BackupRefused(
      'The backup contains no secret. Set APP_SECRET, or APP_SECRET_FILE, to that of the server that was backed up.',
    );
  }
  if (await isOwnSecret(trx, secret)) return;
  const entry = await findSecret(manifest);
  const remedy = entry
    ? sayWhereIsSecret(manifest, objects.pathOf(entry.sha256))
    : 'Set it to the value that it had';
  throw new BackupRefused(`APP_SECRET is not the secret of this backup. ${remedy}.`);
}

function sayWhereIsSecret({ cipher }: Manifest, path: string): string {
  return cipher === PLAIN
    ? `Set APP_SECRET_FILE=${path} instead, and keep the secret elsewhere later`
    : `Set it to what “age --decrypt --identity FILE ${path}” prints`;
}

/** Copies a file, and reads the copy again. */
export async function restoreFile(
  store: FileStore,
  objects: ObjectFolder,
  entry: Omit<BlobEntry, 'key'>,
): Promise<void> {
  const { blob, bytes, sha256 } = entry;
  const isThere = async () =>
    (await store.sizeOf(blob)) === bytes && (await readAll(store, blob)) === sha256;
  if (await isThere()) return;
  await store.remove(blob);
  const writer = await store.openForAppend(blob, 0, bytes);
  try {
    for await (const chunk of objects.read(entry)) await writer.write([chunk]);
  } finally {
    await writer.close();
  }
  await store.makeDurable(blob);
  if (!(await isThere())) {
    throw new BackupRefused(`The blob ${blob} did not arrive whole in ${store.place}.`);
  }
}
