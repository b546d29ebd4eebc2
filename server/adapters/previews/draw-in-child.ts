import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp, { type Sharp } from 'sharp';
import type { MadePreview } from '../../catalog/links/preview.ts';
import { cutRecording } from './cut-recording.ts';

/** The program of the process that draws a preview: the file comes in, the preview goes out. */
const LARGEST = { width: 800, height: 1132 };
/** More than phone cameras produce. */
const MAX_PIXELS = 50_000_000;
/** What is left of a blurred picture's longest side, in pixels: a quarter of a small one. */
const BLURRED_PIXELS = 96;
const BLURRED_SIDE = 640;

const [, , preview, size] = process.argv;
setPriority(10);
sharp.concurrency(1);
const file = await buffer(process.stdin);
const { bytes, ...head } = await draw();
process.stdout.write(`${JSON.stringify(head)}\n`);
process.stdout.write(bytes);

function draw(): Promise<MadePreview> | MadePreview {
  if (preview === 'first-page') return drawFirstPage();
  if (preview === 'blurred') {
    return blur(sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).autoOrient());
  }
  return cutRecording(file, Number(size));
}

/** Blurred if the document has no other page. */
async function drawFirstPage(): Promise<MadePreview> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(file);
  const page = document.getPage(0);
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = Math.min(LARGEST.width / originalWidth, LARGEST.height / originalHeight);
  const { data, width, height } = await page.render({
    render: 'bitmap',
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
  });
  const picture = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
  return document.getPageCount() === 1 ? blur(picture) : encode(picture, 60);
}

/** Throws most of the picture away first: what is not there cannot be sharpened. */
async function blur(picture: Sharp): Promise<MadePreview> {
  const { width: originalWidth, height: originalHeight } = await picture.metadata();
  const side = Math.min(BLURRED_PIXELS, Math.ceil(Math.max(originalWidth, originalHeight) / 4));
  const { data, info } = await picture
    .resize({ width: side, height: side, fit: 'inside' })
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const scale = BLURRED_SIDE / Math.max(info.width, info.height);
  const enlarged = sharp(data)
    .resize({
      width: Math.max(1, Math.round(info.width * scale)),
      height: Math.max(1, Math.round(info.height * scale)),
      fit: 'fill',
    })
    .blur(10);
  return encode(enlarged, 50);
}

async function encode(picture: Sharp, quality: number): Promise<MadePreview> {
  const { data, info } = await picture.webp({ quality }).toBuffer({ resolveWithObject: true });
  return { bytes: data, mediaType: 'image/webp', width: info.width, height: info.height };
}
