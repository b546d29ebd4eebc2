import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { z } from 'zod';
import { orNullWhenMissing, syncFolder } from '../../ground/lib/durable.ts';
import { BackupRefused } from './backup-refused.ts';
import { type Cipher, isFault, openWith, PLAIN } from './cipher.ts';

/** Raised when a reader of the earlier format would misread a backup. */
const FORMAT = 1;
const NAME = 'manifest.ndjson';
/** Of one that only a key opens. */
const SEALED_NAME = `${NAME}.age`;

const object = { sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().nonnegative() };

const HEAD = z.object({
  padlink: z.literal('backup'),
  format: z.int(),
  /** Of the product that made it. */
  version: z.string(),
  /** The product's migrations that the database had. */
  migrations: z.array(z.string()),
  installation: z.string(),
  /** ISO 8601. */
  madeAt: z.string(),
  /** What hides the names of the files; only where they are sealed. */
  nameKey: z.string().optional(),
});

const OWN_NAME = z.enum(['app-secret', 'sandbox.sqlite']);

const ENTRY = z.union([
  z.object({ table: z.string(), rows: z.int().nonnegative(), ...object }),
  z.object({ own: OWN_NAME, ...object }),
  /** `key`: of an upload; covers and previews have none. */
  z.object({ blob: z.string(), key: z.string().nullable(), ...object }),
]);

const END = z.object({
  tables: z.int(),
  rows: z.int(),
  files: z.int(),
  fileBytes: z.int(),
  /** A sentence for each file that was missing or damaged. */
  faults: z.array(z.string()),
  /** Of all lines before this one. */
  manifestSha256: object.sha256,
});

type Head = z.infer<typeof HEAD>;
/** What is in the data folder beside database and files. */
export type OwnName = z.infer<typeof OWN_NAME>;
export type Entry = z.infer<typeof ENTRY>;
export type OwnEntry = Extract<Entry, { own: OwnName }>;
export type TableEntry = Extract<Entry, { table: string }>;
export type BlobEntry = Extract<Entry, { blob: string }>;
export type End = z.infer<typeof END>;

export interface Manifest {
  /** Of the backup. */
  folder: string;
  head: Head;
  end: End;
  /** Of the files. */
  cipher: Cipher;
  entries(): AsyncGenerator<Entry>;
}

/**
 * Writes a manifest line by line. It takes the place of an earlier one only when it is whole and on
 * the disk.
 */
