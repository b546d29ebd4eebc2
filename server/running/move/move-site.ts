import type { Kysely } from 'kysely';
import type { FileStore } from '../../files/file-store.ts';
import { listTables } from '../../ground/database/carry-rows.ts';
import {
  closeWrites,
  findMove,
  type Move,
  openWrites,
} from '../../ground/database/close-writes.ts';
import { readInstallationId } from '../../ground/database/installation.ts';
import { findPendingMigrations } from '../../ground/database/migrate.ts';
import type { Database, DatabaseTransaction, Tables } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { MOVES } from '../installation/match-installation.ts';
import { copyStorage, finishMove, MoveRefused } from '../installation/move-storage.ts';
import { type Copied, copyDatabase } from './copy-database.ts';

interface MoveContext {
  db: Kysely<Tables>;
  /** Null where the files stay. */
  files: { from: FileStore; to: FileStore } | null;
  /** Null where the database stays. */
  database: {
    to: Kysely<Tables>;
    /** Creates every table. */
    migrateAll(db: Database): Promise<void>;
    /** A sentence for each error of the books. */
    check(db: Database): Promise<string[]>;
  } | null;
  now(): number;
}

interface Input {
  /** Where to, in words for the operator. */
  place: string;
  /** Told when everything but the last files was copied, and nothing is written from now on. */
  onClosed(): void;
  onFile(): void;
  onRow(): void;
  /** Ends the move when the operator wants it no more. */
  signal: AbortSignal;
}

interface Moved extends Copied {
  files: number;
  /** A sentence for each file that was damaged before. */
  damaged: string[];
}

/**
 * Takes the database, the files or both to another place while the site is read. What is there is
 * compared with what was here before anything counts as moved; until then a failure opens the site
 * again where it is, and after it nothing is written here anymore. A move that was killed can be
 * repeated or undone.
 * @throws MoveRefused when something has to be done first, or did not arrive as it was
 */
export async function moveSite(context: MoveContext, input: Input): Promise<Moved> {
  const { db, files, database } = context;
  const known = await findMove(db);
  if (known && known.moved_at !== null && known.place !== input.place) {
    throw new MoveRefused(`This site was moved to ${known.place}. ${AFTER_MOVE}`);
  }
  const isThere =
    known !== undefined &&
    known.moved_at !== null &&
    (database === null || (await isOwn(db, database.to)));
  if (isThere) {
    if (files) await finishMove({ db, ...files });
    return { tables: 0, rows: 0, files: 0, damaged: [] };
  }
  await requireReady(context);
  // Most of the files, while everybody still writes.
  let copied = files ? (await copyFiles(context, files, input)).copied : 0;
  await closeAtOnce(context, input.place);
  input.onClosed();
  try {
    const rest = files ? await copyFiles(context, files, input) : NOTHING;
    copied += rest.copied;
    const carried = database
      ? await carryDatabase(context, database, input)
      : await markMoved(context).then(() => ({ tables: 0, rows: 0 }));
    if (files) await finishMove({ db, ...files });
    return { ...carried, files: copied, damaged: rest.damaged };
  } catch (error) {
    const move = await findMove(db);
    if (move?.moved_at !== null) throw new MoveRefused(describeUnknown(error), { cause: error });
    await openWrites(db);
    throw error;
  }
}

const AFTER_MOVE =
  'Start it with the settings of that place. What was sold there since is not here: to open this place again all the same, npm run cli -- move --go-back';

/** The last step failed, which may be of a connection that was lost after it was done. */
const describeUnknown = (error: unknown) =>
  `It is not known whether everything arrived: ${error instanceof Error ? error.message : error}\nRun the same command again: it moves what is not there yet. Until then nothing is written here.`;

const NOTHING = { copied: 0, damaged: [] as string[] };

/** Whether the other database is this installation's already, because an earlier move filled it. */
async function isOwn(db: Database, to: Database): Promise<boolean> {
  if ((await listTables(to)).length === 0) return false;
  return (await readInstallationId(to)) === (await readInstallationId(db));
}

