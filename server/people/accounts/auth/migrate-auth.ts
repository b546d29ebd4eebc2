import type { BetterAuthOptions } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { sql } from 'kysely';
import { dialectOf, MIGRATING } from '../../../ground/database/dialect.ts';
import type { Database, DatabaseTransaction } from '../../../ground/database/tables.ts';
import { transaction } from '../../../ground/database/transaction.ts';
import { canonicalAddress } from '../../../ground/lib/canonical-address.ts';

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
    await unifyAddresses(trx);
  });
}

/** The hourly sweep asks for sign-ups that nobody confirmed: a few among many. */
async function indexUnconfirmed(db: DatabaseTransaction): Promise<void> {
  await sql`
    create index user_unconfirmed on "user" ("createdAt")
    where "emailVerified" = false`.execute(db);
}

/**
 * Accounts from before addresses were kept in one form: those of sign-in services, which state them
 * in any. Where another account has the form already, or an older one gets it, the address stays as
 * it is: its owner signs in by the service, and loses nothing.
 */
async function unifyAddresses(db: DatabaseTransaction): Promise<void> {
  const accounts = await db
    .selectFrom('user')
    .where(sql<boolean>`octet_length("user".email) > length("user".email)`)
    .orderBy('createdAt')
    .select(['id', 'email'])
    .execute();
  for (const { id, email } of accounts) {
    const canonical = canonicalAddress(email);
    if (canonical === email) continue;
    await db
      .updateTable('user')
      .set({ email: canonical })
      .where('id', '=', id)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('user as other').where('other.email', '=', canonical).select('other.id'),
          ),
        ),
      )
      .execute();
  }
}
