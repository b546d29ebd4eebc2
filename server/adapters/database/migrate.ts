import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Tables } from '../../domain/tables.ts';
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
import { up as readiness } from './migrations/015-readiness.ts';

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
  '015-readiness': { up: readiness },
};

/** Brings the schema up to date under Kysely's lock: several processes may start at once. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
