import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { copyMigratedDatabase, copyMigratedFile } from './migrated-databases.ts';
import { createDatabase } from './postgres.ts';
import { createDataFolder } from './run-folder.ts';

export type Database = 'sqlite' | 'postgres';
export type AppOptions = {
  database?: Database;
  env?: Record<string, string>;
  /** Host name in PUBLIC_URL. */
  host?: string;
  /** Leaves all migrations to the first start, which otherwise finds them done. */
  empty?: boolean;
};

export type TestEnvironment = {
  port: number;
  /** PUBLIC_URL. */
  origin: string;
  dataDir: string;
  /** All that the product is configured with. */
  env: Record<string, string>;
  remove(): Promise<void>;
};

/** A free port, a throwaway data folder, and a migrated database that knows nothing yet. */
export async function createTestEnvironment(options: AppOptions = {}): Promise<TestEnvironment> {
  // As the product's own process does.
  process.umask(0o077);
  const port = await findFreePort();
  const dataDir = createDataFolder();
  let database: Awaited<ReturnType<typeof createDatabase>> | undefined;
  if (options.database === 'postgres') {
    database = await (options.empty ? createDatabase() : copyMigratedDatabase());
  } else if (!options.empty) {
    copyMigratedFile(join(dataDir, 'padlink.sqlite'));
  }
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://${options.host ?? 'localhost'}:${port}`,
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env.DEBUG ? 'debug' : 'silent',
    ...(database && { DATABASE_URL: database.url, APP_SECRET: 'tests-'.repeat(8) }),
    ...options.env,
  };
  return {
    port,
    origin: env.PUBLIC_URL,
    dataDir,
    env,
    async remove() {
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
