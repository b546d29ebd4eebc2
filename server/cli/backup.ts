import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import pino from 'pino';
import { formatBytes } from '../../contract/format.ts';
import { type Config, readConfig } from '../ground/config/read-config.ts';
import { writeInstallation } from '../ground/database/installation.ts';
import type { Database } from '../ground/database/tables.ts';
import { makeDurable, orNullWhenMissing, syncFolder } from '../ground/lib/durable.ts';
import { derive } from '../ground/lib/signer.ts';
import { backUp } from '../running/backup/back-up.ts';
import { BackupRefused } from '../running/backup/backup-refused.ts';
import { isBackupFolder, LOCK, type OwnName, readManifest } from '../running/backup/manifest.ts';
import { restore } from '../running/backup/restore.ts';
import { lockDataFolder, makeDataFolder, tryToLock } from '../running/data-folder.ts';
import { migrateAll } from '../running/migrate-all.ts';
import { VERSION } from '../running/version.ts';
import {
  type BareCommands,
  type Commands,
  createProgress,
  Misuse,
  type Output,
  readWords,
} from './command-line.ts';
import { findLedgerFaults } from './ledger.ts';
import { findSecret, openConfiguredStore } from './open-configured.ts';
import { withDatabase } from './with-database.ts';

export const USAGE = `  backup PATH [--encrypt-to KEY] [--without-secret]
                    copies database, files and secret into a folder, also while Padlink runs; only
                    what is new since the backup in it, or in a folder beside it, is copied. With
                    the public keys of age, only who has a private one can read it
  restore PATH [--identity FILE]
                    puts a backup into the empty database and storage of the settings, which may be
                    of another kind, and compares every file with its checksum`;

export const COMMANDS: Commands = {
  async backup({ db, config, out, words }) {
    const { positionals, values } = readWords(words, {
      'encrypt-to': { type: 'string', multiple: true },
      'without-secret': { type: 'boolean' },
    });
    const folder = readFolder(positionals);
    const { 'encrypt-to': keys = [], 'without-secret': withoutSecret = false } = values;
    const recipients = [...new Set(keys)].sort();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await isBackupFolder(folder))) {
      throw new BackupRefused(`${folder} contains other things. Name a folder for backups alone.`);
    }
    const release = tryToLock(join(folder, LOCK));
    if (!release) throw new BackupRefused(`Another backup is being made in ${folder}.`);
    try {
      const made = await backUp(
        { db, store: await openConfiguredStore(config, db), now: Date.now },
        {
          folder,
          sealed: recipients.length > 0 ? await sealedFor(recipients, db, config) : null,
          version: VERSION,
          openOwn: async (name) =>
            withoutSecret && name === 'app-secret' ? null : openOwn(config, name),
          onCopied: createProgress(out),
        },
      );
      const { tables, rows, files, fileBytes, copied, copiedBytes, faults } = made;
      const kept = config.appSecret === null ? 'included' : 'elsewhere';
      const secret = withoutSecret && kept === 'included' ? 'left out' : kept;
      const isSealed = recipients.length > 0;
      for (const fault of faults) out.error(fault);
      if (faults.length === 0) await noteBackup(db, out);
      out.log(
        `Backed up to ${folder}: ${rows.toLocaleString('en')} rows of ${tables} tables, and ${files.toLocaleString('en')} files, ${formatBytes(fileBytes)}. New among them: ${copied.toLocaleString('en')} files, ${formatBytes(copiedBytes)}.`,
      );
      if (isSealed) out.log('It is encrypted: it can be restored only with a private key.');
      out.log(describeSecret(secret, isSealed, config));
      return { ok: faults.length === 0, folder, ...made, secret, encrypted: isSealed };
    } finally {
      release();
    }
  },
};

