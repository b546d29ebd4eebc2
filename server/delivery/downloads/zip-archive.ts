import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { folderOf, lastPart } from '../../../contract/links.ts';
import type { BlobReader } from '../../files/file-store.ts';
import { cutStem, shortenName } from '../../files/start-upload.ts';

/** A file as it lies in the archive. */
export interface ArchivedFile {
  /** With the folders that it lies in. */
  name: string;
  blob: string;
  /** Bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
  crc32: number;
  /** UTC milliseconds. */
  modifiedAt: number;
}

/** A ZIP archive that is nowhere as a whole: every byte of it is known from its files'. */
export interface ZipArchive<File extends ArchivedFile = ArchivedFile> {
  /** Bytes. */
  size: number;
  /** In the order of the archive, without gaps. */
  segments: Segment<File>[];
  /** Strong and quoted; another archive has another one. */
  etag: string;
}

interface Segment<File> {
  /** Where it begins in the archive. */
  start: number;
  length: number;
  /** The bytes themselves, or the file whose bytes they are. */
  content: Buffer | File;
}

/** What lets anyone check the files once they are unpacked: `sha256sum --check SHA256SUMS`. */
const SUMS_NAME = 'SHA256SUMS';

/**
 * Lays out a ZIP archive of files in their order, and their SHA-256 in a file beside them. Nothing
 * is compressed, so that sizes, and with them every position, are known beforehand; the same files
 * always make the same bytes. ZIP64 where a size, a position or a number needs it.
 */
export function layOutArchive<File extends ArchivedFile>(files: File[]): ZipArchive<File> {
  const named = nameApart(files);
  const sums = Buffer.from(named.map(({ sha256, name }) => `${sha256}  ${name}\n`).join(''));
  const modifiedAt = Math.max(...files.map((file) => file.modifiedAt));
  const entries: (Entry & { content: Buffer | File })[] = [
    ...named.map((file) => ({ ...file, content: file })),
    { name: SUMS_NAME, size: sums.length, crc32: crc32(sums), modifiedAt, content: sums },
  ];
  const segments: Segment<File>[] = [];
  const identity = createHash('sha256');
  let size = 0;
  const add = (content: Buffer | File, length: number) => {
    segments.push({ start: size, length, content });
    identity.update(Buffer.isBuffer(content) ? content : content.blob);
    size += length;
  };
  const directory: Buffer[] = [];
  for (const entry of entries) {
    directory.push(directoryHeader(entry, size));
    const header = localHeader(entry);
    add(header, header.length);
    add(entry.content, entry.size);
  }
  const end = endOfDirectory(entries.length, Buffer.concat(directory), size);
  add(end, end.length);
  return { size, segments, etag: `"${identity.digest('base64url')}"` };
}

/** Reads an archive as if it were one blob, with one file of it open at a time. */
export function openArchive<File extends ArchivedFile>(
  { segments }: Pick<ZipArchive<File>, 'segments'>,
  open: (file: File) => Promise<BlobReader>,
): BlobReader {
  let opened: { file: File; reader: BlobReader } | null = null;
  const close = async () => {
    const { reader } = opened ?? {};
    opened = null;
    await reader?.close();
  };
  const readFile = async (file: File, ...part: [Uint8Array, number, number]) => {
    if (opened?.file !== file) {
      await close();
      opened = { file, reader: await open(file) };
    }
    return opened.reader.read(...part);
  };
  return {
    close,
    async read(buffer, length, position) {
      let got = 0;
      for (const { start, length: bytes, content } of segments) {
        const from = position + got - start;
        if (from >= bytes) continue;
        while (got < length && position + got < start + bytes) {
          const at = position + got - start;
          const wanted = Math.min(length - got, bytes - at);
          const rest = buffer.subarray(got);
          const count = Buffer.isBuffer(content)
            ? content.copy(rest, 0, at, at + wanted)
            : await readFile(content, rest, wanted, at);
          if (count === 0) return got;
          got += count;
        }
        if (got === length) break;
      }
      return got;
    },
  };
}

/** The parts of an archive's files that lie between two positions in it, both in bytes. */
export function filesBetween<File extends ArchivedFile>(
  { segments }: ZipArchive<File>,
  first: number,
  end: number,
): { file: File; first: number; end: number }[] {
  return segments.flatMap(({ start, length, content }) => {
    if (Buffer.isBuffer(content)) return [];
    const part = { first: Math.max(first - start, 0), end: Math.min(end - start, length) };
    return part.first < part.end ? [{ file: content, ...part }] : [];
  });
}

/**
 * Names under which everybody can unpack the files: no two are one where case does not count, and
 * none is that of a folder of another.
 */
