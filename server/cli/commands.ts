import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import pino from 'pino';
import { formatBytes } from '../../contract/format.ts';
import { openStore } from '../adapters/storage/open-store.ts';
import { EntryConflictError } from '../books/ledger/post-entry.ts';
import { DOWNLOAD_TICKET } from '../delivery/downloads/download-url.ts';
import { importDeliveries } from '../delivery/downloads/import-deliveries.ts';
import { verifyFiles } from '../delivery/downloads/verify-files.ts';
import { listUndelivered } from '../delivery/downloads/watch-deliveries.ts';
import { rotateSigningKey } from '../delivery/receipts/signing-keys.ts';
import { countUnknownBlobs, emptyQuarantine } from '../files/sweep.ts';
import {
  type Config,
  ConfigError,
  type Environment,
  readConfig,
} from '../ground/config/read-config.ts';
import { UnreachableError } from '../ground/database/postgres.ts';
import { resetTestData } from '../ground/database/reset-test-data.ts';
import type { Database } from '../ground/database/tables.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import { createSigner } from '../ground/lib/signer.ts';
import { isoTime } from '../ground/lib/time.ts';
import { dropDeadJob, listJobs, retryFailedJobs } from '../ground/outbox/jobs.ts';
import type { JobTable } from '../ground/outbox/tables.ts';
import { reconcile } from '../money/payments/reconcile.ts';
import { BackupRefused } from '../running/backup/backup-refused.ts';
import { loadAppSecret, lockDataFolder } from '../running/data-folder.ts';
import {
  acceptSecret,
  adoptStorage,
  matchSecret,
  matchStorage,
  wasSecretUsed,
} from '../running/installation/match-installation.ts';
import {
  copyStorage,
  finishMove,
  MoveRefused,
  removeSource,
} from '../running/installation/move-storage.ts';
import { ACCOUNT_COMMANDS, ACCOUNT_USAGE } from './account.ts';
import { BACKUP_COMMANDS, BACKUP_USAGE, RESTORE_COMMANDS } from './backup.ts';
import {
  type BareCall,
  type Call,
  createProgress,
  DONE,
  FAILED,
  inJson,
  Misuse,
  type Outcome,
  type Output,
  takeJsonOption,
  tellProgress,
} from './command-line.ts';
import { DOCTOR_COMMANDS, DOCTOR_USAGE } from './doctor.ts';
import { LEDGER_COMMANDS, LEDGER_USAGE } from './ledger.ts';
import { LINK_COMMANDS, LINK_USAGE } from './link.ts';
import { MCP_COMMANDS, MCP_USAGE } from './mcp.ts';
import { MOVE_COMMANDS, MOVE_USAGE } from './move.ts';
import { openProvider } from './open-provider.ts';
import { PAYOUT_COMMANDS, PAYOUT_USAGE } from './payout.ts';
import { USER_COMMANDS, USER_USAGE } from './user.ts';
import { withDatabase } from './with-database.ts';

const USAGE = `Usage: npm run cli -- COMMAND [--json]
${LEDGER_USAGE}
${PAYOUT_USAGE}
${USER_USAGE}
${BACKUP_USAGE}
${MOVE_USAGE}
${ACCOUNT_USAGE}
${LINK_USAGE}
${DOCTOR_USAGE}
${MCP_USAGE}
  reconcile [--since YYYY-MM-DD]
                    compares purchases with the payment provider, for the last 30 days unless told
                    otherwise, and repairs what it safely can; exit code 1 if it needs your attention
  stripe check      tries every permission that the key needs, and compares the events of the
                    webhook endpoint with those needed; exit code 1 if something is missing
  jobs list         shows jobs that are waiting, failing or given up
  jobs retry ID|all runs a failed job, or all of them, now
  jobs drop ID      discards a job that was given up
  storage verify    reads every finished file, compares its SHA-256 with that of the upload and
                    reports every one that is missing or damaged; exit code 1 if there are any
  storage adopt     accepts the files in DATA_DIR as this database's, after a start refused them
  storage empty-quarantine
                    permanently removes the files in quarantine, for when the disk is full
  storage move --to s3|disk [--finish|--remove-source]
                    copies every file between DATA_DIR and S3_BUCKET and compares the copies, also
                    while Padlink runs; then stop it and repeat with --finish: it copies what is new
                    and Padlink can start with the other settings. --remove-source removes the files
                    from where they came
  deliveries import FILE
                    counts the downloads in a log that nginx wrote as deploy/nginx.conf has it; the
                    same file can be read again
  undelivered       lists the purchases that did not arrive, though their buyers were reminded
  secret accept     accepts the current APP_SECRET permanently, after a start refused it
  keys rotate       signs receipts with a new key from now on; older ones stay verifiable
  reset-test-data   removes every test purchase, so that live payments can begin`;

