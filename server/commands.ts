import { existsSync } from 'node:fs';
import pino from 'pino';
import { openSandboxApi } from '../sandbox/start-sandbox.ts';
import { findMissingTriggers } from './adapters/database/find-missing-triggers.ts';
import { openPostgres } from './adapters/database/postgres.ts';
import { reachPostgres, UnreachableError } from './adapters/database/reach-postgres.ts';
import { resetTestData } from './adapters/database/reset-test-data.ts';
import { openSqlite } from './adapters/database/sqlite.ts';
import { openDiskStore } from './adapters/storage/disk/disk-store.ts';
import { openStripe } from './adapters/stripe/open-stripe.ts';
import { loadAppSecret } from './app-secret.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { findAccountId } from './domain/accounts/find-account-id.ts';
import { DomainError } from './domain/domain-error.ts';
import { countUnknownBlobs, emptyQuarantine } from './domain/files/sweep-unneeded-blobs.ts';
import { acceptSecret } from './domain/installation/match-secret.ts';
import { adoptStorage, matchStorage } from './domain/installation/match-storage.ts';
import { checkLedger } from './domain/ledger/check-ledger.ts';
import { EntryConflictError } from './domain/ledger/post-entry.ts';
import { recordPayout } from './domain/ledger/record-payout.ts';
import { listJobs } from './domain/outbox/list-jobs.ts';
import { retryJobs } from './domain/outbox/retry-jobs.ts';
import type { JobTable } from './domain/outbox/tables.ts';
import { reconcile } from './domain/purchases/reconcile.ts';
import { verifyFiles } from './domain/purchases/verify-files.ts';
import type { Database } from './domain/tables.ts';

const USAGE = `Usage: npm run cli -- COMMAND
  ledger check      recomputes the books and names every fault; exit code 1 if there is one
  ledger payout USER CENTS REFERENCE
                    books money that you have sent to a creator; USER is an id or an e-mail address
  reconcile [--since YYYY-MM-DD]
                    compares purchases with the payment provider, of the last 30 days unless told
                    otherwise, and mends what it safely can; exit code 1 if a person has to look
  jobs list         what waits, what fails and what was given up
  jobs retry ID|all lets a failed job, or all of them, run now
  jobs drop ID      forgets a job that was given up
  storage verify    compares the size of every finished file with the stored bytes and names every
                    one that is missing or damaged; exit code 1 if there is one
  storage adopt     makes the files in DATA_DIR those of this database, after a start refused them
  storage empty-quarantine
                    removes for good what waits in quarantine, when the disk is full
  secret accept     takes the present APP_SECRET for good, after a start refused it
  reset-test-data   removes every test purchase, so that live payments may begin`;

