import { createHash } from 'node:crypto';
import type { BlobWriter } from '../../files/file-store.ts';
import { MIN_PART_BYTES } from './s3-uploads.ts';

/** Of one upload, while its next part arrives. */
const MAX_PARTS_UNDER_WAY = 2;

/** Of all uploads together, beside the one part that each has memory for anyway. */
const MAX_SPARE_BYTES = 32 * 1024 ** 2;

/** Milliseconds for which what an upload leaves is kept for the next one. */
const KEPT_MS = 5_000;

/**
 * Memory for parts, which uploads share. One that finds none left waits for its own part to be stored.
 * Each new piece makes the garbage collector look through the whole heap, so a file that follows
 * another takes over its memory.
 */
export class PartMemory {
  #spareBytes = MAX_SPARE_BYTES;
  #kept: Buffer<ArrayBuffer>[] = [];
  #forgetting: NodeJS.Timeout | undefined;

  /** For the part that each upload has memory for. */
  take(bytes: number): Buffer<ArrayBuffer> {
    if (this.#kept[0]?.length !== bytes) this.#kept = [];
    return this.#kept.pop() ?? Buffer.allocUnsafeSlow(bytes);
  }

  takeSpare(bytes: number): Buffer<ArrayBuffer> | null {
    if (bytes > this.#spareBytes) return null;
    this.#spareBytes -= bytes;
    return this.take(bytes);
  }

  /** @param memories all that an upload had, the first of which was not spare */
  release([, ...spare]: Buffer<ArrayBuffer>[]): void {
    for (const { length } of spare) this.#spareBytes += length;
  }

  /** @param memories of one size, which nobody reads any more */
  keep(memories: Buffer<ArrayBuffer>[]): void {
    // Those of a small file are cheap.
    if (memories.some(({ length }) => length < MIN_PART_BYTES)) return;
    this.#kept = memories;
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => {
      this.#kept = [];
    }, KEPT_MS).unref();
  }
}

/** Of one upload, numbered from 1. */
interface Parts {
  /** 0 where there is no such part. */
  bytesOf(number: number): number;
  /** Stores a part that is whole. @param md5 in base64 */
  store(number: number, part: Uint8Array, md5: string): Promise<void>;
  /** Keeps what has arrived of a part, from its beginning. */
  keep(number: number, bytes: Uint8Array): Promise<void>;
}

/**
 * Divides what arrives into parts, and stores some of them while the next one arrives.
 * @param number of the part that `head` begins
 * @param head what was kept of it
 */
export async function openPartWriter(
  memory: PartMemory,
  parts: Parts,
  { number, head }: { number: number; head: Uint8Array },
): Promise<BlobWriter> {
  const partBytes = parts.bytesOf(1);
  const underWay = new Set<Promise<void>>();
  const had = [memory.take(partBytes)];
  const free = [...had];
  let part: Buffer<ArrayBuffer> | null = null;
  let filled = 0;
  let kept = 0;
  let hash = createHash('md5');
  let fault: Error | null = null;

  function requireNoFault(): void {
    if (fault) throw fault;
  }

  async function findRoom(): Promise<Buffer<ArrayBuffer>> {
    for (;;) {
      const room = free.pop();
      if (room) return room;
      const spare = memory.takeSpare(partBytes);
      if (spare) {
        had.push(spare);
        return spare;
      }
      await Promise.race(underWay);
      requireNoFault();
    }
  }

  function store(whole: Buffer<ArrayBuffer>): void {
    const stored = parts
      .store(number, whole.subarray(0, filled), hash.digest('base64'))
      .then(() => void free.push(whole))
      .catch((error: Error) => {
        fault ??= error;
      })
      .finally(() => underWay.delete(stored));
    underWay.add(stored);
    number += 1;
    part = null;
    filled = 0;
    kept = 0;
    hash = createHash('md5');
  }

  async function take(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.byteLength > 0; ) {
      const bytes = parts.bytesOf(number);
      if (bytes === 0) throw new Error('More bytes than the blob has');
      part ??= await findRoom();
      const next = rest.subarray(0, bytes - filled);
      part.set(next, filled);
      hash.update(next);
      filled += next.byteLength;
      rest = rest.subarray(next.byteLength);
      if (filled < bytes) continue;
      while (underWay.size >= MAX_PARTS_UNDER_WAY) await Promise.race(underWay);
      requireNoFault();
      store(part);
    }
  }

  await take(head);
  kept = filled;

  return {
    async write(chunks) {
      requireNoFault();
      for (const chunk of chunks) await take(chunk);
    },
    async close() {
      await Promise.all(underWay);
      memory.release(had);
      // What follows a part that is missing would be a gap.
      requireNoFault();
      if (part && filled > kept) await parts.keep(number, part.subarray(0, filled));
      // Not after a failure, when some of it may still be leaving.
      memory.keep(had);
    },
  };
}
