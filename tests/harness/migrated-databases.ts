import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres } from '../../server/ground/database/postgres.ts';
import { openSqlite } from '../../server/ground/database/sqlite.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { migrateAll } from '../../server/running/migrate-all.ts';
import { createDatabase } from './postgres.ts';
import { runFolder } from './run-folder.ts';

const TEMPLATE = 'padlink_template';

const templateFile = () => join(runFolder(), 'migrated.sqlite');

/** Once for a run: what every product's first start would do to its own database. */
export async function createTemplates(): Promise<void> {
  const { url } = await createDatabase({ name: TEMPLATE });
  await migrate(openPostgres(url, { onLost() {}, patient: true }));
  await migrate(openSqlite(templateFile()));
}

/** A PostgreSQL database with all tables and no rows, as after the migrations of a first start. */
export const copyMigratedDatabase = () => createDatabase({ template: TEMPLATE });

/** The same for SQLite; outside a run of the tests, a first start creates it. */
export function copyMigratedFile(to: string): void {
  if (existsSync(templateFile())) copyFileSync(templateFile(), to);
}

async function migrate(db: Database): Promise<void> {
  await migrateAll(db);
  await db.destroy();
}