interface Call {
  db: Database;
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
  async 'ledger payout'({ db, config, words: [user = '', cents = '', ...reference] }) {
    const amountCents = Number(cents);
    if (!Number.isSafeInteger(amountCents) || amountCents <= 0 || reference.length === 0) {
      console.error(USAGE);
      return 2;
    }
    const ownerId = await findAccountId(db, user);
    const payout = { ownerId, mode: modeOf(config), amountCents, reference: reference.join(' ') };
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
  async 'storage empty-quarantine'({ db, config }) {
    const store = await openDiskStore(config.dataDir);
    const mismatch = await matchStorage(db, store, config).catch((error: Error) => error);
    if (mismatch) {
      console.error(mismatch.message);
      return 1;
    }
    const { removed, removedBytes } = await emptyQuarantine(db, store);
    console.log(`Removed from quarantine: ${removed} files, ${removedBytes} bytes.`);
    return 0;
  },
  async 'secret accept'({ db, config }) {
    await acceptSecret(db, config.appSecret ?? (await loadAppSecret(config.dataDir, neverUsed)));
    console.log('The present APP_SECRET is accepted. Personal links in older receipts are void.');
    return 0;
  },
  async reconcile({ db, config, words }) {
    const since = readSince(words);
    if (since === null) {
      console.error(USAGE);
      return 2;
    }
    const { provider, close } = await openProvider(config);
    const found = { compared: 0, mended: [], faults: [] };
    const sayAll = () => {
      for (const sentence of [...found.mended, ...found.faults]) console.log(sentence);
    };
    try {
      const { publicUrl, fee, refundCost } = config;
      const context = { db, provider, publicUrl, fee, refundCost, now: Date.now, publish() {} };
      await reconcile(context, since, found);
      sayAll();
      const { compared, mended, faults } = found;
      const day = new Date(since).toISOString().slice(0, 10);
      console.log(
        `Paid sessions compared since ${day}: ${compared}. Mended: ${mended.length}. For a person to look at: ${faults.length}.`,
      );
      return faults.length === 0 ? 0 : 1;
    } catch (error) {
      sayAll();
      console.error(`The comparison broke off; run it again. ${String(error)}`);
      return 1;
    } finally {
      await close();
    }
  },
  async 'jobs list'({ db }) {
    const { waiting, failing, dead, more } = await listJobs(db, LISTED_JOBS);
    const counts = waiting.map(({ kind, jobs }) => `${jobs} ${kind}`).join(', ');
    console.log(`Waiting: ${counts || 'none'}.`);
    for (const job of failing) console.log(`Failing: ${describeJob(job)}`);
    for (const job of dead) console.log(`Given up: ${describeJob(job)}`);
    if (more) console.log(`No more than ${LISTED_JOBS} of each are listed.`);
    return 0;
  },
  async 'jobs retry'({ db, words: [id] }) {
    if (!id) {
      console.error(USAGE);
      return 2;
    }
    const retried = await retryJobs(db, Date.now())
      .where(({ eb, or }) => or([eb('attempts', '>', 0), eb('died_at', 'is not', null)]))
      .$if(id !== 'all', (query) => query.where('id', '=', id))
      .returning('id')
      .execute();
    console.log(`Jobs that run again: ${retried.length}.`);
    return id === 'all' || retried.length > 0 ? 0 : 1;
  },
  async 'jobs drop'({ db, words: [id = ''] }) {
    const dropped = await db
      .deleteFrom('job')
      .where('id', '=', id)
      .where('died_at', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    console.log(dropped ? 'The job is dropped.' : 'No job of this id was given up.');
    return dropped ? 0 : 1;
  },
  async 'reset-test-data'({ db }) {
    await resetTestData(db);
    console.log('Every test purchase is removed.');
    return 0;
  },
};

const LISTED_JOBS = 200;
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

function describeJob({ id, kind, payload, attempts, run_at, died_at, last_error }: JobTable) {
  const time = new Date(died_at ?? run_at).toISOString();
  const when = died_at === null ? `again at ${time}` : `the last at ${time}`;
  return `${id} ${kind} ${payload}, failed tries: ${attempts}, ${when}. ${last_error}`;
}

/** UTC milliseconds; null for words that say nothing. */
function readSince([option, date]: string[]): number | null {
  if (option === undefined) return Date.now() - MONTH_MS;
  const since = option === '--since' && date ? Date.parse(date) : Number.NaN;
  return Number.isNaN(since) ? null : since;
}

/** The sandbox's state is in the data folder: a running server need not be asked for it. */
async function openProvider(config: Config) {
  const log = pino({ level: 'error' }, pino.destination(2));
  const { payments, dataDir, publicUrl } = config;
  if (payments.kind === 'stripe') {
    return { provider: openStripe(payments, log).provider, close: async () => {} };
  }
  const sandbox = await openSandboxApi({ dataDir, port: 0, publicUrl, log });
  const target = { kind: 'sandbox', apiUrl: sandbox.apiUrl, webhookSecret: '' } as const;
  return { provider: openStripe(target, log).provider, close: sandbox.stop };
}

function modeOf({ payments }: Config): 'test' | 'live' {
  return payments.kind === 'stripe' && payments.live ? 'live' : 'test';
}

async function main(line: string[]): Promise<number> {
  const name = Object.keys(COMMANDS).find((known) => `${line.join(' ')} `.startsWith(`${known} `));
  const command = name && COMMANDS[name];
  if (!command) {
    console.error(USAGE);
    return 2;
  }
  const config = readConfig(process.env);
  const { database } = config;
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
    return await command({ db, config, words: line.slice(name.split(' ').length) });
  } catch (error) {
    const known = [DomainError, EntryConflictError, UnreachableError];
    if (!(error instanceof Error && known.some((kind) => error instanceof kind))) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await db.destroy();
  }
}

process.umask(0o077);
process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  return 1;
});
