import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import type { BlobReader, FileStore } from '../../files/file-store.ts';
import { readChunks, withReader } from '../../files/read-blob.ts';
import {
  listTables,
  type Row,
  readQuery,
  readRows,
  withSnapshot,
} from '../../ground/database/carry-rows.ts';
import { readInstallationId } from '../../ground/database/installation.ts';
import { appliedMigrations } from '../../ground/database/migrate.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { orNullWhenMissing, syncFolder } from '../../ground/lib/durable.ts';
import { BackupRefused } from './backup-refused.ts';
import { PLAIN, sealFor, sealForOneself } from './cipher.ts';
import {
  beginManifest,
  type End,
  type Entry,
  findEarlier,
  findEarlierSealed,
  type Manifest,
  OBJECTS,
  type OwnName,
} from './manifest.ts';
import {
  type ObjectFolder,
  openObjectFolder,
  readLines,
  type StoredObject,
  writeLines,
} from './object-folder.ts';

export interface BackupContext extends DatabaseContext {
  store: FileStore;
}

interface Input {
  /** The backup's, which exists. Nobody else writes there. */
  folder: string;
  /** Whom it is encrypted to; null for a plain one. */
  sealed: { recipients: string[]; nameKey: string } | null;
  /** Of the product. */
  version: string;
  /** Null where there is no such file. Asked after the database was read. */
  openOwn(name: OwnName): Promise<AsyncIterable<Uint8Array> | null>;
  /** Told of the bytes of each file that was copied. */
  onCopied(bytes: number): void;
}

export interface Made extends Omit<End, 'manifestSha256'> {
  /** Files that no earlier backup had, and their bytes. */
  copied: number;
  copiedBytes: number;
}

/**
 * Copies one moment of the database and every file that it knows, also while people buy and upload.
 * What the folder, or an earlier backup beside it, has already is not copied again. An earlier backup
 * in the folder stays whole until this one is.
 * @throws BackupRefused when the files are another installation's
 */
export async function backUp({ db, store, now }: BackupContext, input: Input): Promise<Made> {
  const { folder, version, openOwn, sealed } = input;
  const installation = await readInstallationId(db);
  if ((await store.readOwner()) !== installation) {
    throw new BackupRefused(`The files in ${store.place} do not belong to this database.`);
  }
  const { cipher, objects, scratch } = await openFolder(input);
  const earlier = sealed ? null : await findEarlier(folder, installation);
  const earlierFolders = sealed
    ? await findEarlierSealed(folder)
    : [earlier?.folder].filter((one) => one !== undefined);
  const counts = { tables: 0, rows: 0, files: 0, fileBytes: 0, faults: [] as string[] };
  const copied = { copied: 0, copiedBytes: 0 };
  const madeAt = new Date(now()).toISOString();
  const migrations = await appliedMigrations(db);
  const nameKey = sealed ? { nameKey: sealed.nameKey } : {};
  const head = { version, migrations, installation, madeAt, ...nameKey };
  const manifest = await beginManifest(folder, head, cipher);
  const needed = await objects.beginNeeded();
  const add = async (entry: Entry) => {
    await needed.add(entry);
    await manifest.add(entry);
  };
  try {
    // First: a file is complete before the database knows it, and stays in quarantine after it.
    const wanted = await withSnapshot(db, async (snapshot) => {
      for (const table of await listTables(snapshot)) {
        const entry = await dumpTable(objects, snapshot, table);
        await add(entry);
        counts.tables += 1;
        counts.rows += entry.rows;
      }
      return scratch.put(writeLines(listFiles(snapshot)));
    });
    for (const own of ['app-secret', 'sandbox.sqlite'] as const) {
      const chunks = await openOwn(own);
      if (chunks) await add({ own, ...(await objects.put(chunks)) });
    }
    const findKnown = sealed ? (blob: string) => examineBlob(store, blob) : createLookup(earlier);
    const earlierObjects = earlierFolders.map((one) =>
      openObjectFolder(join(one, OBJECTS), { cipher }),
    );
    for await (const row of readLines(scratch.read(wanted))) {
      const file = FILE.parse(row);
      const known = recorded(file) ?? (await findKnown(file.blob));
      let stored = await reuse(objects, known, earlierObjects);
      if (!stored) {
        stored = await copyBlob(objects, store, file.blob);
        if (!stored) {
          counts.faults.push(`${nameOf(file)} is missing in ${store.place}.`);
          continue;
        }
        copied.copied += 1;
        copied.copiedBytes += stored.bytes;
        input.onCopied(stored.bytes);
      }
      if (file.sha256 !== null && file.sha256 !== stored.sha256) {
        counts.faults.push(
          `${nameOf(file)} is not as it was uploaded: ${store.place} has damaged it.`,
        );
      }
      await add({ blob: file.blob, key: file.key, ...stored });
      counts.files += 1;
      counts.fileBytes += stored.bytes;
    }
    await manifest.finish(counts);
  } catch (error) {
    await manifest.close();
    throw error;
  } finally {
    await needed.close();
  }
  await objects.keepOnly(needed.names);
  return { ...counts, ...copied };
}

