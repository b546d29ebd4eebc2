import type { FileStore } from './file-store.ts';

/** A small blob as a whole; null when there is none. */
export async function readBlob(
  store: Pick<FileStore, 'openForReading' | 'sizeOf'>,
  blob: string,
): Promise<Buffer | null> {
  const size = await store.sizeOf(blob);
  if (size === null) return null;
  const bytes = Buffer.alloc(size);
  const reader = await store.openForReading(blob);
  try {
    let read = 0;
    while (read < size) {
      const count = await reader.read(bytes.subarray(read), size - read, read);
      if (count === 0) return null;
      read += count;
    }
    return bytes;
  } finally {
    await reader.close();
  }
}
