import { findMissingTriggers } from './adapters/database/find-missing-triggers.ts';
import { openPostgres } from './adapters/database/postgres.ts';
import { resetTestData } from './adapters/database/reset-test-data.ts';
import { openSqlite } from './adapters/database/sqlite.ts';
import { readConfig } from './config.ts';
import { checkLedger } from './domain/ledger/check-ledger.ts';
import type { Database } from './domain/tables.ts';

const USAGE = `Usage: npm run cli -- COMMAND
  ledger check      recomputes the books and names every fault; exit code 1 if there is one
  reset-test-data   removes every test purchase, so that live payments may begin`;

/** Each works on the configured database and answers the exit code. */
const COMMANDS: Record<string, (db: Database) => Promise<number>> = {
  async 'ledger check'(db) {
    const faults = [...(await findMissingTriggers(db)), ...(await checkLedger(db))];
    console.log(faults.length === 0 ? 'The ledger is in order.' : faults.join('\n'));
    return faults.length === 0 ? 0 : 1;
  },
  async 'reset-test-data'(db) {
    await resetTestData(db);
    console.log('Every test purchase is removed.');
    return 0;
  },
};

async function main(name: string): Promise<number> {
  const command = COMMANDS[name];
  if (!command) {
    console.error(USAGE);
    return 2;
  }
  const { database } = readConfig(process.env);
  const db =
    database.kind === 'sqlite'
      ? openSqlite(database.file)
      : openPostgres(database.url, (error) => console.error(error.message));
  try {
    return await command(db);
  } finally {
    await db.destroy();
  }
}

process.exitCode = await main(process.argv.slice(2).join(' '));
