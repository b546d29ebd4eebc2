import type { DatabaseSync } from 'node:sqlite';

/** Runs the work in one transaction: all of it is kept, or nothing when it throws. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

/** Like a transaction inside the transaction: when the work throws, only its own writes go. */
export function inSavepoint<T>(db: DatabaseSync, work: () => T): T {
  db.exec('SAVEPOINT work');
  try {
    return work();
  } catch (error) {
    db.exec('ROLLBACK TO work');
    throw error;
  } finally {
    db.exec('RELEASE work');
  }
}
