import { createHash } from 'node:crypto';
import type { FileStore } from '../../files/file-store.ts';
import { readChunks, withReader } from '../../files/read-blob.ts';
import { emptyQuarantine } from '../../files/sweep.ts';
import { readInstallationId } from '../../ground/database/installation.ts';
import type { Database } from '../../ground/database/tables.ts';
import { isThere } from '../../ground/lib/is-there.ts';
import { MOVES } from './match-installation.ts';

/** What has to be done first, in words for the operator. */
export class MoveRefused extends Error {
  override name = 'MoveRefused';
}

interface Stores {
  from: FileStore;
  to: FileStore;
}

interface MoveContext extends Stores {
  db: Database;
}

interface Moved {
  /** Blobs copied now, and their bytes. */
  copied: number;
  copiedBytes: number;
  /** Blobs whose copy had been compared before. */
  known: number;
  /** A sentence for each blob whose copy is not the same. */
  faults: string[];
  /** A sentence for each that is not what was uploaded: its copy is no better. */
  damaged: string[];
}

/**
 * Copies every blob to another store and compares the copies by SHA-256, also with what the
 * database knows of a file. The source stays as it is. Repeated after an interruption, or for what
 * was uploaded since, it copies only what has not been compared. Unfinished uploads and what is in
 * quarantine stay behind.
 * @param onCopied told of each blob
 * @throws MoveRefused when one of the stores belongs to another installation
 */
export async function copyStorage(
  { db, from, to }: MoveContext,
  onCopied: (moved: Moved) => void,
): Promise<Moved> {
  const id = await readInstallationId(db);
  await requireSource({ from, to }, id);
  await requireFree(to, id);
  await to.writeOwner(MOVES.arriving(id));
  const moved: Moved = { copied: 0, copiedBytes: 0, known: 0, faults: [], damaged: [] };
  for await (const blob of from.list()) {
    const bytes = await from.sizeOf(blob);
    if (bytes === null || (await isUnfinished(db, blob))) continue;
    if ((await isCompared(db, to, blob)) && (await to.sizeOf(blob)) === bytes) {
      moved.known += 1;
      continue;
    }
    const { sent, arrived } = await copyBlob({ from, to }, blob, bytes);
    if (sent !== arrived) {
      moved.faults.push(`The blob ${blob} did not arrive whole in ${to.place}.`);
    } else if (await isDamaged(db, blob, { bytes, sha256: sent })) {
      moved.damaged.push(`The blob ${blob} is damaged in ${from.place}, and so is its copy.`);
    } else await recordCompared(db, to, blob);
    moved.copied += 1;
    moved.copiedBytes += bytes;
    onCopied(moved);
  }
  return moved;
}

/**
 * Declares the copy the files of this installation, and the source no longer. In between, neither
 * are: Padlink starts with none of them, and the command can be repeated.
 */
export async function finishMove({ db, from, to }: MoveContext): Promise<void> {
  const id = await readInstallationId(db);
  await from.writeOwner(MOVES.moved(id));
  await to.writeOwner(id);
}

/**
 * Removes the source once the move is finished: every blob whose copy was compared and is there,
 * what is left of unfinished uploads, and the quarantine.
 * @returns how many blobs were removed, and how many stay because they have no copy
 * @throws MoveRefused when the move is not finished
 */
export async function removeSource({
  db,
  from,
  to,
}: MoveContext): Promise<{ removed: number; kept: number }> {
  const id = await readInstallationId(db);
  const [source, target] = [await from.readOwner(), await to.readOwner()];
  if (source !== MOVES.moved(id) || target !== id) {
    throw new MoveRefused(`The files have not been moved from ${from.place} to ${to.place}.`);
  }
  const found = { removed: 0, kept: 0 };
  for await (const blob of from.list()) {
    const isCopied =
      (await isCompared(db, to, blob)) && (await to.sizeOf(blob)) === (await from.sizeOf(blob));
    if (!isCopied && !(await isUnfinished(db, blob))) {
      found.kept += 1;
      continue;
    }
    await from.remove(blob);
    found.removed += 1;
  }
  await emptyQuarantine({ db, store: from });
  await db.deleteFrom('moved_blob').execute();
  return found;
}

async function requireSource({ from, to }: Stores, id: string): Promise<void> {
  const owner = await from.readOwner();
  if (owner === id) return;
  // Finishing was interrupted.
  if (owner === MOVES.moved(id) && (await to.readOwner()) === MOVES.arriving(id)) return;
  throw new MoveRefused(
    `The files in ${from.place} do not belong to this database: nothing can be moved.`,
  );
}

/** What an earlier move from or to there left behind is no obstacle. */
async function requireFree({ place, readOwner }: FileStore, id: string): Promise<void> {
  const owner = await readOwner();
  if (owner === null || owner.startsWith(`${id} `)) return;
  const whose = owner === id ? 'this installation’s files' : 'the files of another installation';
  throw new MoveRefused(`There are ${whose} in ${place} already: nothing was moved.`);
}

/** @returns the SHA-256 of the bytes that were read, and of those that are in the copy now */
async function copyBlob(
  { from, to }: Stores,
  blob: string,
  bytes: number,
): Promise<{ sent: string; arrived: string }> {
  await to.remove(blob);
  const writer = await to.openForAppend(blob, 0, bytes);
  let sent: string;
  try {
    sent = await readAll(from, blob, (chunk) => writer.write([chunk]));
  } finally {
    await writer.close();
  }
  await to.makeDurable(blob);
  return { sent, arrived: await readAll(to, blob) };
}

/** Whether a file was another one when it was uploaded. */
async function isDamaged(
  db: Database,
  blob: string,
  { bytes, sha256 }: { bytes: number; sha256: string },
): Promise<boolean> {
  const file = await db.selectFrom('file').selectAll().where('blob', '=', blob).executeTakeFirst();
  return file !== undefined && (file.size_bytes !== bytes || (file.sha256 ?? sha256) !== sha256);
}

/** Reads a blob as a whole. @returns its SHA-256 */
export async function readAll(
  store: Pick<FileStore, 'openForReading'>,
  blob: string,
  take = async (_chunk: Uint8Array) => {},
): Promise<string> {
  const hash = createHash('sha256');
  return withReader(await store.openForReading(blob), async (reader) => {
    for await (const chunk of readChunks(reader)) {
      hash.update(chunk);
      await take(chunk);
    }
    return hash.digest('hex');
  });
}

const isUnfinished = (db: Database, blob: string) =>
  isThere(
    db.selectFrom('file').select('blob').where('blob', '=', blob).where('finished_at', 'is', null),
  );

const isCompared = (db: Database, { place }: FileStore, blob: string) =>
  isThere(
    db.selectFrom('moved_blob').select('blob').where('blob', '=', blob).where('place', '=', place),
  );

async function recordCompared(db: Database, { place }: FileStore, blob: string): Promise<void> {
  await db
    .insertInto('moved_blob')
    .values({ blob, place })
    .onConflict((conflict) => conflict.column('blob').doUpdateSet({ place }))
    .execute();
}
