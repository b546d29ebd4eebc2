import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobReader, BlobWriter, FileStore } from '../../files/file-store.ts';
import {
  makeDurable,
  orNullWhenMissing,
  replaceFile,
  syncFolder,
} from '../../ground/lib/durable.ts';
import { isBlobName, requireBlobName } from './blob-name.ts';

/**
 * Keeps blobs as files in one flat folder that only this user may read, beside the id of their
 * installation and the quarantine, so that copying or mounting it includes all of them. One process
 * at a time owns the folder.
 * @param groupReads lets a group read the blobs too, as far as the umask or the folder's own access
 * list does
 * @param minFreeDiskBytes what files leave free of the disk, where the operator has set it
 */
export async function openDiskStore(
  dataDir: string,
  { groupReads = false, minFreeDiskBytes = null as number | null } = {},
): Promise<FileStore> {
  const folder = join(dataDir, 'blobs');
  const quarantine = join(folder, 'quarantine');
  const owner = join(folder, 'installation');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await syncFolder(dataDir);
  return {
    place: folder,
    direct: null,
    sizeOf: async (blob) => (await statusOf(folder, blob))?.size ?? null,
    changedAt: async (blob) => (await statusOf(folder, blob))?.mtimeMs ?? null,
    openForAppend: async (blob, offset) =>
      openForAppend(blobPath(folder, blob), offset, groupReads ? 0o640 : 0o600),
    openForReading: async (blob) => openForReading(blobPath(folder, blob)),
    makeDurable: async (blob) => makeDurable(folder, blobPath(folder, blob)),
    remove: async (blob) => rm(blobPath(folder, blob), { force: true }),
    async measureSpace() {
      const { bavail, blocks, bsize } = await statfs(folder);
      return { free: bavail * bsize, total: blocks * bsize, minFree: minFreeDiskBytes };
    },
    probe: () => probe(join(folder, `probe-${randomUUID()}`)),
    list: () => listBlobs(folder),
    async quarantine(blob) {
      const status = await statusOf(folder, blob);
      if (!status) return 0;
      await mkdir(quarantine, { recursive: true, mode: 0o700 });
      await rename(blobPath(folder, blob), blobPath(quarantine, blob));
      return status.size;
    },
    release: async (blob) => rename(blobPath(quarantine, blob), blobPath(folder, blob)),
    async removeQuarantined(blob) {
      const status = await statusOf(quarantine, blob);
      await rm(blobPath(quarantine, blob), { force: true });
      return status?.size ?? 0;
    },
    listQuarantined: () => listBlobs(quarantine),
    openQuarantined: async (blob) => openForReading(blobPath(quarantine, blob)),
    async readOwner() {
      return (await orNullWhenMissing(readFile(owner, 'utf8')))?.trim() || null;
    },
    writeOwner: (id) => replaceFile(folder, owner, `${id}\n`),
  };
}

async function statusOf(folder: string, blob: string) {
  return orNullWhenMissing(stat(blobPath(folder, blob)));
}

/** More than a file system stores within a file's own entry. */
const PROBE_BYTES = 64 * 1024;

async function probe(path: string): Promise<void> {
  try {
    await writeFile(path, Buffer.alloc(PROBE_BYTES), { flag: 'wx', flush: true });
  } finally {
    await rm(path, { force: true });
  }
}

async function* listBlobs(folder: string): AsyncGenerator<string> {
  for (const name of (await orNullWhenMissing(readdir(folder))) ?? []) {
    if (isBlobName(name)) yield name;
  }
}

const blobPath = (folder: string, blob: string) => join(folder, requireBlobName(blob));

// A symbolic link in the blob folder is never an upload. Windows has no such flag.
const { O_CREAT, O_RDONLY, O_WRONLY, O_NOFOLLOW = 0 } = constants;

/** @param mode of a file that this makes. */
async function openForAppend(path: string, offset: number, mode: number): Promise<BlobWriter> {
  const file = await open(path, O_WRONLY | O_CREAT | O_NOFOLLOW, mode);
  let end = offset;
  return {
    async write(chunks) {
      // The system may write less than it was given, for example on a nearly full disk.
      for (let rest = chunks; rest.length > 0; ) {
        const { bytesWritten } = await file.writev(rest, end);
        end += bytesWritten;
        rest = dropBytes(rest, bytesWritten);
      }
    },
    close: () => file.close(),
  };
}

async function openForReading(path: string): Promise<BlobReader> {
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