/** How the commands that begin with a word are written: whole pages would hide what was wrong. */
function writeUsage(word = ''): string {
  const [head, ...commands] = USAGE.split(/\n(?= {2}\S)/);
  const meant = commands.filter((command) => command.trimStart().split(/\s/, 1)[0] === word);
  return [head, ...(meant.length > 0 ? meant : commands)].join('\n');
}

const neverUsed = async () => false;

/** Errors whose message is for the operator. */
const REFUSALS = [
  BackupRefused,
  ConfigError,
  DomainError,
  EntryConflictError,
  MoveRefused,
  UnreachableError,
];

/** Each works on the configured database. */
const ON_DATABASE: Record<string, (call: Call) => Promise<Outcome>> = {
  ...LEDGER_COMMANDS,
  ...PAYOUT_COMMANDS,
  ...USER_COMMANDS,
  ...BACKUP_COMMANDS,
  ...MOVE_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...LINK_COMMANDS,
  async 'storage verify'({ db, out, config }) {
    const store = await openConfiguredStore(config, db);
    const faults = await verifyFiles(db, store, createProgress(out));
    out.log(faults.length === 0 ? 'Every stored file is as it was uploaded.' : faults.join('\n'));
    return { ok: faults.length === 0, faults };
  },
  async 'storage adopt'({ db, out, config }) {
    const store = await openConfiguredStore(config, db);
    await adoptStorage(db, store);
    const unknown = await countUnknownBlobs({ db, store });
    out.log(
      `The files in ${store.place} now belong to this database. It does not know ${unknown} of them; they are kept.`,
    );
    return DONE;
  },
  async 'storage empty-quarantine'({ db, out, config }) {
    const store = await openConfiguredStore(config, db);
    const mismatch = await matchStorage(db, store, config.database).catch((error: Error) => error);
    if (mismatch) {
      out.error(mismatch.message);
      return FAILED;
    }
    const { removed, removedBytes } = await emptyQuarantine({ db, store });
    out.log(`Removed from quarantine: ${removed} files, ${removedBytes} bytes.`);
    return DONE;
  },
  async 'storage move'({ db, out, config, words: [option, target = '', step = ''] }) {
    const isKnown = ['', '--finish', '--remove-source'].includes(step);
    if (option !== '--to' || !['s3', 'disk'].includes(target) || !isKnown) {
      throw new Misuse(
        'Say where to: --to s3 or --to disk, and after it nothing, --finish or --remove-source.',
      );
    }
    if (!config.s3) {
      out.error('S3_BUCKET: missing; name the bucket that files are moved to or from');
      return FAILED;
    }
    const [s3, disk] = [config, { ...config, s3: null }];
    const [from, to] = target === 's3' ? [disk, s3] : [s3, disk];
    const stores = {
      db,
      from: await openConfiguredStore(from, db),
      to: await openConfiguredStore(to, db),
    };
    if (step === '--remove-source') {
      const { removed, kept } = await removeSource(stores);
      out.log(`Removed from ${stores.from.place}: ${removed} files. Kept without a copy: ${kept}.`);
      return { ok: kept === 0 };
    }
    const release = step === '--finish' ? await requireStopped(config) : () => {};
    try {
      const moved = await copyStorage(stores, ({ copied, copiedBytes }) => {
        if (copied % TOLD_EVERY === 0) out.log(`${copied} files, ${formatBytes(copiedBytes)}`);
      });
      const { copied, copiedBytes, known, faults, damaged } = moved;
      for (const fault of [...faults, ...damaged]) out.error(fault);
      out.log(
        `Copied to ${stores.to.place}: ${copied} files, ${formatBytes(copiedBytes)}. Copied before: ${known}.`,
      );
      if (faults.length > 0) return FAILED;
      if (step === '') {
        out.log('Stop Padlink and repeat this with --finish, which copies what is new by then.');
        return { ok: damaged.length === 0 };
      }
      await finishMove(stores);
      const setting = target === 's3' ? 'with' : 'without';
      out.log(`The files are moved. Start Padlink ${setting} the S3 settings from now on.`);
      return DONE;
    } finally {
      release();
    }
  },
  async 'deliveries import'({ db, out, config, words: [file] }) {
    if (!file) {
      throw new Misuse('Which log of nginx? Name its FILE.');
    }
    const secret =
      config.appSecret ?? (await loadAppSecret(config.dataDir, () => wasSecretUsed(db)));
    const signer = createSigner(secret, 'download', DOWNLOAD_TICKET);
    const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
    const { counted, skipped } = await importDeliveries(db, signer, lines);
    out.log(`Downloads of buyers that were counted: ${counted}. Other lines: ${skipped}.`);
    return DONE;
  },
  async undelivered({ db, out }) {
    const purchases = await listUndelivered(db);
    for (const { id, linkId, sellerId, paidAt, isRefused } of purchases) {
      const why = isRefused ? 'the email address was refused' : 'the personal link was not opened';
      out.log(`${isoTime(paidAt)} purchase ${id}, link ${linkId}, seller ${sellerId}: ${why}`);
    }
    out.log(`Paid and not delivered: ${purchases.length}.`);
    return {
      ok: true,
      purchases: purchases.map(({ paidAt, ...rest }) => ({ ...rest, paidAt: isoTime(paidAt) })),
    };
  },
  async 'secret accept'({ db, out, config }) {
    await acceptSecret(db, config.appSecret ?? (await loadAppSecret(config.dataDir, neverUsed)));
    out.log(
      'The current APP_SECRET was accepted. Personal links in older receipts no longer work.',
    );
    return DONE;
  },
  async 'keys rotate'({ db, out, config }) {
    const secret =
      config.appSecret ?? (await loadAppSecret(config.dataDir, () => wasSecretUsed(db)));
    const mismatch = await matchSecret(db, secret).catch((error: Error) => error);
    if (mismatch) {
      out.error(mismatch.message);
      return FAILED;
    }
    const id = await rotateSigningKey({ db, secret, now: Date.now });
    out.log(`Receipts are signed with the key ${id} from now on.`);
    return DONE;
  },
  async reconcile({ db, out, config, words }) {
    const since = readSince(words);
    if (since === null) {
      throw new Misuse('--since needs a day such as 2026-01-31.');
    }
    const { provider, close } = await openProvider(config, out);
    const found = { compared: 0, mended: [], faults: [] };
    const onCompared = tellProgress(out, () => `${found.compared} paid sessions compared`);
    const sayAll = () => {
      for (const sentence of [...found.mended, ...found.faults]) out.log(sentence);
    };
    try {
      const { publicUrl, costBearers } = config;
      const context = { db, provider, publicUrl, costBearers, now: Date.now };
      await reconcile(context, { since, found, onCompared });
      sayAll();
      const { compared, mended, faults } = found;
      const day = new Date(since).toISOString().slice(0, 10);
      out.log(
        `Paid sessions compared since ${day}: ${compared}. Repaired: ${mended.length}. Needing your attention: ${faults.length}.`,
      );
      return { ok: faults.length === 0, compared, mended, faults };
    } catch (error) {
      sayAll();
      out.error(`The comparison was interrupted; run it again. ${String(error)}`);
      return FAILED;
    } finally {
      await close();
    }
  },
  async 'stripe check'({ config, out }) {
    const { findMissingPermissions, findEndpointFaults, close } = await openProvider(config, out);
    try {
      const faults = [
        ...(await findMissingPermissions()),
        ...(await findEndpointFaults(`${config.publicUrl}/webhooks/stripe`)),
      ];
      out.log(faults.length === 0 ? 'The key and the endpoints are in order.' : faults.join('\n'));
      return { ok: faults.length === 0, faults };
    } catch (error) {
      out.error(`The payment provider could not be asked. ${String(error)}`);
      return FAILED;
    } finally {
      await close();
    }
  },
  async 'jobs list'({ db, out }) {
    const { waiting, failing, dead, more } = await listJobs(db, LISTED_JOBS);
    const counts = waiting.map(({ kind, jobs }) => `${jobs} ${kind}`).join(', ');
    out.log(`Waiting: ${counts || 'none'}.`);
    for (const job of failing) out.log(`Failing: ${describeJob(job)}`);
    for (const job of dead) out.log(`Given up: ${describeJob(job)}`);
    if (more) out.log(`At most ${LISTED_JOBS} of each are listed.`);
    const [failed, givenUp] = [failing, dead].map((jobs) => jobs.map(inFacts));
    return { ok: true, waiting, failing: failed, givenUp, more };
  },
  async 'jobs retry'({ db, out, words: [id] }) {
    if (!id) {
      throw new Misuse('Which job? Give its ID, as “jobs list” shows it, or all.');
    }
    const retried = await retryFailedJobs(db, { kind: 'cli' }, id, Date.now());
    out.log(`Jobs that will run again: ${retried}.`);
    return DONE;
  },
  async 'jobs drop'({ db, out, words: [id = ''] }) {
    await dropDeadJob(db, { kind: 'cli' }, id, Date.now());
    out.log('The job was dropped.');
    return DONE;
  },
  async 'reset-test-data'({ db, out }) {
    const { purchases, entries } = await resetTestData(db, Date.now());
    out.log(
      `Removed: ${purchases} test purchases and ${entries} entries of their books. “reconcile” leaves them alone from now on, though the provider still lists their payments.`,
    );
    return DONE;
  },
};

