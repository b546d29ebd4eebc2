import type { IncomingMessage } from 'node:http';

/**
 * What is wrong with a request before anything is looked up for it, a sentence: where it ends, or
 * whom it is for, would be read differently by a proxy before this server.
 */
export function findHeadFault({
  url = '',
  headers,
  rawHeaders,
}: IncomingMessage): string | undefined {
  if (!url.startsWith('/'))
    return 'Send the path alone, such as /explore, and the host in its header.';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return 'The only Transfer-Encoding that is taken is chunked.';
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? 'The request has more than one Host header.' : undefined;
}
