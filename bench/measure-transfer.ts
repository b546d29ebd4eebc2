import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { median } from './measure-requests.ts';

const MEBIBYTE = 1024 * 1024;
const ROUNDS = 3;

/**
 * MiB per second of reading a URL to its end. One buffer is read into again and again: a client
 * that allocates would be slower than the servers it measures.
 */
export async function readRate(url: string): Promise<number> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const begun = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
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
  socket.on('close', () => resolve(bytes)).on('error', reject);
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const received = await promise;
  if (status !== '200') throw new Error(`${url} answered ${status}`);
  return (received / MEBIBYTE / (performance.now() - begun)) * 1_000;
}

/** MiB per second of sending a file of so many bytes with one request. */
export async function writeRate(
  url: string,
  options: { method: string; headers: Record<string, string> },
  mebibytes: number,
): Promise<number> {
  const piece = Buffer.alloc(MEBIBYTE, 'x');
  const begun = performance.now();
  const outgoing = request(url, {
    ...options,
    headers: { ...options.headers, 'content-length': mebibytes * MEBIBYTE },
  });
  const answered = once(outgoing, 'response');
  for (let sent = 0; sent < mebibytes; sent += 1) {
    if (!outgoing.write(piece)) await once(outgoing, 'drain');
  }
  outgoing.end();
  const [response] = (await answered) as [IncomingMessage];
  response.resume();
  if (response.statusCode !== 204) throw new Error(`${url} answered ${response.statusCode}`);
  return (mebibytes / (performance.now() - begun)) * 1_000;
}

/** The medians of measurements taken in turns, the first of each thrown away. */
export async function inTurns<Name extends string>(
  measurements: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measurements) as Name[];
  const found = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of names) {
      const rate = await measurements[name]();
      if (round > 0) found[name]?.push(rate);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(found[name] ?? [])])) as Record<
    Name,
    number
  >;
}