const LISTED_JOBS = 200;
const TOLD_EVERY = 100;
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

function describeJob({ id, kind, payload, attempts, run_at, died_at, last_error }: JobTable) {
  const time = new Date(died_at ?? run_at).toISOString();
  const when = died_at === null ? `again at ${time}` : `the last at ${time}`;
  return `${id} ${kind} ${payload}, failed tries: ${attempts}, ${when}. ${last_error}`;
}

const inFacts = ({ id, kind, payload, attempts, run_at, died_at, last_error }: JobTable) => ({
  ...{ id, kind, payload: JSON.parse(payload), attempts, lastError: last_error },
  ...{ runAt: isoTime(run_at), diedAt: died_at === null ? null : isoTime(died_at) },
});

/** UTC milliseconds; null for words that say nothing. */
function readSince([option, date]: string[]): number | null {
  if (option === undefined) return Date.now() - MONTH_MS;
  const since = option === '--since' && date ? Date.parse(date) : Number.NaN;
  return Number.isNaN(since) ? null : since;
}

/** @throws MoveRefused while a server of this machine uses the folder */
async function requireStopped({ database, dataDir }: Config): Promise<() => void> {
  if (database.kind !== 'sqlite') return () => {};
  return lockDataFolder(dataDir, pino({ level: 'silent' })).catch((error: Error) => {
    throw new MoveRefused(error.message);
  });
}

