import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  type AbortableQueryOptions,
  type Compilable,
  type CompiledQuery,
  type Dialect,
  Kysely,
  type KyselyConfig,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteIntrospector,
  type SqliteStatement,
} from 'kysely';
import { cannotStore } from '../lib/cannot-store.ts';
import { Checkpoints } from './checkpoints.ts';
import { explainClosed, unavailable } from './dialect.ts';
import { SharedReads } from './shared-reads.ts';
import { SqliteCompiler } from './sqlite-compiler.ts';
import {
  CHANGES_NOTHING,
  type CommitLog,
  FlushingDriver,
  LOCK_MS,
  openLogOf,
} from './sqlite-driver.ts';
import type { LogStatement, Tables } from './tables.ts';

type Primitive = string | number | bigint | null | Uint8Array;

/**
 * KiB of pages kept in memory: of 100,000 links, most of what reads by id walk through. Never mapped
 * instead: a file that is cut short or a disk that fails would hang the process, where a read that is
 * asked for fails with an error.
 */
const CACHE_KIB = 32 * 1024;

/** In pages. Beyond it SQLite brings in its log itself, where the thread for that did not come to it. */
const LONGEST_LOG = 16 * 1024;

interface SqliteOptions {
  log?: LogStatement | undefined;
  /** Opens what commits are written to. */
  openLog?: () => Promise<CommitLog>;
  /**
   * Whether a server has the file open. Its disk may have refused what is in the log, which SQLite
   * would read through the server's memory and bring into the file unchecked: that is left to it.
   */
  isBeside?: boolean;
}

/**
 * Opens the embedded database. A commit is on the disk before it is reported. What another process
 * keeps locked is a DomainError UNAVAILABLE, and a flush that the disk refuses an UnconfirmedChange.
 */
export function openSqlite(
  file: string,
  { log, openLog, isBeside = false }: SqliteOptions = {},
): Kysely<Tables> {
  mkdirSync(dirname(file), { recursive: true });
  const connection = new DatabaseSync(file, { timeout: LOCK_MS });
  // Neither in memory nor on file systems of some networks.
  const hasLog = connection.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode === 'wal';
  connection.exec(`
    PRAGMA synchronous = ${hasLog ? 'NORMAL' : 'FULL'};
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -${CACHE_KIB};
    PRAGMA wal_autocheckpoint = ${LONGEST_LOG};
    PRAGMA journal_size_limit = ${64 * 1024 * 1024};
  `);
  if (isBeside) leaveLog(connection);
  else emptyLog(connection);
  connection.exec('PRAGMA busy_timeout = 0');
  const database = cached(connection);
  const place = connection.location() ?? file;
  const reads = new SharedReads(connection);
  const driver = new FlushingDriver(
    database,
    reads,
    hasLog ? (openLog ?? openLogOf(place)) : null,
    hasLog && !isBeside ? new Checkpoints(place, connection) : null,
  );
  const dialect: Dialect = {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  };
  return log
    ? new Kysely<Tables>({ dialect, log })
    : new DirectlyRead({ dialect }, database, driver, reads);
}

/** Kysely passes a query on through a dozen promises, which take as long as a read by id. */
class DirectlyRead extends Kysely<Tables> {
  #database: SqliteDatabase;
  #driver: FlushingDriver;
  #reads: SharedReads;

  constructor(
    config: KyselyConfig,
    database: SqliteDatabase,
    driver: FlushingDriver,
    reads: SharedReads,
  ) {
    super(config);
    this.#database = database;
    this.#driver = driver;
    this.#reads = reads;
  }

  override async executeQuery<Row>(
    query: CompiledQuery<Row> | Compilable<Row>,
    options?: AbortableQueryOptions,
  ): Promise<QueryResult<Row>> {
    if ('sql' in query && this.#driver.isFree() && CHANGES_NOTHING.test(query.sql)) {
      try {
        this.#reads.join();
        return { rows: this.#database.prepare(query.sql).all(query.parameters) as Row[] };
      } catch {
        // It is tried again where a lock is waited for.
      }
    }
    return super.executeQuery(query, options);
  }
}

/** The first read makes sure that there is one. */
function leaveLog(connection: DatabaseSync): void {
  connection.exec('PRAGMA wal_autocheckpoint = 0; SELECT count(*) FROM sqlite_schema');
}

/**
 * Brings what an earlier process left in the log into the file, flushed, as far as nobody reads it there:
 * the disk may have refused pages of it.
 */
function emptyLog(connection: DatabaseSync): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch (error) {
    // Without room for it, it is read where it is.
    if (!cannotStore(error)) throw error;
  }
}

