import { join, resolve } from 'node:path';
import { type Config, type Environment, readConfig } from '../ground/config/read-config.ts';
import type { Database } from '../ground/database/tables.ts';
import { listServers } from '../ground/lib/database-servers.ts';
import { readAppSecret, tryToLock } from '../running/data-folder.ts';
import { isOwnSecret } from '../running/installation/match-installation.ts';
import { MoveRefused } from '../running/installation/move-storage.ts';
import { migrateAll } from '../running/migrate-all.ts';
import { goBack, moveSite, undoMove } from '../running/move/move-site.ts';
import {
  type Call,
  type Commands,
  DONE,
  Misuse,
  type Outcome,
  readSettings,
  readWords,
  tellProgress,
} from './command-line.ts';
import { findLedgerFaults } from './ledger.ts';
import { openConfiguredStore } from './open-configured.ts';
import { withDatabase } from './with-database.ts';

export const USAGE = `  move FILE         moves the running site to the database and the storage whose settings FILE names,
                    one NAME=value a line, and compares everything; meanwhile it can only be read
  move --undo       ends a move that was killed: the site goes on where it is
  move --go-back    opens the place that the site was moved from, without what was sold since`;

/** They work on the database that is moved. */
export const COMMANDS: Commands = {
  async move(call) {
    const { config, words } = call;
    const { values, positionals } = readWords(words, {
      undo: { type: 'boolean' },
      'go-back': { type: 'boolean' },
    });
    const [file, ...more] = positionals;
    const chosen = [file, values.undo, values['go-back']].filter((one) => one !== undefined);
    if (chosen.length !== 1 || more.length > 0) {
      throw new Misuse('Name the FILE with the new settings, or give --undo or --go-back alone.');
    }
    const release = tryToLock(join(config.dataDir, 'padlink-move.lock'));
    if (!release) throw new MoveRefused('A move is under way: wait for it, or end its command.');
    try {
      if (file !== undefined) return await move(call, resolve(file));
      return await (values.undo ? undo(call) : back(call));
    } finally {
      release();
    }
  },
};

async function undo({ db, out }: Call): Promise<Outcome> {
  await undoMove(db);
  out.log('The move was ended. Everything can be written here again.');
  return DONE;
}

async function back({ db, config, out }: Call): Promise<Outcome> {
  const place = await goBack(db, await openConfiguredStore(config, db));
  out.log(
    `Padlink can be started here again. It must never be started at ${place} again: what was sold there is not here, and payments would go to either of the two.`,
  );
  return DONE;
}

async function move({ db, config, environment, out }: Call, file: string): Promise<Outcome> {
  const given = readSettings(file);
  const target = readTarget(config, environment, given);
  const places = [
    samePlace(config.database, target.database) ? null : describeDatabase(target.database),
    samePlace(bucketOf(config), bucketOf(target)) ? null : describeFiles(target),
  ];
  const place = places.filter((one) => one !== null).join(' and ');
  if (place === '') {
    throw new MoveRefused(`${file} names the database and the storage that are used already.`);
  }
  await requireSameSecret(db, target);
  const progress = { files: 0, rows: 0 };
  const tell = tellProgress(
    out,
    () =>
      `${progress.files.toLocaleString('en')} files, ${progress.rows.toLocaleString('en')} rows written or compared`,
  );
  const count = (what: keyof typeof progress) => () => {
    progress[what] += 1;
    tell();
  };
  const ending = new AbortController();
  const end = () => ending.abort(new MoveRefused('The move was ended. The site goes on here.'));
  for (const signal of ENDS) process.once(signal, end);
  const openFiles = async () => ({
    from: await openConfiguredStore(config, db),
    to: await openConfiguredStore(target, db),
  });
  const files = places[1] ? await openFiles() : null;
  const run = (to: MoveDatabase) =>
    moveSite(
      { db, files, database: to, now: Date.now },
      {
        place,
        onClosed: () => out.error('From now on the site can only be read.'),
        onFile: count('files'),
        onRow: count('rows'),
        signal: ending.signal,
      },
    );
  try {
    const moved = places[0]
      ? await withDatabase(target.database, out, (to) =>
          run({ to, migrateAll, check: (on) => findLedgerFaults(on) }),
        )
      : await run(null);
    for (const fault of moved.damaged) out.error(fault);
    const settings = listSettings(config, target, given);
    const { rows, tables, files: copied, damaged } = moved;
    out.log(
      `Moved to ${place}: ${rows.toLocaleString('en')} rows of ${tables} tables and ${copied.toLocaleString('en')} files, each compared with what was here.`,
    );
    out.log(`Now stop Padlink, set these as in ${file}, and start it:`);
    for (const line of settings) out.log(`  ${line}`);
    out.log('Until then it can be read. It will take no writes at the old place again.');
    return { ok: true, place, rows, tables, files: copied, damaged, settings };
  } finally {
    for (const signal of ENDS) process.off(signal, end);
  }
}

const ENDS = ['SIGINT', 'SIGTERM'] as const;

type MoveDatabase = Parameters<typeof moveSite>[0]['database'];

/** The settings with those of the file in their place. @throws ConfigError */
function readTarget(config: Config, environment: Environment, given: Environment): Config {
  const own = { ...environment, ...given };
  if (!own.APP_SECRET && !own.APP_SECRET_FILE) own.APP_SECRET_FILE = secretFile(config);
  const target = readConfig(own);
  if (target.dataDir !== config.dataDir) {
    throw new MoveRefused(
      'DATA_DIR must stay as it is. To go to another folder or machine, back up and restore: docs/backup.md.',
    );
  }
  return target;
}

const secretFile = ({ dataDir }: Config) => join(resolve(dataDir), 'app-secret');

async function requireSameSecret(db: Database, { appSecret, dataDir }: Config): Promise<void> {
  const secret = appSecret ?? (await readAppSecret(dataDir)) ?? '';
  if (!(await isOwnSecret(db, secret))) {
    throw new MoveRefused(
      'APP_SECRET of the new settings is not the one that this site was used with: personal links in receipts would stop working. Set it to the same value.',
    );
  }
}

const samePlace = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const bucketOf = ({ s3 }: Config) => s3 && [s3.endpoint, s3.bucket];

function describeDatabase(database: Config['database']): string {
  if (database.kind === 'sqlite') return database.file;
  const servers = listServers(database.url).map((server) => new URL(server));
  const name = servers[0]?.pathname.slice(1);
  return `the database ${name} at ${servers.map(({ host }) => host).join(' or ')}`;
}

const describeFiles = ({ s3, dataDir }: Config) =>
  s3 ? `the bucket ${s3.bucket}` : `the files in ${dataDir}`;

/** What is different from now on, without the values, among which are secrets. */
function listSettings(config: Config, target: Config, given: Environment): string[] {
  const isMoved = (name: string) => /^(DATABASE_URL|S3_|APP_SECRET)/.test(name);
  const names = Object.keys(given).filter(isMoved);
  if (target.appSecret === null || config.appSecret !== null) return names;
  const isNamed = names.some((name) => name.startsWith('APP_SECRET'));
  return isNamed ? names : [...names, `APP_SECRET_FILE=${secretFile(config)}`];
}
