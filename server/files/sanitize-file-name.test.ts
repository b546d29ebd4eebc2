import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitizeFileName, sanitizeFilePath } from './start-upload.ts';

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
  '.htaccess',
  '. .hidden',
  'track1/mix.txt',
  'site/.well-known/security.txt',
  'Kurs 1/2. Woche/Übung – 日本.pdf',
  '...and more/it goes on...',
])('%s stays as it is', (path) => {
  expect(sanitizeFilePath(path)).toBe(path);
});

test.each([
  ['folder/', 'folder'],
  ['a//b.txt', 'a/b.txt'],
  ['./a/./b.txt', 'a/b.txt'],
  ['a/ . ./.../b.txt', 'a/b.txt'],
  ['a\\b.txt', 'a/b.txt'],
  [' a / b.txt ', 'a/b.txt'],
  ['a/\u202e\u0000/b.txt', 'a/b.txt'],
  ['a\u0000/b\r\n/c.txt', 'a/b/c.txt'],
  ['folder/in\u202eside/invoice\u202efdp.exe', 'folder/inside/invoicefdp.exe'],
  ['E\u0301tudes/E\u0301tude.pdf', 'Études/Étude.pdf'],
  [`${'x'.repeat(300)}/${'y'.repeat(300)}.pdf`, `${'x'.repeat(255)}/${'y'.repeat(251)}.pdf`],
  ['..', 'file'],
  ['.', 'file'],
  ['...', 'file'],
  ['/', 'file'],
  ['', 'file'],
  [' \t ', 'file'],
  ['\u202e', 'file'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['line\r\nSet-Cookie: a=b', 'lineSet-Cookie: a=b'],
  ['\ufeffbom.txt', 'bom.txt'],
  ['E\u0301tude.pdf', 'Étude.pdf'],
  ['lone \ud800 half.txt', 'lone \ufffd half.txt'],
])('%j becomes %j', (path, safe) => {
  expect(sanitizeFilePath(path)).toBe(safe);
});

test.each([
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\system.ini', 'system.ini'],
  ['a/../b.txt', 'b.txt'],
  ['a/..', 'a'],
  ['a/.\u202e./b/c.txt', 'c.txt'],
  ['.\u202e./x/.\u0000.', 'x'],
  ['/home/ada/private/mix.txt', 'mix.txt'],
  ['\u0000/etc/passwd', 'passwd'],
  ['\\\\server\\share\\mix.txt', 'mix.txt'],
  ['C:\\fakepath\\report.pdf', 'report.pdf'],
  ['c:/Users/Ada/report.pdf', 'report.pdf'],
  ['./c:/report.pdf', 'report.pdf'],
])('%j tells where the file lies on the sender’s disk, and becomes %j', (path, name) => {
  expect(sanitizeFilePath(path)).toBe(name);
});

test('a name that stands by itself has no folders', () => {
  expect(sanitizeFileName('Live at the AC/DC.zip')).toBe('DC.zip');
});

test('a long name loses the end of its stem, never half a character', () => {
  const family = '👨‍👩‍👧‍👦';
  const name = sanitizeFilePath(`${family.repeat(20)}.pdf`);
  expect(name).toBe(`${family.repeat(10)}.pdf`);
});

test('a single character longer than any name is cut between its code points', () => {
  const name = sanitizeFilePath(`a${'\u0336'.repeat(300)}.pdf`);
  expect(name).toMatch(/^a\u0336+\.pdf$/);
  expect(Buffer.byteLength(name)).toBe(255);
});

test('what follows a dot but is long or has spaces is no extension', () => {
  const name = sanitizeFilePath(`${'x'.repeat(250)}. and so on`);
  expect(name).toBe(`${'x'.repeat(250)}. and`);
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom(
      '.',
      '/',
      '\\',
      ' ',
      ':',
      'c',
      '\u202e',
      '\u0000',
      'é',
      '日',
      '👩‍🚀',
      '"',
    ),
    maxLength: 400,
  }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
    .map((units) => String.fromCharCode(...units)),
);

test('whatever comes in, a safe name comes out', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const path = sanitizeFilePath(text);
      expect(path).not.toMatch(/[\\\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      expect(path.isWellFormed()).toBe(true);
      expect(path.normalize('NFC')).toBe(path);
      const parts = path.split('/');
      for (const part of parts) {
        expect(part).not.toMatch(/^[.\s]*$|^\s|\s$/u);
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
      }
      expect(sanitizeFileName(text)).toBe(parts.at(-1));
    }),
    { numRuns: 2_000 },
  );
});

test('a safe name is not changed again', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const path = sanitizeFilePath(text);
      expect(sanitizeFilePath(path)).toBe(path);
    }),
    { numRuns: 2_000 },
  );
});
