import type { Kysely, LogEvent, Transaction } from 'kysely';

/**
 * Every table: each feature adds its own in its tables.ts. Times are UTC milliseconds, money is
 * integer cents, flags are 0 or 1.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface Tables {}

/** The database or an open transaction: what every operation takes. */
export type Database = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;

/** What most operations use. */
export interface DatabaseContext {
  db: Database;
  /** UTC milliseconds. */
  now: () => number;
}

/** Told of each statement after it ran. */
export type LogStatement = (event: LogEvent) => void;
