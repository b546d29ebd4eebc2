import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { skipWithout } from '../../../tests/harness/needs.ts';
import { createDataFolder } from '../../../tests/harness/run-folder.ts';
import { runPython } from '../../../tests/harness/run-python.ts';
import { sanitizeFilePath } from '../../files/start-upload.ts';
import { filesBetween, layOutArchive, openArchive } from './zip-archive.ts';

const GIBIBYTE = 1024 ** 3;
const MODIFIED = Date.UTC(2026, 10, 21, 12, 30, 44);

interface Content {
  name: string;
  bytes: Buffer;
}

const filesOf = (contents: Content[]) =>
  contents.map(({ name, bytes }, index) => ({
    name,
    blob: String(index),
    size: bytes.length,
    modifiedAt: MODIFIED,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    crc32: crc32(bytes),
  }));

/** Reads as a download does; never more than two bytes at once where `slow`. */
async function readRange(contents: Content[], first: number, end: number, slow = false) {
  let open = 0;
  const archive = layOutArchive(filesOf(contents));
  const reader = openArchive(archive, async ({ blob }) => {
    open += 1;
    const bytes = contents[Number(blob)]?.bytes ?? Buffer.alloc(0);
    return {
      read: async (buffer, length, position) =>
        bytes.copy(buffer, 0, position, position + (slow ? Math.min(length, 2) : length)),
      close: async () => {
        open -= 1;
      },
    };
  });
  const buffer = Buffer.alloc(end - first);
  expect(await reader.read(buffer, buffer.length, first)).toBe(buffer.length);
  expect(open).toBeLessThanOrEqual(1);
  await reader.close();
  expect(open).toBe(0);
  return buffer;
}

const anyContents = fc.array(
  fc.record({
    name: fc.string({ unit: 'binary' }).map(sanitizeFilePath),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  }),
  { minLength: 1, maxLength: 5 },
);

