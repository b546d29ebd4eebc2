import type { BetterAuthOptions } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { sql } from 'kysely';
import type { Database } from '../../domain/tables.ts';

/** Any number that no other user of the database's advisory locks takes. */
const LOCK = 7_234_165_001;

/**
 * Creates and extends the account library's own tables. Run before the product's migrations.
 * Several processes may start at once.
 */
export async function migrateAuth(
  auth: { options: BetterAuthOptions },
  db: Database,
  kind: 'sqlite' | 'postgres',
): Promise<void> {
  if (kind === 'sqlite') return runMigrations(auth.options);
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${LOCK})`.execute(connection);
    try {
      await runMigrations(auth.options);
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection);
    }
  });
}

async function runMigrations(options: BetterAuthOptions): Promise<void> {
  const { runMigrations: run } = await getMigrations(options);
  await run();
}
