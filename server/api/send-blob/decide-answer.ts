import type { IncomingHttpHeaders } from 'node:http';
import { isKnownEtag } from '../is-known-etag.ts';
import { rangeStillFits } from './preconditions.ts';
import { selectRange } from './select-range.ts';

interface Representation {
  size: number;
  /** Strong and quoted. */
  etag: string;
  /** UTC milliseconds. */
  lastModified: number;
}

export interface Answer {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string | number>;
  /** Which bytes are due; null for an answer that is a head alone. */
  part: { first: number; length: number } | null;
}

/** What a GET or HEAD of a representation is answered with (RFC 9110 §13, §14). */
export function decideAnswer(
  request: { method: string; headers: IncomingHttpHeaders },
  { size, etag, lastModified: modified }: Representation,
): Answer {
  const lastModified = new Date(modified).toUTCString();
  const headers = { etag, 'last-modified': lastModified, 'accept-ranges': 'bytes' };
  if (isKnownEtag(request.headers['if-none-match'], etag))
    return { status: 304, headers, part: null };
  if (request.method === 'HEAD') {
    return { status: 200, headers: { ...headers, 'content-length': size }, part: null };
  }
  const fits = rangeStillFits(request.headers, { etag, lastModified });
  const selection = selectRange(fits ? request.headers.range : undefined, size);
  if (selection.kind === 'unsatisfiable') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` }, part: null };
  }
  if (selection.kind === 'whole') {
    const part = { first: 0, length: size };
    return { status: 200, headers: { ...headers, 'content-length': size }, part };
  }
  const { first, last } = selection;
  const length = last - first + 1;
  const contentRange = `bytes ${first}-${last}/${size}`;
  return {
    status: 206,
    headers: { ...headers, 'content-length': length, 'content-range': contentRange },
    part: { first, length },
  };
}
