import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { dialectOf, hasTable, MIGRATING } from './dialect.ts';
import { up as begin } from './migrations/101-begin.ts';
import { up as versions } from './migrations/102-versions.ts';
import { up as addFileFacts } from './migrations/103-file-facts.ts';
import { up as multipartUploads } from './migrations/104-multipart-uploads.ts';
import { up as purchaseTitles } from './migrations/105-purchase-titles.ts';
import { up as delivery } from './migrations/106-delivery.ts';
import { up as signingKeys } from './migrations/107-signing-keys.ts';
import { up as previews } from './migrations/108-previews.ts';
import { up as reserves } from './migrations/109-reserves.ts';
import { up as ownRefunds } from './migrations/110-own-refunds.ts';
import { up as providerBooks } from './migrations/111-provider-books.ts';
import { up as eventAccounts } from './migrations/112-event-accounts.ts';
import { up as payouts } from './migrations/113-payouts.ts';
import { up as saleOrders } from './migrations/114-sale-orders.ts';
import { up as refundsAndDisputes } from './migrations/115-refunds-and-disputes.ts';
import { up as taxes } from './migrations/116-taxes.ts';
import { up as operators } from './migrations/117-operators.ts';
import { up as moderation } from './migrations/118-moderation.ts';
import { up as indexesOfFew } from './migrations/120-indexes-of-few.ts';
import { up as salesInTime } from './migrations/121-sales-in-time.ts';
import { up as processes } from './migrations/122-processes.ts';
import { up as importedAccounts } from './migrations/124-imported-accounts.ts';
import { up as listedEvents } from './migrations/125-listed-events.ts';
import { up as discounts } from './migrations/126-discounts.ts';
import { up as namedPrices } from './migrations/127-named-prices.ts';
import { up as limitedSales } from './migrations/128-limited-sales.ts';
import { up as sellerPages } from './migrations/129-seller-pages.ts';
import { up as moves } from './migrations/132-moves.ts';
import { up as fileUsage } from './migrations/133-file-usage.ts';
import { up as hooks } from './migrations/134-hooks.ts';
import { up as carts } from './migrations/135-carts.ts';
import { up as secretKeyScopes } from './migrations/140-secret-key-scopes.ts';
import { up as notifications } from './migrations/145-notifications.ts';
import { up as linkSources } from './migrations/150-link-sources.ts';
import { up as shortNames } from './migrations/151-short-names.ts';
import { up as notifiedBrowsers } from './migrations/152-notified-browsers.ts';
import { up as weeklySummaries } from './migrations/153-weekly-summaries.ts';
import { up as bundles } from './migrations/154-bundles.ts';
import { up as purchaseParts } from './migrations/155-purchase-parts.ts';
import { up as buyerLanguages } from './migrations/157-buyer-languages.ts';
import { up as gifts } from './migrations/160-gifts.ts';
import { up as salesInShorterTimes } from './migrations/161-sales-in-shorter-times.ts';
import { up as whatWasBought } from './migrations/162-what-was-bought.ts';
import { up as wordsAnew } from './migrations/163-words-anew.ts';
import { up as canonicalAddresses } from './migrations/164-canonical-addresses.ts';
import { up as payments } from './migrations/165-payments.ts';
import type { Database } from './tables.ts';

