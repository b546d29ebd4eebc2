import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { degrees, PDFDocument, PDFName, PDFNumber, StandardFonts } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStampedCopies } from '../../server/adapters/stamps/stamped-copies.ts';
import { StampsBusyError } from '../../server/catalog/links/stamp.ts';
import type { StoredFile } from '../../server/files/tables.ts';
import { DAY_MS } from '../../server/ground/lib/time.ts';
import { bombOfPdf, pdf, signedPdf } from '../factories/pdf.ts';
import { readPdf } from '../factories/read-pdf.ts';
import { eventually } from '../harness/eventually.ts';
import { findStamper } from './find-stamper.ts';

const STAMP = 'ana@example.com · 4711';

describe('a stamped copy, made in a process of its own', () => {
  let dataDir: string;
  const blobs = new Map<string, Buffer>();
  const open = () =>
    openStampedCopies({
      dataDir,
      store: {
        async openForReading(blob) {
          const bytes = blobs.get(blob) ?? Buffer.alloc(0);
          return {
            async read(buffer, length, position) {
              const part = bytes.subarray(position, position + length);
              buffer.set(part);
              return part.length;
            },
            async close() {},
          };
        },
      },
    });

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'padlink-stamps-'));
  });
  afterAll(() => rmSync(dataDir, { recursive: true }));

  function fileOf(bytes: Uint8Array, size = bytes.length): StoredFile {
    const blob = String(blobs.size);
    blobs.set(blob, Buffer.from(bytes));
    return { blob, size_bytes: size, media_type: 'application/pdf' } as StoredFile;
  }
  async function readCopy(copies: ReturnType<typeof open>, name: string, size: number) {
    const reader = await copies.open(name);
    const bytes = Buffer.alloc(size);
    expect(await reader.read(bytes, size, 0)).toBe(size);
    await reader.close();
    return bytes;
  }
  async function stamp(bytes: Uint8Array, words = STAMP): Promise<Buffer | null> {
    const copies = open();
    const copy = await copies.copyOf(fileOf(bytes), words);
    return copy && readCopy(copies, copy.name, copy.size);
  }
  test('has the stamp on each page, below what was there', async () => {
    const words = await readPdf((await stamp(pdf(3))) ?? Buffer.alloc(0));
    expect(words).toHaveLength(3);
    for (const page of words) {
      expect(page).toContain('Chapter one');
      expect(page).toContain(STAMP);
    }
  });

  test('reads along the lower edge of a page that is turned, cut or left in another scale', async () => {
    const made = await PDFDocument.create();
    const font = await made.embedFont(StandardFonts.Helvetica);
    for (const angle of [0, 90, 180, 270]) {
      const page = made.addPage([400, 600]);
      page.setRotation(degrees(angle));
      page.setCropBox(100, 100, 200, 300);
      page.drawText('Own words', { x: 120, y: 250, size: 12, font });
    }
    const scaled = await made.save();
    const stamped = await stamp(scaled);
    const seen = await readPdf(stamped ?? Buffer.alloc(0));
    expect(seen).toHaveLength(4);
    for (const words of seen) expect(words).toMatch(/Own words[\s\S]*ana@example\.com · 4711/);
    // Within what is shown: what is cut off is no text of the page to this reader.
    const left = pdf(1, Buffer.from('q 0.01 0 0 0.01 900 900 cm'));
    expect((await readPdf((await stamp(left)) ?? Buffer.alloc(0)))[0]).toContain(STAMP);
  });

  test('is the same to the byte for the same buyer, and another for another', async () => {
    const document = pdf(2);
    const [first, again, other] = [
      await stamp(document),
      await stamp(document),
      await stamp(document, 'bob@example.com · 4712'),
    ];
    expect(first).not.toBeNull();
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test('takes letters that its font lacks for question marks', async () => {
    const words = await readPdf((await stamp(pdf(1), 'jürgen@例.example · 1')) ?? Buffer.alloc(0));
    expect(words[0]).toContain('jürgen@?.example · 1');
  });

  test.each([
    ['a page that becomes a gibibyte', async () => bombOfPdf(), true],
    ['noise', async () => Buffer.from('%PDF-1.7 and nothing else'), false],
    ['pages that lead to themselves', async () => loop(), false],
    ['an encrypted document', encrypted, false],
    ['a signed document', async () => signedPdf(), false],
    [
      'pages that this library takes for none',
      async () => Buffer.from(pdf(2).toString('latin1').replace('/Type/Page/', '/'), 'latin1'),
      false,
    ],
    ['too many pages', async () => pdf(3_001), false],
  ])('of %s is made or not, and hurts nobody', async (_what, make, isMade) => {
    expect((await stamp(await make())) !== null).toBe(isMade);
    expect(readdirSync(join(dataDir, 'stamped')).filter((name) => name.includes('.'))).toEqual([]);
  });

  test('is not made of what is too large, nor tried again where it failed', async () => {
    const copies = open();
    expect(await copies.copyOf(fileOf(pdf(1), 64 * 1024 ** 2 + 1), STAMP)).toBeNull();
    const broken = fileOf(Buffer.from('%PDF-1.7 and nothing else'));
    expect(await copies.copyOf(broken, STAMP)).toBeNull();
    blobs.set(broken.blob, pdf(1));
    expect(await copies.copyOf(broken, STAMP)).toBeNull();
  });

  test('keeps the order number on a small page, and within what viewers show of a large one', async () => {
    const made = await PDFDocument.create();
    made.addPage([100, 100]);
    const large = made.addPage([400, 600]);
    large.setCropBox(-1_000, -1_000, 3_000, 3_000);
    const scaled = made.addPage([600, 800]);
    scaled.node.set(PDFName.of('UserUnit'), PDFNumber.of(10));
    const words = await readPdf((await stamp(await made.save())) ?? Buffer.alloc(0));
    expect(words).toEqual([STAMP, STAMP, STAMP]);
  });

  test('is made all the same when its process falls once', async () => {
    const copies = open();
    const file = fileOf(pdf(1_000));
    const made = copies.copyOf(file, STAMP);
    const pid = await eventually(() => {
      const found = findStamper(dataDir);
      if (!found) throw new Error('It has not begun yet');
      return found;
    });
    process.kill(pid, 'SIGKILL');
    expect(await made).not.toBeNull();
  });

  test('is made once for all who ask for it at the same time, and few wait', async () => {
    const copies = open();
    const file = fileOf(pdf(1));
    const files = Array.from({ length: 12 }, () => fileOf(pdf(1)));
    const ofOne = await Promise.allSettled(files.map((each) => copies.copyOf(each, STAMP)));
    expect(ofOne.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(3);
    const same = await Promise.all([1, 2, 3].map(() => copies.copyOf(file, STAMP)));
    expect(new Set(same.map((copy) => copy?.name)).size).toBe(1);
    const many = await Promise.allSettled(
      Array.from({ length: 50 }, (_, buyer) => copies.copyOf(file, `${buyer}@example.com`)),
    );
    const refused = many.filter(({ status }) => status === 'rejected');
    // More where the machine is slow: nobody waits for longer than a proxy does.
    expect(refused.length).toBeGreaterThanOrEqual(9);
    expect(refused.length).toBeLessThan(50);
    for (const each of refused) expect(each).toHaveProperty('reason', expect.any(StampsBusyError));
  });

  test('goes a day after it was asked for last', async () => {
    const copies = open();
    const copy = await copies.copyOf(fileOf(pdf(1)), STAMP);
    await copies.sweep(Date.now());
    await (await copies.open(copy?.name ?? '')).close();
    await copies.sweep(Date.now() + DAY_MS + 60_000);
    await expect(copies.open(copy?.name ?? '')).rejects.toThrow('ENOENT');
  });
});

/** A tree of pages that is a part of itself. */
function loop(): Buffer {
  return Buffer.from(
    pdf(1).toString('latin1').replace('/Kids[5 0 R]', '/Kids[2 0 R 5 0 R]'),
    'latin1',
  );
}

async function encrypted(): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdf(1));
  document.encrypt({ userPassword: '', ownerPassword: 'owner' });
  return document.save();
}
