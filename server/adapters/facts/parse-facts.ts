import { parentPort, workerData } from 'node:worker_threads';
import type { FileFacts, ReadPart } from '../../files/file-facts.ts';
import { parsePdf } from './parse-pdf.ts';
import { parsePicture } from './parse-picture.ts';
import { parseRecording } from './parse-recording.ts';

function parseFacts(read: ReadPart, size: number, mediaType: string): Promise<FileFacts> {
  if (mediaType === 'application/pdf') return parsePdf(read, size);
  return mediaType.startsWith('image/')
    ? parsePicture(read, mediaType)
    : parseRecording(read, size, mediaType);
}

// In a thread of its own, which asks the one that started it for each part of the file.
const { size, mediaType } = workerData as { size: number; mediaType: string };
const read: ReadPart = (position, length) => {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  parentPort?.once('message', (part: Uint8Array) =>
    resolve(Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
  );
  parentPort?.postMessage({ position, length });
  return promise;
};
// A file that is not what its header says has no facts.
const facts = await parseFacts(read, size, mediaType).catch(() => ({}));
parentPort?.postMessage({ facts });
