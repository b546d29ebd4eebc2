import pino from 'pino';
import { formatBytes } from '../../contract/format.ts';
import { verifyFiles } from '../delivery/downloads/verify-files.ts';
import { countUnknownBlobs, emptyQuarantine } from '../files/sweep.ts';
import type { Config } from '../ground/config/read-config.ts';
import { lockDataFolder } from '../running/data-folder.ts';
import { adoptStorage, matchStorage } from '../running/installation/match-installation.ts';
import {
  copyStorage,
  finishMove,
  MoveRefused,
  removeSource,
} from '../running/installation/move-storage.ts';
import {
  type Commands,
  createProgress,
  DONE,
  FAILED,
  Misuse,
  readOptions,
} from './command-line.ts';
import { openConfiguredStore } from './open-configured.ts';

export const USAGE = `  storage verify    reads every finished file, compares its SHA-256 with that of the upload and
                    reports every one that is missing or damaged; exit code 1 if there are any
  storage adopt     accepts the files in DATA_DIR as this database's, after a start refused them
  storage empty-quarantine
                    permanently removes the files in quarantine, for when the disk is full
  storage move --to s3|disk [--finish|--remove-source]
                    copies every file between DATA_DIR and S3_BUCKET and compares the copies, also
                    while Padlink runs; then stop it and repeat with --finish: it copies what is new
                    and Padlink can start with the other settings. --remove-source removes the files
                    from where they came`;

const TOLD_EVERY = 100;

export const COMMANDS: Commands = {
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
  async 'storage move'({ db, out, config, words }) {
    const given = readOptions(words, {
      to: { type: 'string' },
      finish: { type: 'boolean' },
      'remove-source': { type: 'boolean' },
    });
    const { to: target = '', finish: finishes, 'remove-source': removes } = given;
    if (!['s3', 'disk'].includes(target) || (finishes && removes)) {
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
    if (removes) {
      const { removed, kept } = await removeSource(stores);
      out.log(`Removed from ${stores.from.place}: ${removed} files. Kept without a copy: ${kept}.`);
      return { ok: kept === 0 };
    }
    const release = finishes ? await requireStopped(config) : () => {};
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
      if (!finishes) {
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
};

/** @throws MoveRefused while a server of this machine uses the folder */
async function requireStopped({ database, dataDir }: Config): Promise<() => void> {
  if (database.kind !== 'sqlite') return () => {};
  return lockDataFolder(dataDir, pino({ level: 'silent' })).catch((error: Error) => {
    throw new MoveRefused(error.message);
  });
}
