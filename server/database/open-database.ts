import type { Kysely } from 'kysely';
import { type Changes, createLocalChanges } from '../lib/changes.ts';
import { examineSqlite, openSqlite } from './sqlite.ts';
import type { LogStatement, Tables } from './tables.ts';
import { publishBy } from './transaction.ts';

type Settings = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };

interface Options {
  /** Whether files were stored that a database must know of: a new SQLite file knows none. */
  holdsBlobs(): Promise<boolean>;
  log: { error(fields: object, message: string): void };
  logStatement: LogStatement | undefined;
  /** Given what closes each part as soon as it is open, also where the next one fails to open. */
  closers: (() => Promise<void> | void)[];
}

export interface OpenDatabase {
  db: Kysely<Tables>;
  changes: Changes;
  /** Does work whose statements may take longer than a request may: migrations. */
  patiently(work: (db: Kysely<Tables>) => Promise<void>): Promise<void>;
  /** Opens and closes a new connection, where the database is a server. */
  connectAnew(): Promise<void>;
}

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
  { holdsBlobs, logStatement, closers }: Options,
): Promise<OpenDatabase> {
  await examineSqlite(file, holdsBlobs);
  const db = openSqlite(file, logStatement);
  closers.push(() => db.destroy());
  return {
    db,
    changes: createLocalChanges(),
    patiently: (work) => work(db),
    connectAnew: async () => {},
  };
}

async function openServer(
  url: string,
  { log, logStatement, closers }: Options,
): Promise<OpenDatabase> {
  // Only here, because the driver would take memory where nobody uses it.
  const { connectAnew, openPostgres, reachPostgres } = await import('./postgres.ts');
  const { openPostgresChanges } = await import('./postgres-changes.ts');
  const onLost = (error: Error) => log.error({ err: error }, 'the database connection was lost');
  const onFault = (error: Error) =>
    log.error({ err: error }, 'changes announced by other processes were lost');
  const db = openPostgres(url, { onLost, log: logStatement });
  closers.push(() => db.destroy());
  await reachPostgres(db, url);
  const changes = await openPostgresChanges({ url, db, onFault });
  closers.push(() => changes.close());
  return {
    db,
    changes,
    async patiently(work) {
      const patient = openPostgres(url, { onLost, patient: true });
      try {
        await work(patient);
      } finally {
        await patient.destroy();
      }
    },
    connectAnew: () => connectAnew(url),
  };
}
