import { join } from 'node:path';
// @ts-expect-error: plain JavaScript for the Node.js of the machine, without types.
import { removeStaleServer } from '../../scripts/setup/build.mjs';
import { findBrowser } from './find-browser.ts';
import { createTemplates } from './migrated-databases.ts';
import { POSTGRES_VARIABLE } from './postgres.ts';
import { startCluster } from './postgres-cluster.ts';
import { createRunFolder } from './run-folder.ts';

/** Once for a run: a PostgreSQL of its own, migrated databases, and the bundled browser unpacked. */
export default async function setUp(): Promise<() => Promise<void>> {
  // Without a handler, these signals would end the run and leave PostgreSQL behind.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  removeStaleServer();
  findBrowser();
  const folder = createRunFolder();
  const data = join(folder.path, 'postgres');
  const cluster = await startCluster(data, { unix_socket_directories: data });
  process.env[POSTGRES_VARIABLE] = cluster.url;
  await createTemplates();
  return async () => {
    await cluster.stop();
    folder.remove();
  };
}
