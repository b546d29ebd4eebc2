import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runFolder } from './run-folder.ts';

// Below the ports that systems give to outgoing connections (Linux: from 32,768), any of which
// could take a port between its being found free and its being listened on.
const FIRST = 12_000;
const LAST = 32_000;

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/**
 * Takes a port among the processes of this run, for good: the one that asked for it may listen
 * much later, or again after a restart.
 */
function take(port: number): boolean {
  try {
    closeSync(openSync(join(runFolder(), `padlink-port-${port}`), 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A port of 127.0.0.1 on which nobody listens, and which nobody else of this run was given. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if ((await isFree(port)) && take(port)) return port;
  }
}
