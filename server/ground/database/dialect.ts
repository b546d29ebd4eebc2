import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { BeingMovedError } from '../lib/being-moved.ts';
import { DomainError } from '../lib/domain-error.ts';

type DatabaseKind = 'sqlite' | 'postgres';

/** Which of the two databases a Kysely instance uses. */
export function dialectOf(db: Pick<Kysely<unknown>, 'getExecutor'>): DatabaseKind {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
}

/**
 * Any number, of the lock that a process holds on PostgreSQL while a library lists all tables or
 * changes them: the list fails where another process drops one meanwhile.
 */
export const MIGRATING = 7_234_511;

/** Whether a database has a table, of whatever version it is, without a list of all: MIGRATING. */
export async function hasTable(
  db: Pick<Kysely<unknown>, 'getExecutor'>,
  name: string,
): Promise<boolean> {
  const found =
    dialectOf(db) === 'sqlite'
      ? sql`select name from sqlite_schema where type = 'table' and name = ${name}`
      : sql`select 1 where to_regclass(${name}) is not null`;
  return (await found.execute(db)).rows.length > 0;
}

/** For what a database failed to do and may be able to do in a moment. The log gets the cause. */
export function unavailable(cause: unknown): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    'The database is busy or cannot be reached right now. Please try again in a few seconds.',
    { cause },
  );
}

/** What a database that is being moved says to each write: PostgreSQL by its code, SQLite by its words. */
export const CLOSED = { code: 'PLC01', message: 'this database is being moved' };

/** The error as a person is told of it, if the database refused a write because it is being moved. */
export function explainClosed(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  return code === CLOSED.code || message === CLOSED.message
    ? new BeingMovedError({ cause: error })
    : error;
}