function openConfiguredStore(config: Config, db: Database) {
  return openStore({ ...config, db: () => db, now: Date.now });
}

/** Opens the database that the settings name before a command. */
function onDatabase(command: (call: Call) => Promise<Outcome>) {
  return async ({ environment, out, words }: BareCall): Promise<Outcome> => {
    const config = readConfig(environment);
    const { database } = config;
    if (database.kind === 'sqlite' && !existsSync(database.file)) {
      out.error(`${database.file} does not exist. Set DATA_DIR or DATABASE_URL as for the server.`);
      return FAILED;
    }
    return withDatabase(database, out, (db) =>
      command({
        ...{ db, config, environment, out, words },
        openProvider: () => openProvider(config, out),
      }),
    );
  };
}

const COMMANDS: Record<string, (call: BareCall) => Promise<Outcome>> = {
  ...RESTORE_COMMANDS,
  ...DOCTOR_COMMANDS,
  ...MCP_COMMANDS,
  ...Object.fromEntries(
    Object.entries(ON_DATABASE).map(([name, command]) => [name, onDatabase(command)]),
  ),
};

/**
 * Runs what a line of words asks for, on the database that the environment configures.
 * @returns the exit code: 1 for what could not be done or for faults found, 2 for words that say
 * nothing
 */
export async function runCommand(
  line: string[],
  environment: Environment,
  out: Output,
): Promise<number> {
  const name = Object.keys(COMMANDS).find((known) => `${line.join(' ')} `.startsWith(`${known} `));
  const command = name && COMMANDS[name];
  if (!command) {
    const [word = 'help'] = line;
    if (['help', '--help', '-h'].includes(word)) {
      out.log(USAGE);
      return line.length > 0 ? 0 : 2;
    }
    out.error(`There is no command “${line.join(' ')}”.\n\n${writeUsage(word)}`);
    return 2;
  }
  try {
    const given = line.slice(name.split(' ').length);
    const { json, words } =
      name === 'ledger export' ? { json: false, words: given } : takeJsonOption(given);
    const run = (to: Output) => command({ environment, out: to, words });
    const { ok } = await (json ? inJson(out, run) : run(out));
    return ok ? 0 : 1;
  } catch (error) {
    if (error instanceof Misuse) {
      out.error(`${name}: ${error.message}\n\n${writeUsage(line[0])}`);
      return 2;
    }
    if (!(error instanceof Error && REFUSALS.some((kind) => error instanceof kind))) throw error;
    out.error(error.message);
    return 1;
  }
}
