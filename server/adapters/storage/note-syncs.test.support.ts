import { fstatSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { vi } from 'vitest';

/**
 * Calls `onSync` with the inode of whatever is synced from here on, before it is: what was not
 * synced is lost when the power fails, which no test can bring about. @returns stops it
 */
export async function noteSyncs(onSync: (inode: number) => unknown): Promise<() => void> {
  await using handle = await open(tmpdir(), 'r');
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  const { sync } = prototype;
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    await onSync(fstatSync(this.fd).ino);
    return sync.call(this);
  });
  return () => spy.mockRestore();
}

export const inodeOf = (path: string) => statSync(path).ino;