/** SQLite's schema changes are part of a transaction; Kysely does not rely on it. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** There is one, which the driver shares out: Kysely would let go of it only after the flush. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Preparing costs more than a point read: statements are kept by their text. */
const KEPT_STATEMENTS = 500;

function cached(connection: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      // SQLite itself takes a transaction back that finds the disk full. Then there is nothing to
      // roll back, and the complaint about that would hide what happened.
      if (sql === 'rollback' && !connection.isTransaction) return NOTHING_TO_DO;
      const known = kept.get(sql);
      if (known) return known;
      const statement = adapt(connection.prepare(sql));
      if (CHANGES_COLUMNS.test(sql)) {
        kept.clear();
        return statement;
      }
      if (kept.size >= KEPT_STATEMENTS) kept.delete(kept.keys().next().value as string);
      kept.set(sql, statement);
      return statement;
    },
    close: () => connection.close(),
  };
}

/** Kept statements know the columns that they answer with. */
const CHANGES_COLUMNS = /^\s*(alter|create|drop)\b/i;

const NOTHING_TO_DO: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
};

function adapt(statement: StatementSync): SqliteStatement {
  const readNames = () => statement.columns().map(({ name }) => name);
  let names = readNames();
  let build = compileRow(names);
  // Lists of values are read faster than objects without a prototype, which each are of their own kind.
  statement.setReturnArrays(true);
  const toRow = (read: unknown) => {
    const values = read as unknown[];
    // Another program has changed the columns since.
    if (values.length !== names.length) {
      names = readNames();
      build = compileRow(names);
    }
    return build(values);
  };
  return {
    reader: names.length > 0,
    all: (parameters) => orUnavailable(() => statement.all(...bindable(parameters))).map(toRow),
    run: (parameters) => orUnavailable(() => statement.run(...bindable(parameters))),
    iterate: (parameters) => statement.iterate(...bindable(parameters)).map(toRow),
  };
}

/** A row of these columns: put in one by one by their names, they take five times as long. */
function compileRow(names: string[]): (values: unknown[]) => Record<string, unknown> {
  const fields = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function('values', `return { ${fields.join(', ')} };`) as ReturnType<
    typeof compileRow
  >;
}

/** SQLITE_BUSY, whose finer codes are in the bits above. */
const BUSY = 5;

function orUnavailable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { errcode = 0 } = error as { errcode?: number };
    throw (errcode & 0xff) === BUSY ? unavailable(error) : explainClosed(error);
  }
}

/**
 * node:sqlite silently treats a first Date or object as named parameters: refuse them with an
 * error.
 */
function bindable(parameters: readonly unknown[]): Primitive[] {
  for (const parameter of parameters) {
    if (!isBindable(parameter)) {
      throw new TypeError(`SQLite cannot bind a ${Object.prototype.toString.call(parameter)}`);
    }
  }
  return parameters as Primitive[];
}

function isBindable(value: unknown): value is Primitive {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Uint8Array
  );
}

/** A gigabyte takes a second: a larger database would hold up the start. */
const EXAMINED_BYTES = 256 * 1024 * 1024;

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set<unknown>([11, 26]);

/**
 * Checks a database file before anything is written to it.
 * @param holdsBlobs whether there are files that only an earlier database can know
 * @throws Error that names the file and says how to restore it
 */
export async function examineSqlite(
  file: string,
  holdsBlobs: () => Promise<boolean>,
): Promise<void> {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (!size) {
    if (!(await holdsBlobs())) return;
    throw new Error(`${file} is ${size === 0 ? 'empty' : 'missing'}, but there are uploaded files beside it. Nothing was changed. What to do:
- Using PostgreSQL until now? Set DATABASE_URL as before.
- Lost? Restore the database from a backup: docs/backup.md.
- Starting over? Set DATA_DIR to another folder.`);
  }
  if (size > EXAMINED_BYTES) return;
  const fault = findFault(file);
  if (fault === null) return;
  throw new Error(
    `${file} is damaged (${fault}). Nothing was changed. Keep a copy of it, and restore the database from a backup: docs/backup.md`,
  );
}

function findFault(file: string): string | null {
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const found = String(database.prepare('PRAGMA quick_check(1)').get()?.quick_check);
    return found === 'ok' ? null : found.replaceAll('\n', ' ');
  } catch (error) {
    const { errcode, message } = error as { errcode?: number; message: string };
    if (!DAMAGED.has(errcode && errcode & 0xff)) throw error;
    return message;
  }
}