describe('the ZIP archive of files', () => {
  test('has in any range the bytes of the whole, and the same ones each time', async () => {
    await fc.assert(
      fc.asyncProperty(anyContents, fc.nat(), fc.nat(), async (contents, from, to) => {
        const { size } = layOutArchive(filesOf(contents));
        const whole = await readRange(contents, 0, size);
        const [first = 0, end = 0] = [from % size, (to % size) + 1].sort((a, b) => a - b);
        const part = await readRange(contents, first, end, true);
        expect(part.equals(whole.subarray(first, end))).toBe(true);
      }),
    );
  });

  test('is read by others, with names, times and sums as they were', async () => {
    const contents = ['a.txt', 'Étude "1" – 日本.pdf', 'A.TXT', 'SHA256SUMS', 'a.txt'].map(
      (name, index) => ({ name, bytes: Buffer.from(`content ${index}`) }),
    );
    const { size } = layOutArchive(filesOf(contents));
    const read = `
import io, json, sys, zipfile
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
print(json.dumps([archive.testzip(), [
    [entry.filename, entry.date_time, archive.read(entry).decode()]
    for entry in archive.infolist()]]))
`;
    const input = await readRange(contents, 0, size);
    const [damaged, entries] = JSON.parse(runPython(read, { input }));
    const names = ['a.txt', 'Étude _1_ – 日本.pdf', 'A (2).TXT', 'SHA256SUMS (2)', 'a (3).txt'];
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    const sums = contents.map(({ bytes }, index) => `${hash(bytes)}  ${names[index]}\n`).join('');
    const time = [2026, 11, 21, 12, 30, 44];
    expect(damaged).toBeNull();
    expect(entries).toEqual([
      ...contents.map(({ bytes }, index) => [names[index], time, String(bytes)]),
      ['SHA256SUMS', time, sums],
    ]);
  });

  test('has the folders of its files, and their sums as sha256sum reads them', async () => {
    const names = ['track1/mix.txt', 'track2/mix.txt', 'track2/stems/é 1.wav', '.htaccess'];
    const contents = names.map((name) => ({ name, bytes: Buffer.from(name) }));
    const folder = createDataFolder();
    const unpack = `
import io, sys, zipfile
zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())).extractall(sys.argv[1])
`;
    const input = await readRange(contents, 0, layOutArchive(filesOf(contents)).size);
    runPython(unpack, { input, args: [folder] });
    if (process.platform !== 'linux') skipWithout('linux');
    const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder });
    expect(String(checked)).toBe(names.map((name) => `${name}: OK\n`).join(''));
  });

  /** What the files of an archive are called in it, as its headers say. */
  function entriesOf(names: string[]): string[] {
    const { segments } = layOutArchive(
      filesOf(names.map((name) => ({ name, bytes: Buffer.from('x') }))),
    );
    const entries = segments.flatMap(({ content }) => {
      const isHeader = Buffer.isBuffer(content) && content.readUInt32LE() === 0x04_03_4b_50;
      return isHeader ? [content.toString('utf8', 30, 30 + content.readUInt16LE(26))] : [];
    });
    expect(entries.at(-1)).toBe('SHA256SUMS');
    return entries.slice(0, -1);
  }

  test.each([
    [
      ['a', 'a/b'],
      ['a (2)', 'a/b'],
    ],
    [
      ['A/b', 'a'],
      ['A/b', 'a (2)'],
    ],
    [
      ['a/b.c/d', 'a/B.C'],
      ['a/b.c/d', 'a/B (2).C'],
    ],
    [
      ['a', 'a (2)', 'a/b'],
      ['a (2)', 'a (2) (2)', 'a/b'],
    ],
    [
      ['Mix/a.txt', 'mix/A.TXT'],
      ['Mix/a.txt', 'mix/A (2).TXT'],
    ],
    [
      ['straße/a', 'STRASSE/a'],
      ['straße/a', 'STRASSE/a (2)'],
    ],
    [
      ['Sha256Sums/a', 'sub/SHA256SUMS'],
      ['Sha256Sums_/a', 'sub/SHA256SUMS'],
    ],
    [
      ['what?/a:b.txt', 'what*/a|b.txt'],
      ['what_/a_b.txt', 'what_/a_b (2).txt'],
    ],
    [
      ['end./a.', 'end_/a_'],
      ['end_/a_', 'end_/a_ (2)'],
    ],
    [
      ['aux/con.tar.gz', 'COM1', 'nul .txt', 'context'],
      ['_aux/_con.tar.gz', '_COM1', '_nul .txt', 'context'],
    ],
    [[`con.${'a'.repeat(248)}. b`], [`_con.${'a'.repeat(248)}_`]],
  ])('of %j is unpacked as %j', (names, unpacked) => {
    expect(entriesOf(names)).toEqual(unpacked);
  });

  test('is unpacked anywhere, whatever its files are called', () => {
    const anyPart = fc.stringMatching(/^(con|nul|a|A|b|sha256sums|[. :?]){1,3}$/);
    const anyPath = fc
      .array(anyPart, { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(anyPath.map(sanitizeFilePath), { minLength: 1 }), (names) => {
        const entries = entriesOf(names).map((entry) => entry.toLowerCase());
        expect(entries).toHaveLength(names.length);
        expect(new Set(entries).size).toBe(entries.length);
        for (const entry of [...entries, 'sha256sums']) {
          expect(entries.filter((other) => other.startsWith(`${entry}/`))).toEqual([]);
          expect(entry).not.toMatch(/^\/|[:?\\]/);
          for (const part of entry.split('/')) {
            expect(part).toMatch(/^(?!(con|nul)\s*(\.|$)).*[^. ]$/);
          }
        }
      }),
    );
  });

  test('tells names apart that are as long as a name may be', () => {
    const name = `${'ä'.repeat(125)}n.pdf`;
    const { segments } = layOutArchive(
      filesOf([name, name].map((same) => ({ name: same, bytes: Buffer.from('x') }))),
    );
    const written = segments.map(({ content }) => String(Buffer.isBuffer(content) ? content : ''));
    const other = `${'ä'.repeat(123)} (2).pdf`;
    expect(Buffer.byteLength(name)).toBe(255);
    expect(written.filter((text) => text.includes(other)).length).toBeGreaterThan(0);
  });

  test('goes past 4 GiB, with its last entries and its directory behind that', async () => {
    const sizes = [5 * GIBIBYTE, 7, 2 ** 32 - 1, 3];
    const files = sizes.map((size, index) => ({
      name: `${index}.bin`,
      blob: String(index),
      size,
      modifiedAt: MODIFIED,
      sha256: index.toString(16).repeat(64),
      crc32: index,
    }));
    const archive = layOutArchive(files);
    const reader = openArchive(archive, async ({ blob }) => ({
      async read(buffer, length) {
        buffer.fill(Number(blob) + 65, 0, length);
        return length;
      },
      close: async () => {},
    }));
    const tail = Buffer.alloc(2_000);
    await reader.read(tail, tail.length, archive.size - tail.length);
    expect(tail.includes('DDD')).toBe(true);
    // The system's own reader finds every entry by the directory alone, in a file full of holes.
    const list = `
import sys, zipfile
class Holes:
    def __init__(self, size, tail): self.size, self.tail, self.at = size, tail, 0
    def seekable(self): return True
    def tell(self): return self.at
    def seek(self, to, whence=0): self.at = to + [0, self.at, self.size][whence]; return self.at
    def read(self, count=-1):
        start = self.at - (self.size - len(self.tail))
        if start < 0: raise ValueError(f'read at {self.at}')
        part = self.tail[start:] if count < 0 else self.tail[start:start + count]
        self.at += len(part)
        return part
for entry in zipfile.ZipFile(Holes(${archive.size}, sys.stdin.buffer.read())).infolist():
    print(entry.filename, entry.file_size, entry.header_offset)
`;
    const found = runPython(list, { input: tail })
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    expect(found.map(([name, size]) => [name, Number(size)]).slice(0, 4)).toEqual(
      sizes.map((size, index) => [`${index}.bin`, size]),
    );
    for (const [name = '', , offset] of found) {
      const header = Buffer.alloc(100);
      await reader.read(header, header.length, Number(offset));
      expect(header.readUInt32LE(0)).toBe(0x04_03_4b_50);
      expect(header.subarray(30, 30 + name.length).toString()).toBe(name);
    }
    expect(filesBetween(archive, 5 * GIBIBYTE, 5 * GIBIBYTE + 2_000)).toMatchObject([
      { file: { name: '0.bin' }, end: 5 * GIBIBYTE },
      { file: { name: '1.bin' }, first: 0, end: 7 },
      { file: { name: '2.bin' }, first: 0 },
    ]);
  });
});
