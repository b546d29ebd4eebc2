import { PRODUCT_NAME } from '../../contract/runtime-config.ts';
import { dialectOf } from '../ground/database/dialect.ts';
import { MIGRATIONS, migrate } from '../ground/database/migrate.ts';
import type { Database } from '../ground/database/tables.ts';
import { createAuth } from '../people/accounts/auth/create-auth.ts';
import { migrateAuth } from '../people/accounts/auth/migrate-auth.ts';

/**
 * Creates every table, also those of the account library, as a first start does.
 * @param migrations the product's, or the first ones of them
 */
export async function migrateAll(db: Database, migrations = MIGRATIONS): Promise<void> {
  const auth = createAuth({
    db,
    databaseKind: dialectOf(db),
    publicUrl: 'http://localhost',
    siteName: PRODUCT_NAME,
    secret: 'x'.repeat(32),
    sendLetter: async () => {},
    mailAllowance: null,
    log: { debug() {}, warn() {}, error() {} },
  });
  await migrateAuth(auth, db);
  await migrate(db, migrations);
}
