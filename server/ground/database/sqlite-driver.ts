import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDatabase,
  SqliteDriver,
} from 'kysely';
import { BeingMovedError } from '../lib/being-moved.ts';
import { StorageFault, UnconfirmedChange } from '../lib/cannot-store.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { SharedReads } from './shared-reads.ts';

/** The file that commits are written to before they are in the database file. */
export type CommitLog = Pick<FileHandle, 'datasync' | 'close'>;

/**
 * Milliseconds. For a lock that somebody else holds, such as a command or someone's shell; backups take
 * none.
 */
export const LOCK_MS = 5_000;
const LOOK_AGAIN_MS = 10;

/**
 * Lets one at a time use SQLite's connection, and reports what they wrote when it is on the disk. SQLite
 * would flush in the thread that serves everybody; here others go on meanwhile, and all who wait share
 * the next flush.
 */
export class FlushingDriver extends SqliteDriver {
  #reads: SharedReads;
  #commits: Commits | null;
  #checkpoints: Checkpoints | null;
  #connection: Connection | null = null;
  #isBegun = false;
  #isTaken = false;
  #waiting: (() => void)[] = [];

  /**
   * @param openLog opens what commits are written to; null where SQLite flushes each itself
   * @param checkpoints null where the log is left to others
   */
  constructor(
    database: SqliteDatabase,
    reads: SharedReads,
    openLog: (() => Promise<CommitLog>) | null,
    checkpoints: Checkpoints | null,
  ) {
    super({ database });
    this.#reads = reads;
    this.#commits = openLog && new Commits(openLog);
    this.#checkpoints = checkpoints;
  }

  override async init(): Promise<void> {
    await super.init();
    await this.#commits?.open();
    this.#isBegun = true;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    this.#reads.end();
    this.#connection ??= new Connection(await super.acquireConnection(), this.#commits);
    return this.#connection;
  }

  override async releaseConnection(): Promise<void> {
    const hasWritten = this.#connection?.takeWritten();
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
    if (!hasWritten) return;
    try {
      await this.#commits?.flush();
    } catch (error) {
      // Nothing of what the disk may have refused gets into the file.
      void this.#checkpoints?.close();
      throw error;
    }
    if (!this.isFree()) return;
    this.#reads.end();
    this.#checkpoints?.look();
  }

  /** The write lock comes first: SQLite lets nobody wait for it who has read in the transaction. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /**
   * Whether nobody has the connection, so that what is read by it now is committed. Kysely ends only a
   * driver that it has begun.
   */
  isFree(): boolean {
    return this.#isBegun && !this.#isTaken;
  }

  override async destroy(): Promise<void> {
    // Whoever has it may still write, and learns first what became of that.
    await this.acquireConnection();
    await this.#checkpoints?.close();
    await this.#commits?.close();
    // Closed, SQLite would bring into the database what the disk did not take.
    if (!this.#commits?.isLost()) await super.destroy();
  }
}

/** Reads, also those that begin with parts of their own, and the end of what is taken back. */
export const CHANGES_NOTHING =
  /^\s*(?:select|rollback)\b|^\s*with\b(?![\s\S]*\b(?:insert|update|delete|replace)\s)/i;

class Connection implements DatabaseConnection {
  #inner: DatabaseConnection;
  #commits: Commits | null;
  #hasWritten = false;

  constructor(inner: DatabaseConnection, commits: Commits | null) {
    this.#inner = inner;
    this.#commits = commits;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (CHANGES_NOTHING.test(query.sql)) return this.#waitForLock<Row>(query);
    this.#commits?.refuseOnceLost();
    const result = await this.#waitForLock<Row>(query);
    this.#hasWritten = true;
    return result;
  }

  /** SQLite would wait in the thread that serves everybody, and may be whom the other waits for. */
  async #waitForLock<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    for (const until = performance.now() + LOCK_MS; ; await sleep(LOOK_AGAIN_MS)) {
      try {
        return await this.#inner.executeQuery<Row>(query);
      } catch (error) {
        const isBusy = error instanceof DomainError && error.code === 'UNAVAILABLE';
        const isClosed = error instanceof BeingMovedError;
        if (!isBusy || isClosed || performance.now() > until) throw error;
      }
    }
  }

  streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery<Row>(query, chunkSize);
  }

  /** Whether something may have been written since this was asked last. */
  takeWritten(): boolean {
    const hasWritten = this.#hasWritten;
    this.#hasWritten = false;
    return hasWritten;
  }
}

class Commits {
  #openLog: () => Promise<CommitLog>;
  #log: CommitLog | null = null;
  #flushing = Promise.resolve();
  /** The flush after the one under way: of those who wait for it, some may have come too late for that. */
  #next: Promise<void> | null = null;
  #loss: UnconfirmedChange | null = null;

  constructor(openLog: () => Promise<CommitLog>) {
    this.#openLog = openLog;
  }

  /** Before anything is written: a file opened later is not told of what the disk refused before. */
  async open(): Promise<void> {
    this.#log ??= await this.#openLog();
  }

  isLost(): boolean {
    return this.#loss !== null;
  }

  /** Resolves when everything that is committed now is on the disk. @throws UnconfirmedChange */
  flush(): Promise<void> {
    // Whoever commits in the same turn of the event loop shares it: beginning one costs more than a turn.
    this.#next ??= this.#flushing.then(nextTurn).then(() => {
      this.#next = null;
      this.#flushing = this.#datasync();
      return this.#flushing;
    });
    return this.#next;
  }

  async #datasync(): Promise<void> {
    if (this.#loss) throw this.#loss;
    try {
      await this.#log?.datasync();
    } catch (cause) {
      // The system takes what it could not write for written: a later success would say nothing.
      this.#loss = new UnconfirmedChange('The disk did not take the last changes', REMEDY, {
        cause,
      });
      throw this.#loss;
    }
  }

  /** @throws StorageFault */
  refuseOnceLost(): void {
    if (!this.#loss) return;
    throw new StorageFault('The disk did not take earlier changes', REMEDY, { cause: this.#loss });
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#flushing).catch(() => {});
    await this.#log?.close();
  }
}

const REMEDY =
  'see that the disk has room, look into the log of the kernel, and restart Padlink: it changes nothing until then';

/** Opens the log of a database file in WAL mode. It is beside the file itself, not beside a link to it. */
export const openLogOf = (file: string) => (): Promise<CommitLog> => open(`${file}-wal`, 'r');
