import { existsSync } from 'node:fs';
import { findMissingTriggers } from './adapters/database/find-missing-triggers.ts';
import { openPostgres } from './adapters/database/postgres.ts';
import { reachPostgres, UnreachableError } from './adapters/database/reach-postgres.ts';
import { resetTestData } from './adapters/database/reset-test-data.ts';
import { openSqlite } from './adapters/database/sqlite.ts';
import { openDiskStore } from './adapters/storage/disk/disk-store.ts';
import { loadAppSecret } from './app-secret.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { findAccountId } from './domain/accounts/find-account-id.ts';
import { DomainError } from './domain/domain-error.ts';
import { countUnknownBlobs } from './domain/files/sweep-unneeded-blobs.ts';
import { acceptSecret } from './domain/installation/match-secret.ts';
import { adoptStorage } from './domain/installation/match-storage.ts';
import { checkLedger } from './domain/ledger/check-ledger.ts';
import { EntryConflictError } from './domain/ledger/post-entry.ts';
import { recordPayout } from './domain/ledger/record-payout.ts';
import { verifyFiles } from './domain/purchases/verify-files.ts';
import type { Database } from './domain/tables.ts';

const USAGE = `Usage: npm run cli -- COMMAND
  ledger check      recomputes the books and names every fault; exit code 1 if there is one
  ledger payout USER CENTS REFERENCE
                    books money that you have sent to a creator; USER is an id or an e-mail address
  storage verify    compares the size of every finished file with the stored bytes and names every
                    one that is missing or damaged; exit code 1 if there is one
  storage adopt     makes the files in DATA_DIR those of this database, after a start refused them
  secret accept     takes the present APP_SECRET for good, after a start refused it
  reset-test-data   removes every test purchase, so that live payments may begin`;

interface Call {
  db: Database;
  mode: 'test' | 'live';
  config: Config;
  /** What follows the command's name. */
  words: string[];
}

const neverUsed = async () => false;

/** Each works on the configured database and answers the exit code. */
const COMMANDS: Record<string, (call: Call) => Promise<number>> = {
  async 'ledger check'({ db }) {
    const faults = [...(await findMissingTriggers(db)), ...(await checkLedger(db))];
    console.log(faults.length === 0 ? 'The ledger is in order.' : faults.join('\n'));
    return faults.length === 0 ? 0 : 1;
  },
  async 'ledger payout'({ db, mode, words: [user = '', cents = '', ...reference] }) {
    const amountCents = Number(cents);
    if (!Number.isSafeInteger(amountCents) || amountCents <= 0 || reference.length === 0) {
      console.error(USAGE);
      return 2;
    }
    const ownerId = await findAccountId(db, user);
    const payout = { ownerId, mode, amountCents, reference: reference.join(' ') };
    const booked = await recordPayout(db, payout, Date.now());
    console.log(booked ? 'The payout is booked.' : 'This payout was booked already.');
    return 0;
  },
  async 'storage verify'({ db, config }) {
    const faults = await verifyFiles(db, await openDiskStore(config.dataDir));
    console.log(
      faults.length === 0 ? 'Every stored file is there in its full size.' : faults.join('\n'),
    );
    return faults.length === 0 ? 0 : 1;
  },
  async 'storage adopt'({ db, config }) {
    const store = await openDiskStore(config.dataDir);
    await adoptStorage(db, store);
    const unknown = await countUnknownBlobs(db, store);
    console.log(
      `The files in ${config.dataDir} are those of this database now. It knows nothing of ${unknown} of them; they stay.`,
    );
    return 0;
  },
  async 'secret accept'({ db, config }) {
    await acceptSecret(db, config.appSecret ?? (await loadAppSecret(config.dataDir, neverUsed)));
    console.log('The present APP_SECRET is accepted. Personal links in older receipts are void.');
    return 0;
  },
  async 'reset-test-data'({ db }) {
    await resetTestData(db);
    console.log('Every test purchase is removed.');
    return 0;
  },
};

async function main(line: string[]): Promise<number> {
  const name = Object.keys(COMMANDS).find((known) => `${line.join(' ')} `.startsWith(`${known} `));
  const command = name && COMMANDS[name];
  if (!command) {
    console.error(USAGE);
    return 2;
  }
  const config = readConfig(process.env);
  const { database, payments } = config;
  const mode = payments.kind === 'stripe' && payments.live ? 'live' : 'test';
  if (database.kind === 'sqlite' && !existsSync(database.file)) {
    console.error(`There is no ${database.file}. Set DATA_DIR or DATABASE_URL as for the server.`);
    return 1;
  }
  const db =
    database.kind === 'sqlite'
      ? openSqlite(database.file)
      : openPostgres(database.url, {
          onLost: (error) => console.error(error.message),
          patient: true,
        });
  try {
    if (database.kind === 'postgres') await reachPostgres(db, database.url);
    return await command({ db, mode, config, words: line.slice(name.split(' ').length) });
  } catch (error) {
    const known = [DomainError, EntryConflictError, UnreachableError];
    if (!(error instanceof Error && known.some((kind) => error instanceof kind))) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await db.destroy();
  }
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  return 1;
});
