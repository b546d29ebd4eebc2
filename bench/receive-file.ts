import { connect } from 'node:net';

const MEBIBYTE = 1024 * 1024;
const SILENCE_MS = 30_000;

/**
 * Reads a URL to its end, always into the same buffer: a client that allocates would be slower
 * than the servers it measures.
 * @returns MiB, head included
 */
export async function receiveFile(
  url: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const asked = { host, ...headers, connection: 'close' };
  const head = Object.entries(asked).map(([name, value]) => `${name}: ${value}\r\n`);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let bytes = 0;
  let status = '';
  const socket = connect({
    host: hostname,
    port: Number(port),
    onread: {
      buffer: Buffer.alloc(MEBIBYTE),
      callback(count, buffer) {
        status ||= Buffer.from(buffer).toString('latin1', 9, 12);
        bytes += count;
        return true;
      },
    },
  });
  socket.on('close', () => resolve()).on('error', reject);
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`${url} fell silent`)));
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${head.join('')}\r\n`);
  await promise;
  if (status !== '200') throw new Error(`${url} answered ${status}`);
  return bytes / MEBIBYTE;
}
