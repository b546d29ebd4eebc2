import { openStore } from '../adapters/storage/open-store.ts';
import type { Config } from '../ground/config/read-config.ts';
import type { Database } from '../ground/database/tables.ts';
import { loadAppSecret } from '../running/data-folder.ts';
import { wasSecretUsed } from '../running/installation/match-installation.ts';

/** Where the files are by these settings. */
export const openConfiguredStore = (config: Config, db: Database) =>
  openStore({ ...config, db: () => db, now: Date.now });

/** APP_SECRET, or what stands in for it in the data folder. @throws Error that says what to do */
export const findSecret = async ({ appSecret, dataDir }: Config, db: Database) =>
  appSecret ?? (await loadAppSecret(dataDir, () => wasSecretUsed(db)));
