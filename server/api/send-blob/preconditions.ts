import type { IncomingHttpHeaders } from 'node:http';

/** Whether the client already has it (RFC 9110 §13.1.2, weak comparison). */
export function isKnownTo(headers: IncomingHttpHeaders, etag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known.split(',').some((item) => ['*', etag, `W/${etag}`].includes(item.trim()));
}

/** Whether a part still fits what the client has (§13.1.5): then its Range counts. */
export function rangeStillFits(
  headers: IncomingHttpHeaders,
  { etag, lastModified }: { etag: string; lastModified: string },
): boolean {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag || condition === lastModified;
}
