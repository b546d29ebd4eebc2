import type { FileFacts, ReadPart } from '../../files/file-facts.ts';
import { endOfTag, readFrame } from '../../ground/lib/mp3-frame.ts';

const WINDOW_BYTES = 64 * 1024;

/** How long audio or video lasts, in seconds, and a video's pixels, as their headers state it. */
export async function parseRecording(
  read: ReadPart,
  size: number,
  mediaType: string,
): Promise<FileFacts> {
  switch (mediaType) {
    case 'audio/wav':
      return parseWav(read);
    case 'audio/flac':
      return parseFlac(await read(0, 42));
    case 'audio/ogg':
      return parseOgg(read, size);
    case 'audio/mpeg':
      return parseMp3(read, size);
    case 'audio/mp4':
    case 'video/mp4':
    case 'video/quicktime':
      return parseIsoMedia(read, size);
    case 'video/webm':
    case 'video/x-matroska':
      return parseMatroska(await read(0, WINDOW_BYTES));
    case 'video/x-msvideo':
      return parseAvi(await read(0, WINDOW_BYTES));
    default:
      return {};
  }
}

const MAX_STEPS = 100;

async function parseWav(read: ReadPart): Promise<FileFacts> {
  let bytesPerSecond = 0;
  let position = 12;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const chunk = await read(position, 24);
    const name = chunk.toString('latin1', 0, 4);
    const length = chunk.readUInt32LE(4);
    if (name === 'fmt ') bytesPerSecond = chunk.readUInt32LE(16);
    if (name === 'data') return { seconds: length / bytesPerSecond };
    position += 8 + length + (length % 2);
  }
  return {};
}

function parseFlac(head: Buffer): FileFacts {
  const rate = head.readUIntBE(18, 3) >>> 4;
  const samples = (head.readUInt8(21) & 0x0f) * 2 ** 32 + head.readUInt32BE(22);
  return { seconds: samples / rate };
}

async function parseOgg(read: ReadPart, size: number): Promise<FileFacts> {
  const head = await read(0, 4096);
  const opus = head.indexOf('OpusHead');
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1');
  const rate = opus > 0 ? 48_000 : head.readUInt32LE(vorbis + 12);
  const skipped = opus > 0 ? head.readUInt16LE(opus + 10) : 0;
  if (opus < 0 && vorbis < 0) return {};
  const tail = await read(Math.max(0, size - WINDOW_BYTES), WINDOW_BYTES);
  const last = tail.lastIndexOf('OggS');
  return { seconds: (Number(tail.readBigInt64LE(last + 6)) - skipped) / rate };
}

/** By the count of frames where there is one, otherwise as if every frame were like the first. */
async function parseMp3(read: ReadPart, size: number): Promise<FileFacts> {
  const start = endOfTag(await read(0, 10));
  const head = await read(start, WINDOW_BYTES);
  for (let at = 0; at + 4 < head.length; at += 1) {
    const frame = readFrame(head, at);
    if (!frame) continue;
    const first = head.subarray(at, at + 200);
    const xing = Math.max(first.indexOf('Xing'), first.indexOf('Info'));
    if (xing > 0 && first.readUInt32BE(xing + 4) & 1) {
      return { seconds: first.readUInt32BE(xing + 8) * frame.seconds };
    }
    return { seconds: (size - start - at) / (frame.bitrate * 125) };
  }
  return {};
}

interface Box {
  name: string;
  from: number;
  to: number;
}

/** The boxes between two positions; each says how long it is. */
async function listBoxes(read: ReadPart, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to && boxes.length < MAX_STEPS; ) {
    const head = await read(at, 16);
    const stated = head.readUInt32BE(0);
    const isLong = stated === 1;
    // 0: up to the end.
    const length = isLong ? Number(head.readBigUInt64BE(8)) : stated || to - at;
    if (length < 8) break;
    boxes.push({
      name: head.toString('latin1', 4, 8),
      from: at + (isLong ? 16 : 8),
      to: Math.min(at + length, to),
    });
    at += length;
  }
  return boxes;
}

async function parseIsoMedia(read: ReadPart, size: number): Promise<FileFacts> {
  const movie = (await listBoxes(read, 0, size)).find(({ name }) => name === 'moov');
  if (!movie) return {};
  const facts: FileFacts = {};
  for (const box of await listBoxes(read, movie.from, movie.to)) {
    if (box.name === 'mvhd') facts.seconds = await readDuration(read, box);
    if (box.name !== 'trak') continue;
    const header = (await listBoxes(read, box.from, box.to)).find(({ name }) => name === 'tkhd');
    if (!header) continue;
    // Whole pixels, before a fraction of 16 bits each, at the end of the box.
    const pixels = await read(header.to - 8, 8);
    const [width, height] = [pixels.readUInt16BE(0), pixels.readUInt16BE(4)];
    if (width > (facts.width ?? 0)) Object.assign(facts, { width, height });
  }
  return facts;
}

async function readDuration(read: ReadPart, { from }: Box): Promise<number> {
  const head = await read(from, 32);
  return head.readUInt8(0) === 1
    ? Number(head.readBigUInt64BE(24)) / head.readUInt32BE(20)
    : head.readUInt32BE(16) / head.readUInt32BE(12);
}

/** The two elements that say it stand near the beginning, before the first pictures. */
function parseMatroska(head: Buffer): FileFacts {
  const scaleAt = head.indexOf(Buffer.from('2ad7b183', 'hex'));
  const nanoseconds = scaleAt < 0 ? 1_000_000 : head.readUIntBE(scaleAt + 4, 3);
  const double = head.indexOf(Buffer.from('448988', 'hex'));
  const single = head.indexOf(Buffer.from('448984', 'hex'));
  if (double < 0 && single < 0) return {};
  const ticks = double >= 0 ? head.readDoubleBE(double + 3) : head.readFloatBE(single + 3);
  return { seconds: (ticks * nanoseconds) / 1e9 };
}

function parseAvi(head: Buffer): FileFacts {
  const at = head.indexOf('avih') + 8;
  if (at < 8) return {};
  return {
    seconds: (head.readUInt32LE(at) * head.readUInt32LE(at + 16)) / 1e6,
    width: head.readUInt32LE(at + 32),
    height: head.readUInt32LE(at + 36),
  };
}
