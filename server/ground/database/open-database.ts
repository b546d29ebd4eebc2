import type { Kysely } from 'kysely';
import { type Changes, createLocalChanges } from '../lib/changes.ts';
import type { Processes } from '../lib/processes.ts';
import { examineSqlite, openSqlite } from './sqlite.ts';
import { hearByFile } from './sqlite-changes.ts';
import type { LogStatement, Tables } from './tables.ts';
import { publishBy } from './transaction.ts';

type Settings = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };

interface Options {
  /** Whether files were stored that a database must know of: a new SQLite file knows none. */
  holdsBlobs(): Promise<boolean>;
  log: { error(fields: object, message: string): void };
  logStatement: LogStatement | undefined;
  /** UTC milliseconds. */
  now: () => number;
  /** Given what closes each part as soon as it is open, also where the next one fails to open. */
  closers: (() => Promise<void> | void)[];
}

export interface OpenDatabase {
  db: Kysely<Tables>;
  changes: Changes;
  /** What it has in common with others on the same database; null where it is alone. */
  processes: Processes | null;
  /** Does work whose statements may take longer than a request may: migrations. */
  patiently<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /** The connections in use and those that wait for one; null where the database is a file. */
  countConnections(): { total: number; idle: number; waiting: number } | null;
  /** Publishes from now on what commands announce: to be called once the schema is there. */
  hearCommands(): void;
  /** Opens and closes a new connection, where the database is a server. */
  connectAnew(): Promise<void>;
}

const LOST = 'changes announced by other processes were lost';

/** Opens the configured database, and the way by which its processes tell each other of changes. */
export async function openDatabase(settings: Settings, options: Options): Promise<OpenDatabase> {
  const opened = await (settings.kind === 'sqlite'
    ? openFile(settings.file, options)
    : openServer(settings.url, options));
  publishBy(opened.db, opened.changes.publish);
  return opened;
}

async function openFile(
  file: string,
  { holdsBlobs, log, logStatement, closers }: Options,
): Promise<OpenDatabase> {
  await examineSqlite(file, holdsBlobs);
  const db = openSqlite(file, { log: logStatement });
  closers.push(() => db.destroy());
  const changes = createLocalChanges();
  return {
    db,
    changes,
    processes: null,
    patiently: (work) => work(db),
    countConnections: () => null,
    hearCommands() {
      const onFault = (error: Error) => log.error({ err: error }, LOST);
      closers.push(hearByFile(file, { publish: changes.publish, onFault }));
    },
    connectAnew: async () => {},
  };
}

async function openServer(
  url: string,
  { log, logStatement, now, closers }: Options,
): Promise<OpenDatabase> {
  // Only here, because the driver would take memory where nobody uses it.
  const { connectAnew, countConnections, openPostgres, reachPostgres } = await import(
    './postgres.ts'
  );
  const { openPostgresChanges } = await import('./postgres-changes.ts');
  const { createLeases, sweepLeases } = await import('./leases.ts');
  const { createSharedCounts, sweepSharedCounts } = await import('./shared-counts.ts');
  const onLost = (error: Error) => log.error({ err: error }, 'the database connection was lost');
  const onFault = (error: Error) => log.error({ err: error }, LOST);
  const db = openPostgres(url, { onLost, log: logStatement });
  closers.push(() => db.destroy());
  await reachPostgres(db, url);
  const changes = await openPostgresChanges({ url, db, onFault });
  closers.push(() => changes.close());
  const tell = (message: string) => (error: unknown) => log.error({ err: error }, message);
  const counts = createSharedCounts({ db, now, onFault: tell('limits are counted here alone') });
  closers.push(() => counts.close());
  return {
    db,
    changes,
    processes: {
      leases: createLeases(db, tell('a lease was not renewed')),
      counts,
      async sweep() {
        await sweepLeases(db);
        await sweepSharedCounts(db, now());
      },
    },
    async patiently(work) {
      const patient = openPostgres(url, { onLost, patient: true });
      try {
        return await work(patient);
      } finally {
        await patient.destroy();
      }
    },
    countConnections: () => countConnections(db),
    // They are heard like every other process.
    hearCommands: () => {},
    connectAnew: () => connectAnew(url),
  };
}
