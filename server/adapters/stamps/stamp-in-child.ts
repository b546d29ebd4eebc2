import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { degrees, grayscale, PDFDocument, type PDFPage, StandardFonts } from '@cantoo/pdf-lib';

/** The program of the process that stamps a PDF: it comes in, and is written to a path. */
const [, , stamp = '', path = ''] = process.argv;

/** What the smaller side of a page is divided by for the height of the letters, within bounds in points. */
const LETTERS_ACROSS = 85;
const SMALLEST = 5;
const LARGEST = 24;

setPriority(5);
const file = await buffer(process.stdin);
// A signature says that nothing was changed since.
if (file.includes('/ByteRange')) process.exit(1);
// The same file and stamp always become the same bytes: a download that broke off can go on.
const document = await PDFDocument.load(file, { updateMetadata: false });
const font = await document.embedFont(StandardFonts.Helvetica);
const known = new Set(font.getCharacterSet());
const text = Array.from(stamp, (letter) =>
  known.has(letter.codePointAt(0) ?? 0) ? letter : '?',
).join('');
for (const page of document.getPages()) stampPage(page);
writeFileSync(path, await document.save());

/** Along the lower edge as the page is read, in a grey that can be read on black and on white. */
function stampPage(page: PDFPage): void {
  const { x, y, width, height } = page.getCropBox();
  const turned = ((page.getRotation().angle % 360) + 360) % 360;
  const across = Math.min(width, height) / LETTERS_ACROSS;
  const size = Math.min(Math.max(across, SMALLEST), LARGEST);
  const [right, up] = [x + width - 2 * size, y + height - 2 * size];
  const corner = {
    0: { x: x + 2 * size, y: y + 2 * size },
    90: { x: right, y: y + 2 * size },
    180: { x: right, y: up },
    270: { x: x + 2 * size, y: up },
  }[turned];
  if (!corner) throw new Error('A page is turned by no quarter');
  page.drawText(text, { ...corner, size, font, color: grayscale(0.5), rotate: degrees(turned) });
}