/** In order. A released one never changes: docs/decisions/026-migrations-are-frozen.md. */
export const MIGRATIONS: Record<string, Migration> = {
  '101-begin': { up: begin },
  '102-versions': { up: versions },
  '103-file-facts': { up: addFileFacts },
  '104-multipart-uploads': { up: multipartUploads },
  '105-purchase-titles': { up: purchaseTitles },
  '106-delivery': { up: delivery },
  '107-signing-keys': { up: signingKeys },
  '108-previews': { up: previews },
  '109-reserves': { up: reserves },
  '110-own-refunds': { up: ownRefunds },
  '111-provider-books': { up: providerBooks },
  '112-event-accounts': { up: eventAccounts },
  '113-payouts': { up: payouts },
  '114-sale-orders': { up: saleOrders },
  '115-refunds-and-disputes': { up: refundsAndDisputes },
  '116-taxes': { up: taxes },
  '117-operators': { up: operators },
  '118-moderation': { up: moderation },
  '120-indexes-of-few': { up: indexesOfFew },
  '121-sales-in-time': { up: salesInTime },
  '122-processes': { up: processes },
  '124-imported-accounts': { up: importedAccounts },
  '125-listed-events': { up: listedEvents },
  '126-discounts': { up: discounts },
  '127-named-prices': { up: namedPrices },
  '128-limited-sales': { up: limitedSales },
  '129-seller-pages': { up: sellerPages },
  '132-moves': { up: moves },
  '133-file-usage': { up: fileUsage },
  '134-hooks': { up: hooks },
  '135-carts': { up: carts },
  '140-secret-key-scopes': { up: secretKeyScopes },
  '145-notifications': { up: notifications },
  '150-link-sources': { up: linkSources },
  '151-short-names': { up: shortNames },
  '152-notified-browsers': { up: notifiedBrowsers },
  '153-weekly-summaries': { up: weeklySummaries },
  '154-bundles': { up: bundles },
  '155-purchase-parts': { up: purchaseParts },
  '157-buyer-languages': { up: buyerLanguages },
  '160-gifts': { up: gifts },
  '161-sales-in-shorter-times': { up: salesInShorterTimes },
  '162-what-was-bought': { up: whatWasBought },
  '163-words-anew': { up: wordsAnew },
  '164-canonical-addresses': { up: canonicalAddresses },
  '165-payments': { up: payments },
};

/**
 * Brings the schema up to date, each migration and its record in one transaction: it may be
 * interrupted anywhere. Several processes may start at once.
 * @param migrations the product's, or with later ones
 * @throws Error also where the database already holds what a migration would create and no record of it
 */
export async function migrate(db: Database, migrations = MIGRATIONS): Promise<void> {
  if (dialectOf(db) === 'sqlite') return migrateSqlite(db, migrations);
  if (db.isTransaction) return migrateUp(db, migrations);
  await db.connection().execute(async (connection) => {
    // The library's own lock begins after it has listed the tables.
    await sql`select pg_advisory_lock(${MIGRATING})`.execute(connection);
    try {
      await migrateUp(connection, migrations);
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATING})`.execute(connection);
    }
  });
}

/** A table is made anew beside those that refer to it; in a transaction of the caller's, none does yet. */
async function migrateSqlite(db: Database, migrations: typeof MIGRATIONS): Promise<void> {
  await sql`pragma foreign_keys = off`.execute(db);
  await sql`pragma legacy_alter_table = on`.execute(db);
  try {
    await migrateUp(db, migrations);
  } finally {
    await sql`pragma legacy_alter_table = off`.execute(db);
    await sql`pragma foreign_keys = on`.execute(db);
  }
}

async function migrateUp(db: Database, migrations: typeof MIGRATIONS): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp();
    if (error) throw explain(error, results[0]?.migrationName);
    if (results.length === 0) return;
  }
}

/**
 * Whether every migration that this version knows is applied. Further ones are a newer version's,
 * which is replacing this one.
 */
export async function isMigrated(db: Database): Promise<boolean> {
  const applied = new Set(await appliedMigrations(db));
  return Object.keys(MIGRATIONS).every((name) => applied.has(name));
}

/**
 * In order, what an upgrade of a database would apply; nothing for one that is still empty.
 * @param migrations the product's, or with later ones
 */
export async function findPendingMigrations(
  db: Database,
  migrations = MIGRATIONS,
): Promise<string[]> {
  if (!(await hasTable(db, DEFAULT_MIGRATION_TABLE))) return [];
  const applied = new Set(await appliedMigrations(db));
  return Object.keys(migrations).filter((name) => !applied.has(name));
}

export async function appliedMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

function explain(error: unknown, migration?: string): unknown {
  if (!migration || !(error instanceof Error && / already exists/.test(error.message))) {
    return error;
  }
  return new Error(
    `The database already contains what migration ${migration} would create (${error.message}), ` +
      'but no record of it. Restore a backup, or start with an empty database.',
    { cause: error },
  );
}

/**
 * Run before anything is changed.
 * @throws Error when another version has written this database, one with migrations that this one lacks
 */
export async function refuseNewerSchema(db: Database): Promise<void> {
  if (!(await hasTable(db, DEFAULT_MIGRATION_TABLE))) return;
  const unknown = (await appliedMigrations(db)).filter((name) => !(name in MIGRATIONS));
  if (unknown.length === 0) return;
  throw new Error(
    `This database was written by another version of Padlink (${unknown.join(', ')}). ` +
      'Start that version, or restore a backup made with this one, such as the copy from before the upgrade: docs/backup.md, under Downgrade.',
  );
}
