import { existsSync } from 'node:fs';
import { putIntoEnglish } from '../../contract/fact.ts';
import type { FileStore } from '../files/file-store.ts';
import { type Config, ConfigError, readConfig } from '../ground/config/read-config.ts';
import { UnreachableError } from '../ground/database/postgres.ts';
import { examineSqlite } from '../ground/database/sqlite.ts';
import type { Database } from '../ground/database/tables.ts';
import { publishableKeyOf } from '../ground/lib/signer.ts';
import { readAppSecret } from '../running/data-folder.ts';
import {
  examineAddress,
  examineCertificate,
  examineLive,
  examineUploads,
  examineWebhook,
  reach,
} from '../running/doctor/examine-address.ts';
import {
  examineCollation,
  examineDatabase,
  examineDataFolder,
  examineFiles,
  examineJobs,
  examineLedger,
  examineRoom,
  examineSchema,
  examineSecret,
  examineStorage,
} from '../running/doctor/examine-data.ts';
import {
  examineClock,
  examineMail,
  examineProvider,
  examineScanner,
  examineUserPool,
} from '../running/doctor/examine-services.ts';
import {
  type Check,
  type Examined,
  examine,
  fault,
  ok,
  reasonOf,
} from '../running/doctor/finding.ts';
import { webhookSecretOf } from '../running/open-payments.ts';
import { type BareCall, type BareCommands, type Output, readOptions } from './command-line.ts';
import { findLedgerFaults } from './ledger.ts';
import { openConfiguredStore } from './open-configured.ts';
import { withDatabase } from './with-database.ts';
import { findProviderFaults } from './with-provider.ts';

export const USAGE = `  doctor [--mail ADDRESS]
                    examines settings, data, services and the public address, whether Padlink runs or
                    not, and says what to do; exit code 1 if there is a fault`;

export const BARE_COMMANDS: BareCommands = {
  async doctor({ environment, out, words }) {
    const { mail } = readOptions(words, { mail: { type: 'string' } });
    const checks: InEnglish[] = [];
    for await (const { name, state, says, remedy } of examineAll(environment, mail, out)) {
      const inWords = { says: putIntoEnglish(says), remedy: remedy && putIntoEnglish(remedy) };
      const check = { name, state, ...inWords };
      checks.push(check);
      tell(check, out);
    }
    return { ok: checks.every(({ state }) => state !== 'fault'), checks };
  },
};

interface InEnglish extends Check {
  says: string;
  remedy: string | null;
}

const MARKS = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' };

function tell({ name, state, says, remedy }: InEnglish, out: Output): void {
  out.log(`${MARKS[state]}  ${name}: ${says}`);
  if (remedy !== null) out.log(`         ${remedy}`);
}

async function* examineAll(
  environment: BareCall['environment'],
  mailTo: string | undefined,
  out: Output,
): AsyncGenerator<Check> {
  const settings = readSettings(environment);
  yield* settings.checks;
  const { config } = settings;
  if (!config) return;
  const { publicUrl, payments, dataDir } = config;
  yield* await examine(
    'data folder',
    examineDataFolder(config),
    `Set DATA_DIR to the folder that Padlink uses, not ${dataDir}.`,
  );
  const secret = config.appSecret ?? (await readAppSecret(dataDir).catch(() => null));
  yield* examineOpened(config, secret, out);
  yield* await examine(
    'clock',
    examineClock(config),
    'See that this machine reaches the services of its settings.',
  );
  yield* await examine('mail', examineMail(config, mailTo), 'Correct SMTP_URL.');
  yield* await examine('scanner', examineScanner(config), 'Correct CLAMD_SOCKET.');
  yield* await examine('user pool', examineUserPool(config), 'Correct OIDC_ISSUER.');
  yield* await examine(
    'payments',
    examineProvider(config, () => findProviderFaults(config, out)),
    'Correct STRIPE_SECRET_KEY.',
  );
  yield* await examine('certificate', examineCertificate(publicUrl), 'Correct PUBLIC_URL.');
  const reached = await reach(publicUrl, secret && publishableKeyOf(secret));
  yield* await examine('address', examineAddress(publicUrl, reached), 'Correct PUBLIC_URL.');
  if (reached.kind !== 'this' || secret === null) return;
  const proxy = 'See what the proxy in front of Padlink does with requests: docs/operating.md.';
  const live = payments.kind === 'stripe' && payments.live;
  const webhook = examineWebhook(publicUrl, webhookSecretOf(payments, secret), live);
  yield* await examine('webhook', webhook, proxy);
  yield* await examine('uploads', examineUploads(publicUrl), proxy);
  yield* await examine('live updates', examineLive(publicUrl), proxy);
}

function readSettings(environment: BareCall['environment']): { checks: Check[]; config?: Config } {
  const name = 'settings';
  try {
    const config = readConfig(environment);
    return { config, checks: [{ name, ...ok('The settings fit together.') }] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = 'docs/settings.md lists what each setting takes.';
    const checks = error.faults.map((each) => ({
      name,
      ...fault(`${each.name}: ${each.message}.`, remedy),
    }));
    return { checks };
  }
}

/** What needs the database, as far as it can be opened. */
async function* examineOpened(
  config: Config,
  secret: string | null,
  out: Output,
): AsyncGenerator<Check> {
  const { database } = config;
  const name = 'database';
  const isFile = database.kind === 'sqlite';
  if (isFile && !existsSync(database.file)) {
    const says = `${database.file} does not exist.`;
    const remedy =
      'Set DATA_DIR or DATABASE_URL as for the server, or start Padlink for the first time.';
    yield { name, ...fault(says, remedy) };
    return;
  }
  const checks: Check[] = [];
  try {
    if (isFile) await examineSqlite(database.file, async () => false);
    await withDatabase(database, out, async (db) => {
      for await (const check of examineData(config, db, secret)) checks.push(check);
    });
  } catch (error) {
    const remedy = isFile
      ? 'Restore the database from a backup: docs/backup.md.'
      : 'Correct DATABASE_URL, or start PostgreSQL.';
    const says = error instanceof UnreachableError ? error.message : `${reasonOf(error)}.`;
    checks.push({ name, ...fault(says, remedy) });
  }
  yield* checks;
}

async function* examineData(
  config: Config,
  db: Database,
  secret: string | null,
): AsyncGenerator<Check> {
  const upgrade = 'Start Padlink once, which completes the database, or restore a backup.';
  yield* await examine(
    'database',
    examineDatabase(db),
    'See that the database is not read-only and its disk not full.',
  );
  yield* await examine('collation', examineCollation(db), 'See that Padlink may read pg_database.');
  yield* await examine('schema', examineSchema(db), upgrade);
  yield* await examine('secret', examineSecret(db, secret), upgrade);
  yield* await examine('jobs', examineJobs(db), upgrade);
  yield* await examine('ledger', examineLedger(findLedgerFaults(db)), upgrade);
  const place = config.s3
    ? 'Correct the S3_ settings, and see that the storage service runs and its key has the rights of deploy/s3-policy.json.'
    : 'See that DATA_DIR belongs to the user that runs Padlink: chown -R.';
  const inStore = (name: string, run: (store: FileStore) => Examined) =>
    examine(name, openConfiguredStore(config, db).then(run), place);
  yield* await inStore('storage', (store) => examineStorage(db, store));
  yield* await inStore('files', (store) => examineFiles(db, store));
  yield* await inStore('disk', examineRoom);
}
