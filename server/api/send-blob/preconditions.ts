import type { IncomingHttpHeaders } from 'node:http';

/** Whether a part still fits what the client has (§13.1.5): then its Range counts. */
export function rangeStillFits(
  headers: IncomingHttpHeaders,
  { etag, lastModified }: { etag: string; lastModified: string },
): boolean {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag || condition === lastModified;
}
