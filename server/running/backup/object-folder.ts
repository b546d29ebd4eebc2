import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compose, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { Row } from '../../ground/database/carry-rows.ts';
import { orNullWhenMissing, syncFolder } from '../../ground/lib/durable.ts';
import { BackupRefused } from './backup-refused.ts';
import { type Cipher, isFault, PLAIN } from './cipher.ts';

/** Bytes by their SHA-256, which is in hexadecimal. */
export interface StoredObject {
  sha256: string;
  bytes: number;
}

export type ObjectFolder = ReturnType<typeof openObjectFolder>;

const DRAFTS = 'drafts';
const DIGITS = [...'0123456789abcdef'];

/**
 * Keeps bytes as files that are named by their SHA-256, so that what is there already is never
 * copied again. A file has its name only once it is whole and on the disk.
 * @param remedy what to do where one is damaged
 */
export function openObjectFolder(
  path: string,
  { remedy = 'Take another backup.', cipher = PLAIN }: { remedy?: string; cipher?: Cipher } = {},
) {
  const folderOf = (sha256: string) => join(path, cipher.nameOf(sha256).slice(0, 2));
  const pathOf = (sha256: string) => join(folderOf(sha256), cipher.nameOf(sha256));

  async function ensureFolder(sha256: string): Promise<void> {
    if (await mkdir(folderOf(sha256), { recursive: true, mode: 0o700 })) await syncFolder(path);
  }

  async function has({ sha256, bytes }: StoredObject): Promise<boolean> {
    const found = await orNullWhenMissing(stat(pathOf(sha256)));
    return found !== null && cipher.fits(found.size, bytes);
  }

  return {
    pathOf,
    has,
    /** Removes what an interrupted backup was writing. */
    async begin(): Promise<void> {
      await rm(join(path, DRAFTS), { recursive: true, force: true });
      await mkdir(join(path, DRAFTS), { recursive: true, mode: 0o700 });
    },
    async put(chunks: AsyncIterable<Uint8Array>): Promise<StoredObject> {
      const draft = join(path, DRAFTS, randomUUID());
      const hash = createHash('sha256');
      let bytes = 0;
      const counted = async function* () {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.byteLength;
          yield chunk;
        }
      };
      await using file = await open(draft, 'wx', 0o600);
      for await (const chunk of cipher.seal(counted())) await file.writeFile(chunk);
      await file.sync();
      const stored = { sha256: hash.digest('hex'), bytes };
      await ensureFolder(stored.sha256);
      await rename(draft, pathOf(stored.sha256));
      await syncFolder(folderOf(stored.sha256));
      return stored;
    },
    /** Shares the file of another folder. @returns false where it has none, or the disk shares none */
    async share(from: { pathOf(sha256: string): string }, { sha256 }: StoredObject) {
      try {
        await ensureFolder(sha256);
        await link(from.pathOf(sha256), pathOf(sha256));
        await syncFolder(folderOf(sha256));
        return true;
      } catch {
        return false;
      }
    },
    /** As readChecked. */
    read: (object: StoredObject) => readChecked(pathOf(object.sha256), object, remedy, cipher),
    /** Begins a list of what is needed, on the disk: it may be long. */
    async beginNeeded() {
      const list = join(path, DRAFTS, 'needed');
      const file = await open(list, 'wx', 0o600);
      return {
        add: ({ sha256 }: StoredObject) => file.writeFile(`${cipher.nameOf(sha256)}\n`),
        close: () => file.close(),
        names: () => createInterface({ input: createReadStream(list), crlfDelay: Infinity }),
      };
    },
    /** Removes what is not needed any more, and all drafts. */
    async keepOnly(listNames: () => AsyncIterable<string>): Promise<void> {
      await removeOthers(path, listNames);
      await rm(join(path, DRAFTS), { recursive: true, force: true });
    },
  };
}

/** Reads the list sixteen times, so that a sixteenth of the names is in memory at a time. */
async function removeOthers(path: string, listNames: () => AsyncIterable<string>): Promise<void> {
  for (const digit of DIGITS) {
    const needed = new Set<string>();
    for await (const name of listNames()) if (name[0] === digit) needed.add(name);
    for (const second of DIGITS) {
      const folder = join(path, digit + second);
      for (const name of (await orNullWhenMissing(readdir(folder))) ?? []) {
        if (!needed.has(name)) await rm(join(folder, name));
      }
    }
  }
}

/**
 * Reads a file, and compares it once all is read.
 * @throws BackupRefused that names it when it is not what was stored
 */
export async function* readChecked(
  path: string,
  { sha256, bytes }: StoredObject,
  remedy: string,
  cipher = PLAIN,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const damaged = new BackupRefused(`${path} is damaged. ${remedy}`);
  const found = await orNullWhenMissing(stat(path));
  if (!found || !cipher.fits(found.size, bytes)) throw damaged;
  const stored = createReadStream(path, { highWaterMark: 1024 ** 2 });
  for await (const chunk of openChecked(stored, cipher, damaged)) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw damaged;
}

/** What cannot be opened is damaged; what the disk refuses is said as it is. */
async function* openChecked(stored: Readable, cipher: Cipher, damaged: Error) {
  try {
    yield* cipher.open(stored);
  } catch (error) {
    throw isFault(error) ? error : damaged;
  }
}

/** Rows as lines of JSON, compressed. */
export function writeLines(rows: AsyncIterable<Row>): AsyncIterable<Uint8Array> {
  const lines = async function* () {
    for await (const row of rows) yield `${JSON.stringify(row)}\n`;
  };
  return compose(Readable.from(lines(), { objectMode: false }), createGzip());
}

/** The rows again. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const input = compose(Readable.from(chunks, { objectMode: false }), createGunzip());
  for await (const line of createInterface({ input, crlfDelay: Infinity })) yield JSON.parse(line);
}