async function requireReady({ db, database }: MoveContext): Promise<void> {
  if ((await findPendingMigrations(db)).length > 0) {
    throw new MoveRefused(
      'The database has the schema of an earlier version: start Padlink once, then move it.',
    );
  }
  if (database && (await listTables(database.to)).length > 0) {
    throw new MoveRefused('The new database is not empty: a site is moved into an empty one.');
  }
}

async function copyFiles(
  { db }: MoveContext,
  files: { from: FileStore; to: FileStore },
  { onFile, signal }: Input,
) {
  const moved = await copyStorage({ db, ...files }, () => {
    signal.throwIfAborted();
    onFile();
  });
  if (moved.faults.length > 0) throw new MoveRefused(moved.faults.join('\n'));
  return moved;
}

/** Requests that hold what it waits for, and wait for what it holds, are over in a moment. */
async function closeAtOnce({ db, database, now }: MoveContext, place: string): Promise<void> {
  const move = { place, takes_database: database ? 1 : 0, begun_at: now() };
  for (let tried = 1; ; tried += 1) {
    try {
      return await closeWrites(db, move);
    } catch (error) {
      if (tried === TRIES || !(error instanceof DomainError)) throw error;
    }
  }
}

const TRIES = 10;

async function carryDatabase(
  context: MoveContext,
  { to, migrateAll, check }: NonNullable<MoveContext['database']>,
  { onRow, signal }: Input,
): Promise<Copied> {
  return transaction(to, async (trx: DatabaseTransaction) => {
    await migrateAll(trx);
    const copied = await copyDatabase(context.db, trx, () => {
      signal.throwIfAborted();
      onRow();
    });
    const faults = await check(trx);
    const before = faults.length > 0 ? await check(context.db) : [];
    const caused = faults.filter((fault) => !before.includes(fault));
    if (caused.length > 0) throw new MoveRefused(caused.join('\n'));
    // Before the commit: never do both take writes. Killed in between, the command is repeated.
    await markMoved(context);
    return copied;
  });
}

async function markMoved({ db, now }: MoveContext): Promise<void> {
  await db.updateTable('move').set({ moved_at: now() }).execute();
}

/**
 * Opens the site where it is, after a move that was killed.
 * @throws MoveRefused when none was, or it was finished
 */
export async function undoMove(db: Kysely<Tables>): Promise<void> {
  const move = await findMove(db);
  if (!move) throw new MoveRefused('No move was begun: everything can be written here.');
  if (move.moved_at !== null) {
    throw new MoveRefused(
      `The move to ${move.place} was finished at ${isoTime(move.moved_at)}. ${AFTER_MOVE}`,
    );
  }
  await openWrites(db);
}

/**
 * Opens the place that a site was moved from.
 * @returns where it was moved to
 * @throws MoveRefused when it was not
 */
export async function goBack(db: Kysely<Tables>, store: FileStore): Promise<string> {
  const move = await findMove(db);
  if (!move || move.moved_at === null) {
    throw new MoveRefused(
      'This site was not moved: npm run cli -- move --undo ends a move that was begun.',
    );
  }
  const id = await readInstallationId(db);
  if ((await store.readOwner()) === MOVES.moved(id)) await store.writeOwner(id);
  await openWrites(db);
  return move.place;
}

/**
 * Asked at a start, before anything is changed.
 * @returns the move that is not over
 * @throws Error when the database was moved, or a move keeps it from being upgraded
 */
export async function matchMove(db: Database): Promise<Move | null> {
  const move = await findMove(db);
  if (move && move.moved_at !== null && move.takes_database === 1) {
    throw new Error(
      `This site was moved to ${move.place} at ${isoTime(move.moved_at)}. Nothing was changed. ${AFTER_MOVE}`,
    );
  }
  if (move && (await findPendingMigrations(db)).length > 0) {
    throw new Error(
      'This site is being moved, so that its database cannot be upgraded. Finish the move with the version that began it, or end it: npm run cli -- move --undo',
    );
  }
  return move ?? null;
}

/**
 * Lets a start with the files at their new place write again; the database was not moved with them.
 * @returns whether it does
 */
export async function openMovedFiles(
  db: Kysely<Tables>,
  { moved_at, takes_database }: Move,
): Promise<boolean> {
  if (moved_at === null || takes_database === 1) return false;
  await openWrites(db);
  return true;
}