function nameApart<File extends ArchivedFile>(files: File[]): File[] {
  const paths = files.map(({ name }) => makePortable(name));
  const taken = new Set([SUMS_NAME, ...paths.flatMap(foldersOf)].map(fold));
  return files.map((file, index) => {
    const path = paths[index] ?? '';
    const folder = folderOf(path);
    const safe = lastPart(path);
    const [, stem = safe, extension = ''] = /^(.+?)(\.[^.]{0,20})?$/u.exec(safe) ?? [];
    let name = path;
    for (let count = 2; taken.has(fold(name)); count += 1) {
      const end = ` (${count})${extension}`;
      name = folder + cutStem(stem, end) + end;
    }
    taken.add(fold(name));
    return { ...file, name };
  });
}

/** "a/b/c" -> "a", "a/b" */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

/** As systems compare names that take capital and small letters for the same. */
const fold = (path: string) => path.toUpperCase().toLowerCase().normalize('NFC');

/** Names of devices, whatever extension they have. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\.|$)/iu;

/** Windows forbids some characters and names, and leaves out dots and spaces at the end. */
function makePortable(path: string): string {
  const parts = path.split('/').map((part) => {
    const name = DEVICE.test(part) ? shortenName(`_${part}`) : part;
    return name.replace(/[<>:"|?*]|[.\s]+$/gu, (unfit) => '_'.repeat(unfit.length));
  });
  // The sums lie beside it.
  if (parts.length > 1 && fold(parts[0] ?? '') === fold(SUMS_NAME)) parts[0] += '_';
  return parts.join('/');
}

type Entry = Pick<ArchivedFile, 'name' | 'size' | 'crc32' | 'modifiedAt'>;

const FULL_32 = 0xff_ff_ff_ff;
const FULL_16 = 0xff_ff;
/** Readers that know ZIP64. */
const VERSION = 45;
const UTF8_NAMES = 1 << 11;
/** Made on a Unix system, so that the file mode counts. */
const UNIX = 3 << 8;
const REGULAR_FILE = 0o100_644 << 16;

function localHeader(entry: Entry): Buffer {
  const isLarge = entry.size >= FULL_32;
  return Buffer.concat([
    u32(0x04_03_4b_50),
    commonFields(entry),
    extraFields(entry, isLarge ? [entry.size, entry.size] : []),
  ]);
}

function directoryHeader(entry: Entry, position: number): Buffer {
  const isLarge = entry.size >= FULL_32;
  const isFar = position >= FULL_32;
  const large = [...(isLarge ? [entry.size, entry.size] : []), ...(isFar ? [position] : [])];
  const [lengths, rest] = splitExtra(extraFields(entry, large));
  return Buffer.concat([
    u32(0x02_01_4b_50),
    u16(UNIX | VERSION),
    commonFields(entry),
    lengths,
    // No comment, the first disk, binary.
    u16(0),
    u16(0),
    u16(0),
    u32(REGULAR_FILE >>> 0),
    u32(isFar ? FULL_32 : position),
    rest,
  ]);
}

/** From the version that is needed to the size: the same in both headers of an entry. */
function commonFields({ size, crc32, modifiedAt }: Entry): Buffer {
  const length = u32(Math.min(size, FULL_32));
  const stored = u16(0);
  return Buffer.concat([
    ...[u16(VERSION), u16(UTF8_NAMES), stored, dosTime(modifiedAt)],
    ...[u32(crc32), length, length],
  ]);
}

/** The lengths of name and extra fields, and both of these. */
function extraFields({ name, modifiedAt }: Entry, large: number[]): Buffer {
  const seconds = Math.min(Math.floor(modifiedAt / 1000), 0x7f_ff_ff_ff);
  const time = [u16(0x54_55), u16(5), Buffer.of(1), u32(seconds)];
  const zip64 = large.length > 0 ? [u16(1), u16(large.length * 8), ...large.map(u64)] : [];
  const extra = Buffer.concat([...zip64, ...time]);
  const bytes = Buffer.from(name);
  return Buffer.concat([u16(bytes.length), u16(extra.length), bytes, extra]);
}

const splitExtra = (fields: Buffer) => [fields.subarray(0, 4), fields.subarray(4)] as const;

function endOfDirectory(count: number, directory: Buffer, position: number): Buffer {
  const { length } = directory;
  const isFar = position + length >= FULL_32;
  const zip64 = [
    ...[u32(0x06_06_4b_50), u64(44), u16(UNIX | VERSION), u16(VERSION), u32(0), u32(0)],
    ...[u64(count), u64(count), u64(length), u64(position)],
    // Where that record is.
    ...[u32(0x07_06_4b_50), u32(0), u64(position + length), u32(1)],
  ];
  return Buffer.concat([
    directory,
    ...(isFar ? zip64 : []),
    ...[u32(0x06_05_4b_50), u16(0), u16(0), u16(count), u16(count)],
    ...[u32(length), u32(Math.min(position, FULL_32)), u16(0)],
  ]);
}

/** The local time of nowhere, so UTC: readers of the extra field know the moment itself. */
function dosTime(ms: number): Buffer {
  const at = new Date(Math.max(ms, Date.UTC(1980, 0, 1)));
  const time =
    (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | Math.floor(at.getUTCSeconds() / 2);
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return Buffer.concat([u16(time), u16(day)]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value & FULL_16);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
