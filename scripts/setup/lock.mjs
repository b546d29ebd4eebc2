import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';

// In the temporary folder, because `npm ci` removes all of node_modules.
const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
const file = join(tmpdir(), `padlink-setup-${name}.lock`);

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function tryToLock() {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a process that died. Renamed first, so that only one waiter removes it. */
function breakDeadLock() {
  const aside = `${file}.${process.pid}`;
  try {
    const owner = Number(readFileSync(file, 'utf8'));
    if (owner === 0 || isRunning(owner)) return;
    renameSync(file, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** Runs `work` while no other set-up of this folder does, waiting for one that is at it. */
export async function withLock(work) {
  let isSaid = false;
  while (!tryToLock()) {
    if (!isSaid) console.log('Waiting for another setup of this folder…');
    isSaid = true;
    breakDeadLock();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  try {
    return work();
  } finally {
    rmSync(file, { force: true });
  }
}
