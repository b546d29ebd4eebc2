import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * A new file survives a power cut only if its folder is synced as well. One that the disk cannot
 * keep is removed: the system forgets what it failed to write, so that a second sync would succeed.
 */
export async function makeDurable(folder: string, path: string): Promise<void> {
  try {
    await using file = await open(path, 'r+');
    await file.sync();
    await syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === 'fsync') await rm(path, { force: true });
    throw error;
  }
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; NTFS journals its entries itself.
  if (process.platform === 'win32') return;
  await using folder = await open(path, 'r');
  await folder.sync().catch((error: NodeJS.ErrnoException) => {
    // Some network mounts cannot flush a folder: there, its entries are the file server's concern,
    // as PostgreSQL takes it too. A disk that fails says EIO.
    if (error.code !== 'EINVAL') throw error;
  });
}

/**
 * Writes a small file that only this user may read: completely or not at all, even on a full disk
 * or during a power cut. Resolves once it would survive one.
 */
export async function replaceFile(folder: string, path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await using file = await open(draft, 'wx', 0o600);
    await file.writeFile(text);
    await file.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Null where there is no such file. */
export async function orNullWhenMissing<Value>(result: Promise<Value>): Promise<Value | null> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
