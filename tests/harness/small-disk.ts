import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  /** A folder that is the whole of it. */
  path: string;
  /** Leaves no room for a single byte. */
  fill(): void;
  /** Makes room again. */
  empty(): void;
  remove(): void;
}

/** A disk in memory of so many MiB; null where this account may not mount one. */
export function mountSmallDisk(mebibytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'padlink-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path];
  if (spawnSync('mount', options).status !== 0) {
    rmdirSync(path);
    return null;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const file = openSync(filler, 'a');
      const chunk = Buffer.alloc(4096);
      try {
        for (;;) writeSync(file, chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      spawnSync('umount', ['-l', path]);
      rmdirSync(path);
    },
  };
}
