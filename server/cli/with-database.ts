import { dirname } from 'node:path';
import type { Config } from '../ground/config/read-config.ts';
import { openPostgres, reachPostgres } from '../ground/database/postgres.ts';
import { announceByNotify } from '../ground/database/postgres-changes.ts';
import { openSqlite } from '../ground/database/sqlite.ts';
import { announceByFile } from '../ground/database/sqlite-changes.ts';
import type { Database } from '../ground/database/tables.ts';
import { publishBy } from '../ground/database/transaction.ts';
import { isServed } from '../running/data-folder.ts';
import type { Output } from './command-line.ts';

/**
 * Opens a database for a command, whose statements may take long, and tells running servers what
 * the command changes.
 * @throws UnreachableError
 */
export async function withDatabase<Result>(
  database: Config['database'],
  out: Output,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const onFault = (error: Error) => out.error(error.message);
  const isFile = database.kind === 'sqlite';
  const db = isFile
    ? openSqlite(database.file, { isBeside: isServed(dirname(database.file)) })
    : openPostgres(database.url, { onLost: onFault, patient: true });
  const servers = isFile ? announceByFile({ db, onFault }) : announceByNotify({ db, onFault });
  publishBy(db, servers.publish);
  try {
    if (!isFile) await reachPostgres(db, database.url);
    return await work(db);
  } finally {
    await servers.told();
    await db.destroy();
  }
}
