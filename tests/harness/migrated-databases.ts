import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createAuth } from '../../server/accounts/auth/create-auth.ts';
import { migrateAuth } from '../../server/accounts/auth/migrate-auth.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openPostgres } from '../../server/database/postgres.ts';
import { openSqlite } from '../../server/database/sqlite.ts';
import type { Database } from '../../server/database/tables.ts';
import { createDatabase } from '../postgres.ts';
import { runFolder } from './run-folder.ts';

const TEMPLATE = 'padlink_template';

const templateFile = () => join(runFolder(), 'migrated.sqlite');

/** Once for a run: what every product's first start would do to its own database. */
export async function createTemplates(): Promise<void> {
  const { url } = await createDatabase({ name: TEMPLATE });
  await migrateAll(openPostgres(url, { onLost() {}, patient: true }), 'postgres');
  await migrateAll(openSqlite(templateFile()), 'sqlite');
}

/** A PostgreSQL database with all tables and no rows, as after the migrations of a first start. */
export const copyMigratedDatabase = () => createDatabase({ template: TEMPLATE });

/** The same for SQLite; outside a run of the tests, a first start creates it. */
export function copyMigratedFile(to: string): void {
  if (existsSync(templateFile())) copyFileSync(templateFile(), to);
}

async function migrateAll(db: Database, databaseKind: 'sqlite' | 'postgres'): Promise<void> {
  const auth = createAuth({
    ...{ db, databaseKind, publicUrl: 'http://localhost', secret: 'tests-'.repeat(8) },
    mails: { sendCode: async () => {}, sendNotice: async () => {} },
    mailAllowance: null,
    log: { debug() {}, warn() {}, error() {} },
  });
  await migrateAuth(auth, db);
  await migrate(db);
  await db.destroy();
}
