import type { BlobReader, FileStore } from './file-store.ts';

/** Closes a reader once the work with it has ended. */
export async function withReader<Result>(
  reader: BlobReader,
  work: (reader: BlobReader) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(reader);
  } finally {
    await reader.close();
  }
}

/** All bytes in their order. The next chunk takes the place of the one before it. */
export async function* readChunks(
  reader: BlobReader,
  atOnceBytes = 1024 ** 2,
): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(atOnceBytes);
  for (let position = 0; ; ) {
    const count = await reader.read(buffer, buffer.length, position);
    if (count === 0) return;
    yield buffer.subarray(0, count);
    position += count;
  }
}

/** A small blob as a whole; null when there is none. */
export async function readBlob(
  store: Pick<FileStore, 'openForReading' | 'sizeOf'>,
  blob: string,
): Promise<Buffer | null> {
  const size = await store.sizeOf(blob);
  if (size === null) return null;
  const bytes = Buffer.alloc(size);
  return withReader(await store.openForReading(blob), async (reader) => {
    for (let read = 0; read < size; ) {
      const count = await reader.read(bytes.subarray(read), size - read, read);
      if (count === 0) return null;
      read += count;
    }
    return bytes;
  });
}
