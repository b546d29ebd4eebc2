import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore, StoredBlob } from '../../../domain/files/file-store.ts';
import { blobPath, isBlobName } from './blob-path.ts';
import { makeDurable, syncFolder } from './make-durable.ts';
import { openForAppend, openForReading } from './open-blob.ts';
import { orNullWhenMissing } from './when-missing.ts';

/**
 * Keeps blobs as files of one flat folder that only this user may read. One process at a time
 * owns the folder.
 */
export async function openDiskStore(dataDir: string): Promise<FileStore> {
  const folder = join(dataDir, 'blobs');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await syncFolder(dataDir);
  return {
    async sizeOf(blob) {
      return (await orNullWhenMissing(stat(blobPath(folder, blob))))?.size ?? null;
    },
    openForAppend: async (blob, offset) => openForAppend(blobPath(folder, blob), offset),
    openForReading: async (blob) => openForReading(blobPath(folder, blob)),
    makeDurable: async (blob) => makeDurable(folder, blobPath(folder, blob)),
    remove: async (blob) => rm(blobPath(folder, blob), { force: true }),
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    list: () => listBlobs(folder),
  };
}

async function* listBlobs(folder: string): AsyncGenerator<StoredBlob> {
  for (const name of await readdir(folder)) {
    if (!isBlobName(name)) continue;
    const status = await orNullWhenMissing(stat(join(folder, name)));
    if (status) yield { blob: name, changedAt: status.mtimeMs };
  }
}
