import { findMissingTriggers } from './adapters/database/find-missing-triggers.ts';
import { openPostgres } from './adapters/database/postgres.ts';
import { resetTestData } from './adapters/database/reset-test-data.ts';
import { openSqlite } from './adapters/database/sqlite.ts';
import { readConfig } from './config.ts';
import { findAccountId } from './domain/accounts/find-account-id.ts';
import { DomainError } from './domain/domain-error.ts';
import { checkLedger } from './domain/ledger/check-ledger.ts';
import { EntryConflictError } from './domain/ledger/post-entry.ts';
import { recordPayout } from './domain/ledger/record-payout.ts';
import type { Database } from './domain/tables.ts';

const USAGE = `Usage: npm run cli -- COMMAND
  ledger check      recomputes the books and names every fault; exit code 1 if there is one
  ledger payout USER CENTS REFERENCE
                    books money that you have sent to a creator; USER is an id or an e-mail address
  reset-test-data   removes every test purchase, so that live payments may begin`;

interface Call {
  db: Database;
  mode: 'test' | 'live';
  /** What follows the command's name. */
  words: string[];
}

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
  const { database, payments } = readConfig(process.env);
  const mode = payments.kind === 'stripe' && payments.live ? 'live' : 'test';
  const db =
    database.kind === 'sqlite'
      ? openSqlite(database.file)
      : openPostgres(database.url, (error) => console.error(error.message));
  try {
    return await command({ db, mode, words: line.slice(name.split(' ').length) });
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof EntryConflictError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await db.destroy();
  }
}

process.exitCode = await main(process.argv.slice(2));
