import { openPostgres } from './adapters/database/postgres.ts';
import { openSqlite } from './adapters/database/sqlite.ts';
import { readConfig } from './config.ts';
import { checkLedger } from './domain/ledger/check-ledger.ts';

const USAGE = `Usage: npm run cli -- ledger check
  ledger check   recomputes the books and names every fault; exit code 1 if there is one`;

/** The operator's commands on the configured database. */
async function main(command: string): Promise<number> {
  if (command !== 'ledger check') {
    console.error(USAGE);
    return 2;
  }
  const { database } = readConfig(process.env);
  const db =
    database.kind === 'sqlite'
      ? openSqlite(database.file)
      : openPostgres(database.url, (error) => console.error(error.message));
  try {
    const faults = await checkLedger(db);
    console.log(faults.length === 0 ? 'The ledger is in order.' : faults.join('\n'));
    return faults.length === 0 ? 0 : 1;
  } finally {
    await db.destroy();
  }
}

process.exitCode = await main(process.argv.slice(2).join(' '));
