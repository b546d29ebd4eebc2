import { createAuth } from './accounts/auth/create-auth.ts';
import { migrateAuth } from './accounts/auth/migrate-auth.ts';
import { dialectOf } from './database/dialect.ts';
import { MIGRATIONS, migrate } from './database/migrate.ts';
import type { Database } from './database/tables.ts';

/**
 * Creates every table, also those of the account library, as a first start does.
 * @param migrations the product's, or the first ones of them
 */
export async function migrateAll(db: Database, migrations = MIGRATIONS): Promise<void> {
  const auth = createAuth({
    ...{ db, databaseKind: dialectOf(db), publicUrl: 'http://localhost', secret: 'x'.repeat(32) },
    sendLetter: async () => {},
    mailAllowance: null,
    log: { debug() {}, warn() {}, error() {} },
  });
  await migrateAuth(auth, db);
  await migrate(db, migrations);
}
