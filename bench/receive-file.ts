import { connect } from 'node:net';

const MEBIBYTE = 1024 * 1024;
const SILENCE_MS = 30_000;

/** Files that are received one after the other share a buffer. */
const spare: Buffer[] = [];

/**
 * Reads a URL to its end, always into the same buffer: a client that allocates would be slower
 * than the servers it measures.
 * @param take is given what comes, the head first, until it returns
 * @returns MiB, head included
 */
export async function receiveFile(
  url: string,
  headers: Record<string, string> = {},
  take: (bytes: Buffer) => void = () => {},
): Promise<number> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const asked = { host, ...headers, connection: 'close' };
  const head = Object.entries(asked).map(([name, value]) => `${name}: ${value}\r\n`);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let bytes = 0;
  let status = '';
  const into = spare.pop() ?? Buffer.alloc(MEBIBYTE);
  const socket = connect({
    host: hostname,
    port: Number(port),
    onread: {
      buffer: into,
      callback(count) {
        status ||= into.toString('latin1', 9, 12);
        take(into.subarray(0, count));
        bytes += count;
        return true;
      },
    },
  });
  socket.on('close', () => resolve()).on('error', reject);
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`${url} fell silent`)));
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${head.join('')}\r\n`);
  await promise;
  spare.push(into);
  if (status !== '200') throw new Error(`${url} answered ${status}`);
  return bytes / MEBIBYTE;
}