async function openFolder({ folder, sealed }: Input) {
  const path = join(folder, OBJECTS);
  await mkdir(path, { recursive: true, mode: 0o700 });
  await syncFolder(folder);
  const cipher = sealed ? await sealFor(sealed.recipients, sealed.nameKey) : PLAIN;
  const objects = openObjectFolder(path, { cipher });
  await objects.begin();
  // Read again before the backup is done, which nobody can who does not have the key.
  const scratch = sealed ? openObjectFolder(path, { cipher: await sealForOneself() }) : objects;
  return { cipher, objects, scratch };
}

async function dumpTable(objects: ObjectFolder, snapshot: Database, table: string) {
  let rows = 0;
  const counted = async function* () {
    for await (const row of readRows(snapshot, table)) {
      rows += 1;
      yield row;
    }
  };
  const stored = await objects.put(writeLines(counted()));
  return { table, rows, ...stored };
}

const FILE = z.object({
  blob: z.string(),
  /** Null for covers and previews, of which only the name is known. */
  key: z.string().nullable(),
  bytes: z.int().nullable(),
  sha256: z.string().nullable(),
});
type WantedFile = z.infer<typeof FILE>;

/** Every blob that the database names, in the order of their names. */
const listFiles = (snapshot: Database) =>
  readQuery(
    snapshot,
    sql<Row>`select blob, key, size_bytes as bytes, sha256 from file where finished_at is not null
      union all select cover, null, null, null from link where cover is not null
      union all select preview_blob, null, null, null from link where preview_blob is not null
      order by blob`,
  );

/** Finds blobs in an earlier manifest, asked for in the order of their names. */
function createLookup(earlier: Manifest | null) {
  const entries = earlier?.entries();
  let next: Entry | undefined;
  return async (blob: string): Promise<StoredObject | null> => {
    while (entries && (!next || !('blob' in next) || next.blob < blob)) {
      const { done, value } = await entries.next();
      if (done) return null;
      next = value;
    }
    return next && 'blob' in next && next.blob === blob ? next : null;
  };
}

function recorded({ sha256, bytes }: WantedFile): StoredObject | null {
  return sha256 === null || bytes === null ? null : { sha256, bytes };
}

/** @returns null for what is in none of the folders */
async function reuse(
  objects: ObjectFolder,
  wanted: StoredObject | null,
  earlier: ObjectFolder[],
): Promise<StoredObject | null> {
  if (!wanted) return null;
  const { sha256, bytes } = wanted;
  if (await objects.has(wanted)) return { sha256, bytes };
  for (const one of earlier) {
    if ((await one.has(wanted)) && (await objects.share(one, wanted))) return { sha256, bytes };
  }
  return null;
}

/** @returns null for a blob that is not there */
export function copyBlob(
  objects: ObjectFolder,
  store: FileStore,
  blob: string,
): Promise<StoredObject | null> {
  return withBlob(store, blob, (chunks) => objects.put(chunks));
}

/** What a copy of a blob would be stored as; null for one that is not there. */
function examineBlob(store: FileStore, blob: string): Promise<StoredObject | null> {
  return withBlob(store, blob, async (chunks) => {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.byteLength;
    }
    return { sha256: hash.digest('hex'), bytes };
  });
}

async function withBlob<Result>(
  store: FileStore,
  blob: string,
  work: (chunks: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result | null> {
  const workOn = async (opened: Promise<BlobReader>) =>
    withReader(await opened, (reader) => work(readChunks(reader)));
  return (
    (await orNullWhenMissing(workOn(store.openForReading(blob)))) ??
    orNullWhenMissing(workOn(store.openQuarantined(blob)))
  );
}

const nameOf = ({ key, blob }: WantedFile) => (key === null ? `The blob ${blob}` : `“${key}”`);
