import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StampedCopies, StampsBusyError } from '../../catalog/links/stamp.ts';
import type { FileStore } from '../../files/file-store.ts';
import { withReader } from '../../files/read-blob.ts';
import type { StoredFile } from '../../files/tables.ts';
import { runConfined } from '../../ground/lib/confined-process.ts';
import { orNullWhenMissing } from '../../ground/lib/durable.ts';
import { DAY_MS } from '../../ground/lib/time.ts';

/** It is read as a whole. */
const MAX_STAMPED_BYTES = 64 * 1024 ** 2;
/** Of all copies together. */
const MAX_COPIES_BYTES = 2 * 1024 ** 3;
/** How long a copy is kept after it was asked for last. */
const KEPT_MS = DAY_MS;
/** Copies that wait for others: one process at a time makes them, mostly within a second. */
const MAX_WAITING = 20;
/** What has waited for longer is not made any more: a proxy gives up on an answer after a minute. */
const PATIENCE_MS = 20_000;
/** Files that cannot be stamped; one that is forgotten is tried again. */
const MAX_KNOWN = 10_000;
/** Changes with what is drawn: copies of another version have other names. */
const VERSION = 1;
const CHILD = fileURLToPath(new URL('./stamp-in-child.ts', import.meta.url));

export interface KeptCopies extends StampedCopies {
  /** Removes those that nobody has asked for lately, and the oldest where they take too much. */
  sweep(now: number): Promise<void>;
}

/** Keeps the copies in a folder with nothing else in it, which may be emptied at any time. */
export function openStampedCopies(
  dataDir: string,
  store: Pick<FileStore, 'openForReading'>,
): KeptCopies {
  const folder = join(dataDir, 'stamped');
  const running = new Map<string, Promise<boolean>>();
  const unstampable = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  async function find(name: string): Promise<{ name: string; size: number } | null> {
    const path = join(folder, name);
    const found = await orNullWhenMissing(stat(path));
    if (!found) return null;
    const now = new Date();
    await orNullWhenMissing(utimes(path, now, now));
    return { name, size: found.size };
  }

  /** @returns whether it could be made */
  function make(file: StoredFile, stamp: string, name: string): Promise<boolean> {
    const underWay = running.get(name);
    if (underWay !== undefined) return underWay;
    if (running.size > MAX_WAITING) throw new StampsBusyError('Too many copies are being made');
    const askedAt = performance.now();
    const made = last.then(async () => {
      if (unstampable.has(file.blob)) return false;
      if (performance.now() - askedAt > PATIENCE_MS) throw new StampsBusyError('Others took long');
      const isMade = await write(file, stamp, join(folder, name));
      if (unstampable.size >= MAX_KNOWN) unstampable.clear();
      if (!isMade) unstampable.add(file.blob);
      return isMade;
    });
    running.set(name, made);
    const forget = () => void running.delete(name);
    last = made.then(forget, forget);
    return made;
  }

  async function write(file: StoredFile, stamp: string, path: string): Promise<boolean> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < 4 * file.size_bytes) throw new StampsBusyError('The disk is nearly full');
    const draft = `${path}.${randomUUID()}`;
    try {
      const isMade = await withReader(await store.openForReading(file.blob), (reader) =>
        runConfined(
          [CHILD, stamp, draft],
          { size: file.size_bytes, read: reader.read.bind(reader) },
          0,
        ),
      );
      if (isMade) await rename(draft, path);
      return isMade !== null;
    } finally {
      await rm(draft, { force: true });
    }
  }

  async function sweep(now: number): Promise<void> {
    const names = (await orNullWhenMissing(readdir(folder))) ?? [];
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name);
        const status = await orNullWhenMissing(stat(path));
        return { path, size: status?.size ?? 0, askedAt: status?.mtimeMs ?? 0 };
      }),
    );
    let bytes = 0;
    for (const { path, size, askedAt } of found.sort((a, b) => b.askedAt - a.askedAt)) {
      bytes += size;
      if (bytes > MAX_COPIES_BYTES || askedAt < now - KEPT_MS) await rm(path, { force: true });
    }
  }

  return {
    async copyOf(file, stamp) {
      const { blob, size_bytes } = file;
      if (size_bytes > MAX_STAMPED_BYTES || unstampable.has(blob)) return null;
      const name = createHash('sha256').update(`${VERSION} ${blob} ${stamp}`).digest('hex');
      const found = await find(name);
      if (found) return found;
      return (await make(file, stamp, name)) ? find(name) : null;
    },
    async open(name) {
      const file = await open(join(folder, name));
      return {
        async read(buffer, length, position) {
          return (await file.read(buffer, 0, length, position)).bytesRead;
        },
        close: () => file.close(),
      };
    },
    sweep,
  };
}
