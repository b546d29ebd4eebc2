import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { BlobReader, BlobWriter } from '../../../domain/files/file-store.ts';

// A symbolic link in the folder of blobs is nobody's upload. Windows knows no such flag.
const { O_CREAT, O_RDONLY, O_WRONLY, O_NOFOLLOW = 0 } = constants;

/** @param mode of a file that this makes. */
export async function openForAppend(
  path: string,
  offset: number,
  mode: number,
): Promise<BlobWriter> {
  const file = await open(path, O_WRONLY | O_CREAT | O_NOFOLLOW, mode);
  let end = offset;
  return {
    async write(chunks) {
      // The system may take less than it was given, on a nearly full disk for one.
      for (let rest = chunks; rest.length > 0; ) {
        const { bytesWritten } = await file.writev(rest, end);
        end += bytesWritten;
        rest = dropBytes(rest, bytesWritten);
      }
    },
    close: () => file.close(),
  };
}

export async function openForReading(path: string): Promise<BlobReader> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW);
  return {
    async read(buffer, length, position) {
      return (await file.read(buffer, 0, length, position)).bytesRead;
    },
    close: () => file.close(),
  };
}

/** What is left of the chunks without their first `count` bytes. */
function dropBytes(chunks: Uint8Array[], count: number): Uint8Array[] {
  let position = 0;
  return chunks.flatMap((chunk) => {
    const taken = Math.max(count - position, 0);
    position += chunk.length;
    return taken < chunk.length ? [chunk.subarray(taken)] : [];
  });
}
