import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { RUN_PREFIX, runFolder } from './run-folder.ts';

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

/** Where the runs of this machine, of which several may go on at once, note the ports they took. */
function listRuns(): string[] {
  const place = dirname(runFolder());
  const runs = readdirSync(place).filter((name) => name.startsWith(RUN_PREFIX));
  return runs.map((name) => join(place, name));
}

/**
 * Takes a port for good: the one that asked for it may listen much later, or again after a restart.
 * Of two that take one at the same time, each sees the other's note, and neither has it.
 */
function take(port: number): boolean {
  const note = `padlink-port-${port}`;
  const own = join(runFolder(), note);
  try {
    closeSync(openSync(own, 'wx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  return listRuns().every((run) => run === runFolder() || !existsSync(join(run, note)));
}

/** A port of 127.0.0.1 on which nobody listens, and which no other test of this machine was given. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    // Taken first: to listen on somebody else's, only to see, would be in their way.
    if (take(port) && (await isFree(port))) return port;
  }
}