export const BARE_COMMANDS: BareCommands = {
  async restore({ environment, out, words }) {
    const { positionals, values } = readWords(words, { identity: { type: 'string' } });
    const folder = readFolder(positionals);
    const config = readConfig(environment);
    const { dataDir, database, appSecret } = config;
    const found = await readManifest(folder, await readKeys(values.identity));
    const log = pino({ level: 'warn' }, { write: (line) => out.error(line.trimEnd()) });
    await makeDataFolder(dataDir, { groupReads: false, log });
    const release = database.kind === 'sqlite' ? await lockDataFolder(dataDir, log) : () => {};
    try {
      return await withDatabase(database, out, async (db) => {
        await restore(
          { db, migrateAll, openStore: (trx) => openConfiguredStore(config, trx) },
          {
            manifest: found,
            appSecret,
            hashOwn: (name) => orNullWhenMissing(hashFile(join(dataDir, name))),
            writeOwn: (name, chunks) => writeOwn(dataDir, name, chunks),
            onRestored: createProgress(out),
          },
        );
        const { madeAt, version } = found.head;
        const { rows, files, fileBytes } = found.end;
        const faults = [...found.end.faults, ...(await findLedgerFaults(db))];
        const isWhole = faults.length === 0;
        for (const fault of faults) out.error(fault);
        out.log(
          `Restored the backup of ${madeAt}: ${rows.toLocaleString('en')} rows, and ${files.toLocaleString('en')} files, ${formatBytes(fileBytes)}.`,
        );
        if (isWhole) out.log('Every checksum is right, and the ledger is in order.');
        return { ok: isWhole, madeAt, version, rows, files, fileBytes, faults };
      });
    } finally {
      release();
    }
  },
};

/** A standby and a site that is being moved take no writes, and can be backed up all the same. */
function noteBackup(db: Database, out: Output): Promise<void> {
  return writeInstallation(db, 'backed-up', String(Date.now())).catch((error: unknown) =>
    out.error(`The backup is whole, but the site was not told of it: ${error}`),
  );
}

function readFolder([folder, ...more]: string[]): string {
  if (!folder || more.length > 0) throw new Misuse('Name one folder for the backup: its PATH.');
  return resolve(folder);
}

/** Its names change with the keys: what is there for others is not taken for these. */
async function sealedFor(recipients: string[], db: Database, config: Config) {
  const secret = await findSecret(config, db);
  return { recipients, nameKey: derive(secret, `backup ${recipients.join(' ')}`) };
}

/** The private keys of a file as age-keygen writes it; none where none is named. */
async function readKeys(path: string | undefined): Promise<string[]> {
  if (!path) return [];
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupRefused(`The file of --identity cannot be read: ${error.message}`);
  });
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0) throw new BackupRefused(`There is no key in ${path}.`);
  return keys;
}

function describeSecret(
  secret: 'included' | 'elsewhere' | 'left out',
  isSealed: boolean,
  { dataDir }: Config,
): string {
  if (secret === 'elsewhere') {
    return 'APP_SECRET is not included: keep a copy of your settings elsewhere.';
  }
  if (secret === 'left out') {
    return `The secret that signs personal links was left out: keep a copy of ${join(dataDir, 'app-secret')} elsewhere. Without it, this backup cannot be restored.`;
  }
  return isSealed
    ? 'The secret that signs personal links is included.'
    : 'The secret that signs personal links is included: keep the folder where nobody else can read it.';
}

async function openOwn({ dataDir, appSecret }: Config, name: OwnName) {
  const path = join(dataDir, name);
  if (!existsSync(path)) return null;
  if (name === 'app-secret') return appSecret === null ? createReadStream(path) : null;
  // What the sandbox is writing meanwhile is no part of the copy.
  const copy = join(dataDir, COPY);
  await rm(copy, { force: true });
  using sandbox = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  sandbox.prepare('VACUUM INTO ?').run(copy);
  return readAndRemove(copy);
}

const COPY = 'sandbox.sqlite.copy';

async function* readAndRemove(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path);
  await rm(path);
}

async function writeOwn(dataDir: string, name: OwnName, chunks: AsyncIterable<Uint8Array>) {
  const path = join(dataDir, name);
  const draft = `${path}.restored`;
  await pipeline(chunks, createWriteStream(draft, { mode: 0o600 }));
  await makeDurable(dataDir, draft);
  await rename(draft, path);
  await syncFolder(dataDir);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
