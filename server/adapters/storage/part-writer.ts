import { createHash } from 'node:crypto';
import type { BlobWriter } from '../../files/file-store.ts';

/** Of one upload, while its next part arrives. */
const MAX_PARTS_UNDER_WAY = 2;

/** Of all uploads together, beside the one part that each has memory for anyway. */
const MAX_SPARE_BYTES = 32 * 1024 ** 2;

/** Memory that uploads share. One that finds none left waits for its own part to be stored. */
export class SpareMemory {
  #left = MAX_SPARE_BYTES;

  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
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
  spare: SpareMemory,
  parts: Parts,
  { number, head }: { number: number; head: Uint8Array },
): Promise<BlobWriter> {
  const partBytes = parts.bytesOf(1);
  const underWay = new Set<Promise<void>>();
  const free = [Buffer.allocUnsafeSlow(partBytes)];
  let taken = 0;
  let part: Buffer<ArrayBuffer> | null = null;
  let filled = 0;
  let kept = 0;
  let hash = createHash('md5');
  let fault: Error | null = null;

  function requireNoFault(): void {
    if (fault) throw fault;
  }

  async function findMemory(): Promise<Buffer<ArrayBuffer>> {
    for (;;) {
      const memory = free.pop();
      if (memory) return memory;
      if (spare.take(partBytes)) {
        taken += 1;
        return Buffer.allocUnsafeSlow(partBytes);
      }
      await Promise.race(underWay);
      requireNoFault();
    }
  }

  function store(memory: Buffer<ArrayBuffer>): void {
    const stored = parts
      .store(number, memory.subarray(0, filled), hash.digest('base64'))
      .then(() => void free.push(memory))
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
      part ??= await findMemory();
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
      spare.give(taken * partBytes);
      // What follows a part that is missing would be a gap.
      requireNoFault();
      if (part && filled > kept) await parts.keep(number, part.subarray(0, filled));
    },
  };
}
