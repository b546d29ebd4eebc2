import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitizeFileName } from './start-upload.ts';

test.each([
  'notes.pdf',
  'Étude "n°1" – 日本.pdf',
  'عربى 🎵 हिन्दी.mp3',
  '👨‍👩‍👧‍👦 family 🏴󠁧󠁢󠁥󠁮󠁧󠁿.jpg',
  'می‌خواهم.txt',
  "it's 100% & a+b=c; #1?.txt",
  'archive.tar.gz',
  'no extension',
  'file..with...dots.pdf',
])('%s stays as it is', (name) => {
  expect(sanitizeFileName(name)).toBe(name);
});

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\fakepath\\report.pdf', 'report.pdf'],
  ['folder/', 'folder'],
  ['a/..', 'a'],
  ['..', 'file'],
  ['.', 'file'],
  ['', 'file'],
  [' \t ', 'file'],
  ['\u202e', 'file'],
  ['.\u202e./x/.\u0000.', 'x'],
  ['.bashrc', 'bashrc'],
  ['. .hidden', 'hidden'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['line\r\nSet-Cookie: a=b', 'lineSet-Cookie: a=b'],
  ['\ufeffbom.txt', 'bom.txt'],
  ['E\u0301tude.pdf', 'Étude.pdf'],
  ['lone \ud800 half.txt', 'lone \ufffd half.txt'],
])('%j becomes %j', (name, safe) => {
  expect(sanitizeFileName(name)).toBe(safe);
});

test('a long name loses the end of its stem, never half a character', () => {
  const family = '👨‍👩‍👧‍👦';
  const name = sanitizeFileName(`${family.repeat(20)}.pdf`);
  expect(name).toBe(`${family.repeat(10)}.pdf`);
});

test('a single character longer than any name is cut between its code points', () => {
  const name = sanitizeFileName(`a${'\u0336'.repeat(300)}.pdf`);
  expect(name).toMatch(/^a\u0336+\.pdf$/);
  expect(Buffer.byteLength(name)).toBe(255);
});

test('what follows a dot but is long or has spaces is no extension', () => {
  const name = sanitizeFileName(`${'x'.repeat(250)}. and so on`);
  expect(name).toBe(`${'x'.repeat(250)}. and`);
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', ' ', '\u202e', '\u0000', 'é', '日', '👩‍🚀', '"'),
    maxLength: 400,
  }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
    .map((units) => String.fromCharCode(...units)),
);

test('whatever comes in, a safe name comes out', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const name = sanitizeFileName(text);
      expect(name).not.toBe('');
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(name).not.toMatch(/[/\\\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      expect(name).not.toMatch(/^[.\s]|\s$/u);
      expect(name.isWellFormed()).toBe(true);
      expect(name.normalize('NFC')).toBe(name);
    }),
    { numRuns: 2_000 },
  );
});

test('a safe name is not changed again', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const name = sanitizeFileName(text);
      expect(sanitizeFileName(name)).toBe(name);
    }),
    { numRuns: 2_000 },
  );
});
