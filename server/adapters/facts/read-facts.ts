import { Worker } from 'node:worker_threads';
import { type FileFacts, type ReadFacts, sanitizeFacts } from '../../files/file-facts.ts';

/** A file's facts stand in few places: whoever needs more reads is being led around. */
const MAX_PARTS = 500;
const MAX_PART_BYTES = 4 * 1024 ** 2;
/** Of all parts together. */
const MAX_READ_BYTES = 16 * 1024 ** 2;
const TIME_MS = 5_000;
const MAX_HEAP_MIB = 64;

type Message = { position: number; length: number } | { facts: FileFacts };

/**
 * Reads page count, pixels and duration from a file's headers, in a thread with little memory and
 * time: whatever the file is made to do there ends with it. @returns none where there are none
 */
export const readFacts: ReadFacts = async (reader, { size_bytes: size, media_type: mediaType }) => {
  const worker = new Worker(new URL('./parse-facts.ts', import.meta.url), {
    workerData: { size, mediaType },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    stdout: true,
    stderr: true,
    env: {},
  });
  const { promise, resolve, reject } = Promise.withResolvers<FileFacts>();
  let parts = 0;
  let bytes = 0;
  worker.on('message', (message: Message) => {
    if ('facts' in message) return resolve(message.facts);
    const { position } = message;
    const length = Math.min(message.length, MAX_PART_BYTES, size - position);
    const isThere = Number.isSafeInteger(position) && position >= 0 && length > 0;
    parts += 1;
    bytes += isThere ? length : 0;
    if (parts > MAX_PARTS || bytes > MAX_READ_BYTES) return resolve({});
    const part = Buffer.alloc(isThere ? length : 0);
    const answer = (count: number) => worker.postMessage(part.subarray(0, count));
    if (!isThere) return answer(0);
    reader.read(part, length, position).then(answer, reject);
  });
  worker.on('error', () => resolve({}));
  worker.on('exit', () => resolve({}));
  const late = setTimeout(() => resolve({}), TIME_MS);
  try {
    return sanitizeFacts(await promise);
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
};
