import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

const MEBIBYTE = 1024 * 1024;

/** Sends so many MiB with one request. */
export async function sendFile(
  url: string,
  { method, headers }: { method: string; headers: Record<string, string> },
  mebibytes: number,
): Promise<number> {
  const piece = Buffer.alloc(MEBIBYTE, 'x');
  const outgoing = request(url, {
    method,
    headers: { ...headers, 'content-length': mebibytes * MEBIBYTE },
  });
  const answered = once(outgoing, 'response');
  for (let sent = 0; sent < mebibytes; sent++) {
    if (!outgoing.write(piece)) await once(outgoing, 'drain');
  }
  outgoing.end();
  const [response] = (await answered) as [IncomingMessage];
  response.resume();
  if ((response.statusCode ?? 0) >= 300) throw new Error(`${url} answered ${response.statusCode}`);
  return mebibytes;
}
