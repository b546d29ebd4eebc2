import type { BetterAuthOptions } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { sql } from 'kysely';
import { dialectOf, MIGRATING } from '../../database/dialect.ts';
import type { Database, DatabaseTransaction } from '../../database/tables.ts';
import { transaction } from '../../database/transaction.ts';

/**
 * Creates and extends the account library's own tables, all of it or nothing. Run before the
 * product's migrations. Several processes may start at once.
 */
export async function migrateAuth(
  auth: { options: BetterAuthOptions },
  db: Database,
): Promise<void> {
  const type = dialectOf(db);
  await transaction(db, async (trx) => {
    if (type === 'postgres') {
      await sql`select pg_advisory_xact_lock(${MIGRATING})`.execute(trx);
    }
    const options = { ...auth.options, database: { db: trx, type } };
    const { runMigrations, toBeCreated } = await getMigrations(options);
    await runMigrations();
    if (toBeCreated.some(({ table }) => table === 'user')) await indexUnconfirmed(trx);
  });
}

/** The hourly sweep asks for sign-ups that nobody confirmed: a few among many. */
async function indexUnconfirmed(db: DatabaseTransaction): Promise<void> {
  await sql`
    create index user_unconfirmed on "user" ("createdAt")
    where "emailVerified" = false`.execute(db);
}
