import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import type { Database } from '../../domain/tables.ts';
import { dialectOf } from './dialect.ts';
import { up as begin } from './migrations/001-begin.ts';
import { up as appendOnlyLedger } from './migrations/002-append-only-ledger.ts';
import { up as secretKeys } from './migrations/003-secret-keys.ts';
import { up as followTheMoney } from './migrations/004-follow-the-money.ts';
import { up as deletedLinks } from './migrations/006-deleted-links.ts';
import { up as paywallPage } from './migrations/007-paywall-page.ts';
import { up as statistics } from './migrations/008-statistics.ts';
import { up as searchLinks } from './migrations/009-search-links.ts';
import { up as filesOfPurchases } from './migrations/010-files-of-purchases.ts';
import { up as unlistedLinks } from './migrations/011-unlisted-links.ts';
import { up as installation } from './migrations/012-installation.ts';
import { up as reviveJobs } from './migrations/013-revive-jobs.ts';
import { up as deadLetters } from './migrations/014-dead-letters.ts';
import { up as readiness } from './migrations/015-readiness.ts';
import { up as hashedSessions } from './migrations/016-hashed-sessions.ts';
import { up as boundedRows } from './migrations/017-bounded-rows.ts';
import { removeHalfMigration } from './remove-half-migration.ts';

const MIGRATIONS: Record<string, Migration> = {
  '001-begin': { up: begin },
  '002-append-only-ledger': { up: appendOnlyLedger },
  '003-secret-keys': { up: secretKeys },
  '004-follow-the-money': { up: followTheMoney },
  '006-deleted-links': { up: deletedLinks },
  '007-paywall-page': { up: paywallPage },
  '008-statistics': { up: statistics },
  '009-search-links': { up: searchLinks },
  '010-files-of-purchases': { up: filesOfPurchases },
  '011-unlisted-links': { up: unlistedLinks },
  '012-installation': { up: installation },
  '013-revive-jobs': { up: reviveJobs },
  '014-dead-letters': { up: deadLetters },
  '015-readiness': { up: readiness },
  '016-hashed-sessions': { up: hashedSessions },
  '017-bounded-rows': { up: boundedRows },
};

/**
 * Brings the schema up to date, each migration and its record in one transaction: it may be
 * interrupted anywhere. Several processes may start at once.
 */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  let repaired: string | undefined;
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp();
    const failed = results.find(({ status }) => status === 'Error')?.migrationName;
    if (failed && failed !== repaired && isHalfDone(db, error)) {
      await removeHalfMigration(db, migrationsUntil(failed, 0), migrationsUntil(failed, 1));
      repaired = failed;
    } else if (error) throw error;
    else if (results.length === 0) return;
  }
}

/**
 * Run before anything is changed.
 * @throws Error when a newer version has written this database
 */
export async function refuseNewerSchema(db: Database): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  const unknown = rows.map(({ name }) => name).filter((name) => !(name in MIGRATIONS));
  if (unknown.length === 0) return;
  throw new Error(
    `This database was written by a newer version of Padlink (${unknown.join(', ')}). ` +
      'Start that version, or restore a backup from before the upgrade.',
  );
}

function isHalfDone(db: Database, error: unknown): boolean {
  return (
    dialectOf(db) === 'sqlite' &&
    error instanceof Error &&
    /already exists|duplicate column/.test(error.message)
  );
}

/** Those before the named one, and as many from it on as `more` says. */
function migrationsUntil(name: string, more: number): Record<string, Migration> {
  const all = Object.entries(MIGRATIONS);
  return Object.fromEntries(all.slice(0, all.findIndex(([known]) => known === name) + more));
}
