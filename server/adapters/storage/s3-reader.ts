import type { BlobReader } from '../../files/file-store.ts';
import { S3Error } from './s3-client.ts';

type Answer = AsyncIterable<Uint8Array> & { destroy(): void };

/** How often in a row reading may break off before it fails. */
const MAX_BREAKS = 3;
const NOTHING = new Uint8Array();

/** Reads on from one answer for as long as the positions follow each other. */
export function openReader(open: (position: number) => Promise<Answer>): BlobReader {
  let answer: Answer | null = null;
  let chunks: AsyncIterator<Uint8Array> | null = null;
  let rest: Uint8Array = NOTHING;
  let end = -1;
  const stop = () => {
    answer?.destroy();
    answer = null;
    chunks = null;
    rest = NOTHING;
  };
  async function next(position: number): Promise<Uint8Array> {
    if (rest.byteLength > 0) return rest;
    if (!chunks) {
      answer = await open(position);
      chunks = answer[Symbol.asyncIterator]();
    }
    const { value, done } = await chunks.next();
    return done ? NOTHING : value;
  }
  return {
    async read(buffer, length, position) {
      if (position !== end) stop();
      end = position;
      for (let breaks = 0; ; breaks += 1) {
        try {
          rest = await next(position);
          break;
        } catch (error) {
          stop();
          if (error instanceof S3Error && error.status === 416) return 0;
          if (error instanceof S3Error || breaks === MAX_BREAKS) throw error;
        }
      }
      const taken = rest.subarray(0, length);
      buffer.set(taken);
      rest = rest.subarray(taken.byteLength);
      end += taken.byteLength;
      return taken.byteLength;
    },
    close: async () => stop(),
  };
}