export async function beginManifest(
  folder: string,
  head: Omit<Head, 'padlink' | 'format'>,
  cipher: Cipher,
) {
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${NAME}.`) && name !== SEALED_NAME) await rm(join(folder, name));
  }
  const draft = join(folder, `${NAME}.${randomUUID()}`);
  const file = await open(draft, 'wx', 0o600);
  const hash = createHash('sha256');
  const lines = new PassThrough();
  const written = writeAll(file, cipher.seal(lines));
  // Whoever waits for it is told.
  written.catch(() => {});
  const write = async (line: object) => {
    const text = `${JSON.stringify(line)}\n`;
    hash.update(text);
    if (!lines.write(text)) await Promise.race([once(lines, 'drain'), written]);
  };
  await write({ padlink: 'backup', format: FORMAT, ...head } satisfies Head);
  return {
    add: (entry: Entry) => write(entry),
    async finish(counts: Omit<End, 'manifestSha256'>): Promise<void> {
      await write({ ...counts, manifestSha256: hash.copy().digest('hex') } satisfies End);
      lines.end();
      await written;
      await file.sync();
      await file.close();
      const [name, other] = cipher === PLAIN ? [NAME, SEALED_NAME] : [SEALED_NAME, NAME];
      await rename(draft, join(folder, name));
      await rm(join(folder, other), { force: true });
      await syncFolder(folder);
    },
    async close(): Promise<void> {
      lines.destroy();
      await written.catch(() => {});
      await file.close();
    },
  };
}

async function writeAll(file: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) await file.writeFile(chunk);
}

/**
 * Reads the manifest of a backup and compares its checksum.
 * @param identities the keys of age that may open it
 * @throws BackupRefused where there is no whole backup, or one that this version cannot read
 */
export async function readManifest(folder: string, identities: string[] = []): Promise<Manifest> {
  const names = await orNullWhenMissing(readdir(folder));
  const isSealed = names?.includes(SEALED_NAME);
  if (!isSealed && !names?.includes(NAME)) throw new BackupRefused(explainMissing(folder, names));
  const path = join(folder, isSealed ? SEALED_NAME : NAME);
  if (!isSealed && identities.length > 0) {
    throw new BackupRefused(
      `The backup in ${folder} is not encrypted. Leave --identity out if that is what you expect; otherwise, someone may have put another backup in its place.`,
    );
  }
  if (isSealed && identities.length === 0) {
    throw new BackupRefused(
      `The backup in ${folder} is encrypted. Add --identity FILE, with the file that holds your key of age.`,
    );
  }
  const open = isSealed ? (await openWith(identities, '')).open : PLAIN.open;
  const readLines = () =>
    createInterface({ input: Readable.from(open(createReadStream(path))), crlfDelay: Infinity });
  const hash = createHash('sha256');
  let first: string | undefined;
  let last = '';
  const damaged = new BackupRefused(
    `${path} is damaged: its checksum is wrong. Take another backup.`,
  );
  try {
    for await (const line of readLines()) {
      if (first === undefined) first = line;
      else hash.update(`${last}\n`);
      last = line;
    }
  } catch (error) {
    throw isFault(error) ? error : damaged;
  }
  const head = parse(HEAD, first);
  const end = parse(END, last);
  if (!head || !end || end.manifestSha256 !== hash.digest('hex')) throw damaged;
  if (head.format !== FORMAT) {
    throw new BackupRefused(
      `The backup in ${folder} was made by Padlink ${head.version}, in a format that this version cannot read. Restore it with that version.`,
    );
  }
  const cipher = isSealed ? await openWith(identities, head.nameKey ?? '') : PLAIN;
  return { folder, head, end, cipher, entries: () => parseEntries(readLines()) };
}

/** The folders of encrypted backups beside this one, the newest first: nothing in them says whose. */
export async function findEarlierSealed(folder: string): Promise<string[]> {
  const parent = dirname(folder);
  const found: { folder: string; madeAt: number }[] = [];
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === basename(folder)) continue;
    const beside = join(parent, entry.name);
    // Or it is not ours to look into.
    const made = await stat(join(beside, SEALED_NAME)).catch(() => null);
    if (made) found.push({ folder: beside, madeAt: made.mtimeMs });
  }
  return found.sort((a, b) => b.madeAt - a.madeAt).map((one) => one.folder);
}

/** The latest whole backup of an installation: in the folder itself, else in one beside it. */
export async function findEarlier(folder: string, installation: string): Promise<Manifest | null> {
  const own = await orNullWhenRefused(readManifest(folder));
  if (own) return own;
  const parent = dirname(folder);
  let latest: Manifest | null = null;
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === basename(folder)) continue;
    const found = await orNullWhenRefused(readManifest(join(parent, entry.name)));
    if (found?.head.installation !== installation) continue;
    if (!latest || found.head.madeAt > latest.head.madeAt) latest = found;
  }
  return latest;
}

/** Whether a folder holds nothing, or what backups leave there. */
export async function isBackupFolder(folder: string): Promise<boolean> {
  const names = await readdir(folder);
  return names.every((name) => name.startsWith(NAME) || name === OBJECTS || name.startsWith(LOCK));
}

/** What is beside the manifest. */
export const OBJECTS = 'objects';
export const LOCK = 'backup.lock';

function explainMissing(folder: string, names: string[] | null): string {
  if (names === null) return `There is no folder ${folder}.`;
  return names.includes(OBJECTS)
    ? `The backup in ${folder} is unfinished: making it was interrupted. Repeat the backup command, which continues it, or take another backup.`
    : `There is no backup in ${folder}.`;
}

async function orNullWhenRefused(reading: Promise<Manifest>): Promise<Manifest | null> {
  try {
    return await reading;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof BackupRefused || code === 'EACCES') return null;
    throw error;
  }
}

async function* parseEntries(lines: AsyncIterable<string>): AsyncGenerator<Entry> {
  for await (const line of lines) {
    const entry = parse(ENTRY, line);
    if (entry) yield entry;
  }
}

/** Null for a line that is something else. */
function parse<Value>(schema: z.ZodType<Value>, line = ''): Value | null {
  try {
    return schema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
