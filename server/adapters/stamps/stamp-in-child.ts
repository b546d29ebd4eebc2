import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import {
  beginMarkedContent,
  degrees,
  endMarkedContent,
  grayscale,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  type PDFPage,
  StandardFonts,
} from '@cantoo/pdf-lib';
import { UNSTAMPABLE } from './verdict.ts';

/** The program of the process that stamps a PDF: a line with the stamp and the PDF come in. */
const [, , path = ''] = process.argv;

/** About as many as fit into the time that a process has. */
const MAX_PAGES = 3_000;
/** What the smaller side of a page is divided by for the height of the letters, in points. */
const LETTERS_ACROSS = 85;
const LARGEST = 24;

setPriority(5);
const input = await buffer(process.stdin);
const end = input.indexOf('\n');
const stamp = input.toString('utf8', 0, end);
const document = await load(input.subarray(end + 1)).catch(() => process.exit(UNSTAMPABLE));
const font = await document.embedFont(StandardFonts.Helvetica);
const known = new Set(font.getCharacterSet());
const text = Array.from(stamp, (letter) =>
  known.has(letter.codePointAt(0) ?? 0) ? letter : '?',
).join('');
const width = font.widthOfTextAtSize(text, 1);
for (const page of document.getPages()) stampPage(page);
// The same file and stamp always become the same bytes: a download that broke off can go on.
writeFileSync(path, await document.save({ addDefaultPage: false }));

/** @throws Error for one that is encrypted, signed or damaged, or has too many pages */
async function load(bytes: Buffer): Promise<PDFDocument> {
  const loaded = await PDFDocument.load(bytes, {
    updateMetadata: false,
    throwOnInvalidObject: true,
  });
  const pages = loaded.getPageCount();
  // Viewers show pages that are none to this library.
  const stated = loaded.catalog.Pages().lookup(PDFName.of('Count'), PDFNumber).asNumber();
  if (pages === 0 || pages !== stated || pages > MAX_PAGES)
    throw new Error(`It has ${pages} pages`);
  const signed = PDFName.of('ByteRange');
  for (const [, object] of loaded.context.enumerateIndirectObjects()) {
    // A signature says that nothing was changed since.
    if (object instanceof PDFDict && object.has(signed)) throw new Error('It is signed');
  }
  return loaded;
}

/** Along the lower edge as the page is read, in a grey that can be read on black and on white. */
function stampPage(page: PDFPage): void {
  const shown = intersect(page.getCropBox(), page.getMediaBox());
  const turned = ((page.getRotation().angle % 360) + 360) % 360;
  const scale = page.node.lookupMaybe(PDFName.of('UserUnit'), PDFNumber)?.asNumber() ?? 1;
  const across = turned % 180 === 0 ? shown.width : shown.height;
  const fair = Math.min(Math.min(shown.width, shown.height) / LETTERS_ACROSS, LARGEST / scale);
  const size = Math.min(fair, across / (width + 4));
  const [left, low] = [shown.x + 2 * size, shown.y + 2 * size];
  const [right, up] = [shown.x + shown.width - 2 * size, shown.y + shown.height - 2 * size];
  const corner = {
    0: { x: left, y: low },
    90: { x: right, y: low },
    180: { x: right, y: up },
    270: { x: left, y: up },
  }[turned];
  if (!corner) throw new Error('A page is turned by no quarter');
  // Nothing that is read aloud.
  page.pushOperators(beginMarkedContent('Artifact'));
  page.drawText(text, { ...corner, size, font, color: grayscale(0.5), rotate: degrees(turned) });
  page.pushOperators(endMarkedContent());
}

type Box = ReturnType<PDFPage['getCropBox']>;

/** What viewers show of a page. */
function intersect(crop: Box, media: Box): Box {
  const x = Math.max(crop.x, media.x);
  const y = Math.max(crop.y, media.y);
  const right = Math.min(crop.x + crop.width, media.x + media.width);
  const up = Math.min(crop.y + crop.height, media.y + media.height);
  return { x, y, width: right - x, height: up - y };
}
