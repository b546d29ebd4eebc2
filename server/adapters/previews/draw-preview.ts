import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { DrawPreview, MadePreview } from '../../catalog/links/preview.ts';
import type { BlobReader } from '../../files/file-store.ts';

/** Pictures and documents are read as a whole, of recordings the beginning. */
const MAX_WHOLE_BYTES = 64 * 1024 ** 2;
const RECORDING_BYTES = 16 * 1024 ** 2;
/** More than any preview has. */
const MAX_MADE_BYTES = 4 * 1024 ** 2;
const CHUNK_BYTES = 256 * 1024;
const TIME_MS = 30_000;

/**
 * What the process may take, where the system can limit it: 1 GiB of memory, of which Node reserves
 * half and never uses it, 20 seconds of a processor, and no file of its memory when it falls.
 */
const LIMITED = 'ulimit -d 1048576; ulimit -t 20; ulimit -c 0; exec "$0" "$@"';
const CHILD = fileURLToPath(new URL('./draw-in-child.ts', import.meta.url));

/**
 * Makes a preview in a process of its own, because what decodes pictures and documents is not
 * JavaScript: a file that makes it crash, hang or fill its memory ends that process alone.
 */
export const drawPreview: DrawPreview = async (reader, { size, preview }) => {
  const isRecording = preview === 'excerpt';
  if (!isRecording && size > MAX_WHOLE_BYTES) return null;
  const sent = isRecording ? Math.min(size, RECORDING_BYTES) : size;
  const node = [process.execPath, '--max-old-space-size=128', CHILD, preview, String(size)];
  const child = spawn('/bin/sh', ['-c', LIMITED, ...node], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    timeout: TIME_MS,
    killSignal: 'SIGKILL',
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  // It may end before it has read everything.
  child.stdin.on('error', () => {});
  const { promise: ended, resolve, reject } = Promise.withResolvers<Buffer | null>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_MADE_BYTES) kill();
  });
  child.once('error', reject);
  child.once('close', (code) => resolve(code === 0 ? Buffer.concat(chunks) : null));
  try {
    const [output] = await Promise.all([ended, send(reader, sent, child.stdin, ended)]);
    return output && parse(output);
  } finally {
    kill();
    process.off('exit', kill);
  }
};

/** Sends so many bytes of the file, no faster than they are read. */
async function send(
  reader: BlobReader,
  size: number,
  to: NodeJS.WritableStream & { destroyed: boolean },
  ended: Promise<unknown>,
): Promise<void> {
  for (let position = 0; position < size && !to.destroyed; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
    const count = await reader.read(chunk, chunk.length, position);
    if (count === 0) break;
    position += count;
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    to.write(chunk.subarray(0, count), () => resolve());
    await Promise.race([taken, ended]);
  }
  to.end();
}

const pixels = z.number().int().min(1).max(1200).nullable();
const HEAD = z.object({
  mediaType: z.enum(['image/webp', 'audio/mpeg', 'audio/wav']),
  width: pixels,
  height: pixels,
});

/** A line of JSON, and the bytes. */
function parse(output: Buffer): MadePreview | null {
  const end = output.indexOf('\n');
  if (end < 0) return null;
  const head = HEAD.parse(JSON.parse(output.toString('utf8', 0, end)));
  return { ...head, bytes: output.subarray(end + 1) };
}
