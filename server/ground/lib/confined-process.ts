import { spawn } from 'node:child_process';

const CHUNK_BYTES = 256 * 1024;
const TIME_MS = 30_000;

/**
 * What the process may take, where the system can limit it: 1 GiB of memory, of which Node reserves
 * half and never uses it, 20 seconds of a processor, files of 256 MiB, and none of its memory when it
 * falls.
 */
const LIMITED = 'ulimit -d 1048576; ulimit -t 20; ulimit -f 524288; ulimit -c 0; exec "$0" "$@"';

/** What the program reads from its standard input: so many bytes from the beginning of something. */
interface Input {
  /** What comes before them. */
  head?: string;
  size: number;
  read(buffer: Uint8Array, length: number, position: number): Promise<number>;
}

interface Ended {
  /** 0 if all went well; null when a signal ended it. */
  code: number | null;
  output: Buffer;
}

/**
 * Runs a program of ours, which reads what a stranger made, in a process of its own: whatever makes
 * it crash, hang or fill its memory ends that process alone.
 * @param program path and arguments
 * @param maxOutputBytes of its standard output; it is ended where it writes more
 * @throws what `read` throws
 */
export async function runConfined(
  program: string[],
  input: Input,
  maxOutputBytes: number,
): Promise<Ended> {
  const node = [process.execPath, '--max-old-space-size=128', ...program];
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
  const { promise: ended, resolve, reject } = Promise.withResolvers<Ended>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxOutputBytes) kill();
  });
  child.once('error', reject);
  child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks) }));
  try {
    const [end] = await Promise.all([ended, send(input, child.stdin, ended)]);
    return end;
  } finally {
    kill();
    process.off('exit', kill);
  }
}

/** No faster than it is read. */
async function send(
  { head = '', size, read }: Input,
  to: NodeJS.WritableStream & { destroyed: boolean },
  ended: Promise<unknown>,
): Promise<void> {
  to.write(head);
  for (let position = 0; position < size && !to.destroyed; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
    const count = await read(chunk, chunk.length, position);
    if (count === 0) break;
    position += count;
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    to.write(chunk.subarray(0, count), () => resolve());
    await Promise.race([taken, ended]);
  }
  to.end();
}
