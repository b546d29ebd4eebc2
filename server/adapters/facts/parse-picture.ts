import type { FileFacts, ReadPart } from '../../files/file-facts.ts';

const HEAD_BYTES = 64 * 1024;

/** The pixels of a picture, as its header states them; nothing is decoded. */
export async function parsePicture(read: ReadPart, mediaType: string): Promise<FileFacts> {
  const head = await read(0, HEAD_BYTES);
  switch (mediaType) {
    case 'image/png':
      return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
    case 'image/gif':
      return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
    case 'image/bmp':
      return { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
    case 'image/vnd.adobe.photoshop':
      return { width: head.readUInt32BE(18), height: head.readUInt32BE(14) };
    case 'image/webp':
      return parseWebp(head);
    case 'image/jpeg':
      return parseJpeg(read);
    case 'image/avif':
    case 'image/heic':
      return parseIsoPicture(head);
    case 'image/tiff':
      return parseTiff(read, head);
    default:
      return {};
  }
}

function parseWebp(head: Buffer): FileFacts {
  const kind = head.toString('latin1', 12, 16);
  if (kind === 'VP8X') {
    return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
  }
  if (kind === 'VP8L') {
    const bits = head.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
}

const MAX_SEGMENTS = 100;

/** Steps from segment to segment, each of which says how long it is. */
async function parseJpeg(read: ReadPart): Promise<FileFacts> {
  let position = 2;
  for (let step = 0; step < MAX_SEGMENTS; step += 1) {
    const segment = await read(position, 9);
    const marker = segment.readUInt8(1);
    if (segment.readUInt8(0) !== 0xff) return {};
    // A start of frame; not a table of Huffman codes or of arithmetic coding.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) };
    }
    position += marker === 0xff ? 1 : 2 + segment.readUInt16BE(2);
  }
  return {};
}

/** The largest of the images in it: the others are its tiles and its thumbnail. */
function parseIsoPicture(head: Buffer): FileFacts {
  let found: FileFacts = {};
  for (let at = head.indexOf('ispe'); at > 0; at = head.indexOf('ispe', at + 4)) {
    const [width, height] = [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)];
    if (width > (found.width ?? 0)) found = { width, height };
  }
  return found;
}

async function parseTiff(read: ReadPart, head: Buffer): Promise<FileFacts> {
  const isLittle = head.readUInt8(0) === 0x49;
  const short = (from: Buffer, at: number) =>
    isLittle ? from.readUInt16LE(at) : from.readUInt16BE(at);
  const long = (from: Buffer, at: number) =>
    isLittle ? from.readUInt32LE(at) : from.readUInt32BE(at);
  const directory = await read(long(head, 4), 2 + 12 * MAX_SEGMENTS);
  const facts: FileFacts = {};
  const entries = Math.min(short(directory, 0), MAX_SEGMENTS);
  for (let at = 2; at < 2 + 12 * entries && at + 12 <= directory.length; at += 12) {
    const value =
      short(directory, at + 2) === 3 ? short(directory, at + 8) : long(directory, at + 8);
    if (short(directory, at) === 256) facts.width = value;
    if (short(directory, at) === 257) facts.height = value;
  }
  return facts;
}
