import type { MadePreview } from '../../catalog/links/preview.ts';
import { endOfTag, readFrame } from '../../ground/lib/mp3-frame.ts';

const MAX_SECONDS = 30;
const MAX_BYTES = 2 * 1024 ** 2;
/** Whatever it lasts, most of a recording is to be paid for. */
const MAX_PART = 0.25;
/** Fewer frames are no recording, but bytes that look like some. */
const MIN_FRAMES = 10;
const MAX_CHUNKS = 100;

/**
 * The first seconds of an MP3 or WAV recording, cut without decoding it.
 * @param head of the file, as far as it was read
 * @param size of the whole file, in bytes
 * @throws Error if it is neither
 */
export function cutRecording(head: Buffer, size: number): MadePreview {
  const maxBytes = Math.min(MAX_BYTES, Math.floor(size * MAX_PART));
  const none = { width: null, height: null };
  return head.toString('latin1', 0, 4) === 'RIFF'
    ? { bytes: cutWav(head, maxBytes), mediaType: 'audio/wav', ...none }
    : { bytes: cutMp3(head, maxBytes), mediaType: 'audio/mpeg', ...none };
}

function cutWav(head: Buffer, maxBytes: number): Buffer {
  if (head.toString('latin1', 8, 12) !== 'WAVE') throw new Error('It is no WAV file');
  let format: Buffer | undefined;
  let position = 12;
  for (let chunks = 0; chunks < MAX_CHUNKS && position + 8 <= head.length; chunks += 1) {
    const id = head.toString('latin1', position, position + 4);
    const length = head.readUInt32LE(position + 4);
    const content = head.subarray(position + 8, Math.min(position + 8 + length, head.length));
    if (id === 'fmt ' && length >= 16 && length <= 64) format = content;
    if (id === 'data' && format && format.length >= 16)
      return cutSamples(format, content, maxBytes);
    position += 8 + length + (length % 2);
  }
  throw new Error('The WAV file holds no sound');
}

function cutSamples(format: Buffer, samples: Buffer, maxBytes: number): Buffer {
  const bytesPerSecond = format.readUInt32LE(8);
  const align = Math.max(1, format.readUInt16LE(12));
  const wanted = Math.min(samples.length * MAX_PART, bytesPerSecond * MAX_SECONDS, maxBytes);
  const data = samples.subarray(0, Math.floor(wanted / align) * align);
  if (data.length === 0) throw new Error('The WAV file is too short');
  const riff = Buffer.alloc(20);
  riff.write('RIFF', 0, 'latin1');
  riff.writeUInt32LE(4 + 8 + format.length + 8 + data.length, 4);
  riff.write('WAVEfmt ', 8, 'latin1');
  riff.writeUInt32LE(format.length, 16);
  const begin = Buffer.alloc(8);
  begin.write('data', 0, 'latin1');
  begin.writeUInt32LE(data.length, 4);
  return Buffer.concat([riff, format, begin, data]);
}

function cutMp3(head: Buffer, maxBytes: number): Buffer {
  const begin = findFirstFrame(head);
  let position = begin;
  let seconds = 0;
  let frames = 0;
  while (seconds < MAX_SECONDS) {
    const frame = readFrame(head, position);
    const end = position + (frame?.bytes ?? 0);
    if (!frame || end > head.length || end - begin > maxBytes) break;
    position = end;
    seconds += frame.seconds;
    frames += 1;
  }
  if (frames < MIN_FRAMES) throw new Error('It is no MP3 file, or a very short one');
  return head.subarray(begin, position);
}

/** Behind the tag at the beginning, and behind a frame that only tells how many follow. */
function findFirstFrame(head: Buffer): number {
  const position = endOfTag(head);
  const first = readFrame(head, position);
  if (!first) throw new Error('No sound follows the tags');
  const content = head.toString('latin1', position, position + Math.min(first.bytes, 64));
  return /Xing|Info|VBRI/.test(content) ? position + first.bytes : position;
}
