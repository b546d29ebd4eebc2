import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NoRoomError, type StampedCopies, StampsBusyError } from '../../catalog/links/stamp.ts';
import { measureRoom } from '../../files/admit-upload.ts';
import type { FileStore } from '../../files/file-store.ts';
import { withReader } from '../../files/read-blob.ts';
import type { StoredFile } from '../../files/tables.ts';
import { runConfined } from '../../ground/lib/confined-process.ts';
import { orNullWhenMissing } from '../../ground/lib/durable.ts';
import { DAY_MS, HOUR_MS } from '../../ground/lib/time.ts';
import { UNSTAMPABLE } from './verdict.ts';

/** It is read as a whole. */
const MAX_STAMPED_BYTES = 64 * 1024 ** 2;
/** Of all copies together. */
const MAX_COPIES_BYTES = 2 * 1024 ** 3;
/** How long a copy is kept after it was asked for last. */
const KEPT_MS = DAY_MS;
/** Copies that wait for others: one process at a time makes them, mostly within a second. */
const MAX_WAITING = 40;
/** For the same purchase. */
const MAX_WAITING_FOR_ONE = 8;
/** What has waited for longer is not made any more: a proxy gives up on an answer after a minute. */
const PATIENCE_MS = 20_000;
/** Files that cannot be stamped; one that is forgotten is tried again. */
const MAX_KNOWN = 10_000;
/** How long a file is left alone that its process fell over twice. */
const LEFT_ALONE_MS = HOUR_MS;
/** Changes with what is drawn and by which library: copies of another version have other names. */
const VERSION = 1;
/** What a copy may have beyond its file. */
const ROOM_BYTES = 4 * 1024 ** 2;
const CHILD = fileURLToPath(new URL('./stamp-in-child.ts', import.meta.url));

interface Options {
  dataDir: string;
  store: Pick<FileStore, 'openForReading'>;
  /** What is to stay free of the disk, in bytes, where the operator has set it. */
  minFree?: number | null;
}

export interface KeptCopies extends StampedCopies {
  /** Removes those that nobody has asked for lately, and the oldest where they take too much. */
  sweep(now: number): Promise<void>;
}

/** Keeps the copies in a folder with nothing else in it, which may be emptied at any time. */
export function openStampedCopies({ dataDir, store, minFree = null }: Options): KeptCopies {
  const folder = join(dataDir, 'stamped');
  const running = new Map<string, { stamp: string; made: Promise<boolean> }>();
  /** Until when, by the blobs' names. */
  const unstampable = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();

  async function find(name: string): Promise<{ name: string; size: number } | null> {
    const path = join(folder, name);
    const found = await orNullWhenMissing(stat(path));
    if (!found) return null;
    const now = new Date();
    await orNullWhenMissing(utimes(path, now, now));
    return { name, size: found.size };
  }

  const isUnstampable = (blob: string) => (unstampable.get(blob) ?? 0) > performance.now();

  /** @returns whether it could be made */
  function make(file: StoredFile, stamp: string, name: string): Promise<boolean> {
    const underWay = running.get(name)?.made;
    if (underWay !== undefined) return underWay;
    const ofOne = [...running.values()].filter((other) => other.stamp === stamp).length;
    if (running.size > MAX_WAITING || ofOne > MAX_WAITING_FOR_ONE) throw new StampsBusyError();
    const askedAt = performance.now();
    const made = last.then(() => {
      if (isUnstampable(file.blob)) return false;
      if (performance.now() - askedAt > PATIENCE_MS) throw new StampsBusyError();
      return write(file, stamp, join(folder, name));
    });
    running.set(name, { stamp, made });
    const forget = () => void running.delete(name);
    last = made.then(forget, forget);
    return made;
  }

  /** Once more where its process fell, which need not be for the file. @throws NoRoomError */
  async function write(file: StoredFile, stamp: string, path: string): Promise<boolean> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await sweep(Date.now());
    await requireRoom(file.size_bytes);
    const draft = `${path}.${randomUUID()}`;
    try {
      let code = await run(file, stamp, draft);
      if (code !== 0 && code !== UNSTAMPABLE) code = await run(file, stamp, draft);
      if (code === 0) {
        await rename(draft, path);
        return true;
      }
      if (unstampable.size >= MAX_KNOWN) unstampable.clear();
      const wait = code === UNSTAMPABLE ? Number.POSITIVE_INFINITY : LEFT_ALONE_MS;
      unstampable.set(file.blob, performance.now() + wait);
      return false;
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** The disk is the database's, too. */
  async function requireRoom(bytes: number): Promise<void> {
    const { bavail, blocks, bsize } = await statfs(folder);
    const space = { free: bavail * bsize, total: blocks * bsize, minFree };
    const room = await measureRoom({ measureSpace: async () => space });
    if (room < 2 * bytes + ROOM_BYTES) throw new NoRoomError();
  }

  async function run(file: StoredFile, stamp: string, draft: string): Promise<number | null> {
    const reader = await store.openForReading(file.blob);
    return withReader(reader, async () => {
      const read = reader.read.bind(reader);
      const input = { head: `${stamp.replaceAll('\n', ' ')}\n`, size: file.size_bytes, read };
      return (await runConfined([CHILD, draft], input, 0)).code;
    });
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
      if (size_bytes > MAX_STAMPED_BYTES || isUnstampable(blob)) return null;
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
