import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS object (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    account TEXT,
    created INTEGER NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS object_by_time ON object (kind, account, created, seq);
  DROP INDEX IF EXISTS object_by_kind;
  CREATE TABLE IF NOT EXISTS event_delivery (
    event TEXT PRIMARY KEY REFERENCES object (id),
    attempts INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    due_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS event_delivery_by_due ON event_delivery (due_ms);
  CREATE TABLE IF NOT EXISTS idempotency (
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    request_id TEXT NOT NULL,
    path TEXT NOT NULL,
    params TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (account, key)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS idempotency_by_age ON idempotency (created);
  CREATE TABLE IF NOT EXISTS schedule (
    id INTEGER PRIMARY KEY,
    task TEXT NOT NULL,
    subject TEXT NOT NULL,
    account TEXT,
    due_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS schedule_by_due ON schedule (due_ms);
`;

/**
 * Opens the sandbox's database and creates its tables. A commit survives the death of the process
 * with `synchronous = NORMAL`; only a power cut could lose the last moments, of play money.
 */
export function openDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
  db.exec(SCHEMA);
  return db;
}

/** Preparing a statement costs as much as running it: those of a database are kept by their text. */
const kept = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

export function prepare(db: DatabaseSync, sql: string): StatementSync {
  const known = kept.get(db) ?? new Map<string, StatementSync>();
  kept.set(db, known);
  const statement = known.get(sql) ?? db.prepare(sql);
  known.set(sql, statement);
  return statement;
}

/** Runs the work in one transaction: all of it is kept, or nothing when it throws. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  prepare(db, 'BEGIN IMMEDIATE').run();
  try {
    const result = work();
    prepare(db, 'COMMIT').run();
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

/** Like a transaction inside the transaction: when the work throws, only its own writes go. */
export function inSavepoint<T>(db: DatabaseSync, work: () => T): T {
  prepare(db, 'SAVEPOINT work').run();
  try {
    return work();
  } catch (error) {
    db.exec('ROLLBACK TO work');
    throw error;
  } finally {
    prepare(db, 'RELEASE work').run();
  }
}
