import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { orNullWhenMissing, replaceFile } from '../ground/lib/durable.ts';

/** How long an earlier process may take to end: after a restart it may still be running. */
const PATIENCE_MS = 12_000;
const SQLITE_BUSY = 5;
const LOCK = 'padlink.lock';
/** The locks of this process. */
const held = new Set<string>();

/** Padlink's files in its folder, including SQLite's companion files and drafts of the secret. */
const OWN_FILE =
  /^((padlink(\.sqlite|\.lock|-(move|import)\.lock)|sandbox\.sqlite)(-wal|-shm|-journal)?|padlink-before-\d+\.sqlite(\.draft)?|app-secret(\.[\da-f-]{36})?)$/;

interface FolderOptions {
  /** Whether a group may read the uploaded files, such as a proxy that sends them. */
  groupReads: boolean;
  log: Pick<Logger, 'warn'>;
}

/**
 * Creates the data folder, or removes other users' permissions on it: no other user of this machine
 * may read accounts and content. A folder that also contains other things is left as it is, except
 * for Padlink's files in it.
 * @throws Error that names the setting if nothing can be stored there
 */
export async function makeDataFolder(
  dataDir: string,
  { groupReads, log }: FolderOptions,
): Promise<void> {
  try {
    await makeFolders(dataDir);
    await access(dataDir, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const advice =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'The disk is full: free some space'
        : 'Set it to a folder that this user may write to, such as DATA_DIR=/srv/padlink/data';
    throw new Error(`DATA_DIR: ${dataDir} cannot be used (${code}). ${advice}.`, { cause: error });
  }
  try {
    await tighten(dataDir, groupReads, log);
  } catch (error) {
    log.warn({ err: error }, `the permissions of ${dataDir} could not be changed`);
  }
}

/** One by one: where nothing can be created, as below /proc, Node.js would try all of them for ever. */
async function makeFolders(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolders(parent);
  await mkdir(path, { mode: 0o700 }).catch(async (error) => {
    // By another start meanwhile.
    if (!(await isFolder(path))) throw error;
  });
}

const isFolder = async (path: string) =>
  (await orNullWhenMissing(stat(path)))?.isDirectory() ?? false;

async function tighten(
  dataDir: string,
  groupReads: boolean,
  log: FolderOptions['log'],
): Promise<void> {
  const shared = groupReads ? 0o007 : 0o077;
  const others: string[] = [];
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    const { name } = entry;
    if (name === 'blobs') await takeAway(join(dataDir, name), shared);
    else if (OWN_FILE.test(name) && !entry.isDirectory())
      await takeAway(join(dataDir, name), 0o077);
    // One is made for this user alone, the other is found at the root of a file system.
    else if (name !== 'stamped' && name !== 'lost+found') others.push(name);
  }
  if (others.length === 0) await takeAway(dataDir, shared);
  else if ((await stat(dataDir)).mode & 0o007) {
    log.warn(
      `DATA_DIR: other users can read ${dataDir}, which contains more than Padlink's data, such as ${others[0]}. Give Padlink a folder of its own.`,
    );
  }
}

async function takeAway(path: string, rights: number): Promise<void> {
  const { mode } = await stat(path);
  if (mode & rights) await chmod(path, mode & 0o7777 & ~rights);
}

/**
 * Keeps every other process out of a folder with an embedded database, after waiting a moment for
 * one that is about to end. The operating system releases the lock however this process ends, so
 * that nothing stale is left. SQLite holds it, because Node.js has no locks.
 * @returns a function that releases it
 * @throws Error that names the folder
 */
export async function lockDataFolder(dataDir: string, log: Logger): Promise<() => void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let tries = 0; ; tries += 1) {
    const release = tryToLock(join(dataDir, LOCK));
    if (release) return release;
    if (tries === 0) {
      const seconds = PATIENCE_MS / 1000;
      log.warn(`waiting up to ${seconds} s for the Padlink that is running on ${dataDir} to stop`);
    }
    if (performance.now() > deadline) {
      throw new Error(`Another Padlink is running on ${dataDir}. Stop it first, or give this one a folder of its own: DATA_DIR=./other npm start
Several processes can share one installation with PostgreSQL: set DATABASE_URL.`);
    }
    await sleep(50);
  }
}

/** Whether another process, a server, keeps a folder with an embedded database to itself. */
export function isServed(dataDir: string): boolean {
  const path = join(dataDir, LOCK);
  if (held.has(path) || !existsSync(path)) return false;
  const release = tryToLock(path);
  release?.();
  return release === null;
}

/**
 * Makes sure that this process can open the sandbox that other processes pay in.
 * @throws Error that says what to do
 */
export function requireSandboxFolder(folder: string): void {
  if (existsSync(folder)) return;
  throw new Error(`The payment sandbox of this database is in ${folder}, which is not on this machine. What to do:
- To try Padlink, run all processes on one machine, with one DATA_DIR.
- On several machines, pay with Stripe, in its test mode as well: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.`);
}

/**
 * Takes a lock that a file stands for, which the operating system releases however this process ends.
 * @returns a function that releases it; null while another process has it
 */
export function tryToLock(path: string): (() => void) | null {
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    held.add(path);
    return () => {
      held.delete(path);
      lock.close();
    };
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

/**
 * The secret that signs sessions and URLs: created once per data folder, readable by its owner
 * only. The caller holds the folder's lock. A missing one, or an empty one left behind by a full
 * disk, is replaced if none was ever used.
 * @throws Error that says what to do
 */
export async function loadAppSecret(
  dataDir: string,
  wasUsed: () => Promise<boolean>,
): Promise<string> {
  const found = await readAppSecret(dataDir);
  if (found !== null) return found;
  const path = join(dataDir, 'app-secret');
  if (await wasUsed()) {
    throw new Error(`${path} is ${existsSync(path) ? 'damaged' : 'missing'}, and this installation has used it: personal links in receipts and everyone's sessions depend on it. What to do:
- Restore it from the backup, or set APP_SECRET to its content.
- Permanently lost? npm run cli -- secret accept`);
  }
  const secret = randomBytes(32).toString('base64url');
  await replaceFile(dataDir, path, secret);
  return secret;
}

/** Null where there is none that was made whole. */
export async function readAppSecret(dataDir: string): Promise<string | null> {
  const found = await orNullWhenMissing(readFile(join(dataDir, 'app-secret'), 'utf8'));
  return found !== null && found.length >= 32 ? found : null;
}
