import { join } from 'node:path';
import { findFreePort } from '../tests/harness/free-port.ts';
import { type Server, startProcess } from './start-process.ts';

const MAIN = join(import.meta.dirname, '..', 'server', 'main.mjs');

/** Padlink as its users start it. */
export async function startPadlink(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Server> {
  const port = await findFreePort();
  return startProcess([process.execPath, MAIN], {
    origin: `http://localhost:${port}`,
    readyPath: '/readyz',
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      ...env,
    },
  });
}
