import { connect } from 'node:net';

const MEBIBYTE = 1024 * 1024;
const SILENCE_MS = 30_000;

/**
 * Reads a URL to its end, always into the same buffer: a client that allocates would be slower
 * than the servers it measures.
 * @returns MiB, head included
 */
export async function receiveFile(url: string): Promise<number> {
  const { hostname, port, pathname, host } = new URL(url);
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
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await promise;
  if (status !== '200') throw new Error(`${url} answered ${status}`);
  return bytes / MEBIBYTE;
}
