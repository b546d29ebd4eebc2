import { getDatabaseFieldIndexName } from '@better-auth/core/db/internal';
import type { BetterAuthOptions } from 'better-auth';
import { getSchema } from 'better-auth/db';
import { getMigrations } from 'better-auth/db/migration';
import { sql } from 'kysely';
import { dialectOf } from '../../domain/dialect.ts';
import type { Database, DatabaseTransaction } from '../../domain/tables.ts';

/** Any number that no other user of the database's advisory locks takes. */
const LOCK = 7_234_165_001;

/**
 * Creates and extends the account library's own tables, all of it or nothing. Run before the
 * product's migrations. Several processes may start at once.
 */
export async function migrateAuth(
  auth: { options: BetterAuthOptions },
  db: Database,
): Promise<void> {
  const type = dialectOf(db);
  await db.transaction().execute(async (transaction) => {
    if (type === 'postgres') {
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    }
    const options = { ...auth.options, database: { db: transaction, type } };
    const { runMigrations } = await getMigrations(options);
    await runMigrations();
    await createLostIndexes(options, transaction);
  });
}

/**
 * The library creates the indexes of a table with the table and never again: a start that was
 * interrupted before they were part of one transaction left tables without them.
 */
async function createLostIndexes(
  options: BetterAuthOptions,
  db: DatabaseTransaction,
): Promise<void> {
  const present = await listIndexes(db);
  for (const [table, { fields }] of Object.entries(getSchema(options))) {
    for (const [column, { index, unique }] of Object.entries(fields)) {
      const name = getDatabaseFieldIndexName(table, column, false);
      if (!index || unique || present.has(name)) continue;
      await db.schema.createIndex(name).on(table).column(column).execute();
    }
  }
}

async function listIndexes(db: DatabaseTransaction): Promise<Set<string>> {
  const query =
    dialectOf(db) === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'index'`
      : sql<{ name: string }>`select indexname as name from pg_indexes
          where schemaname = current_schema()`;
  const { rows } = await query.execute(db);
  return new Set(rows.map(({ name }) => name));
}
