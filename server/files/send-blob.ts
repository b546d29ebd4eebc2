import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnownEtag } from '../edge/http/etag.ts';
import { bearWithReader } from '../edge/http/guard-connections.ts';
import type { BlobReader, DirectAccess } from './file-store.ts';
import { streamBlob } from './stream-blob.ts';

export interface BlobToSend {
  blob: string;
  open(): Promise<BlobReader>;
  size: number;
  /** Without folders. */
  name: string;
  mediaType: string;
  /** In the browser, in place of being kept: only for types that cannot act as a page. */
  isShown: boolean;
  /** Strong and quoted, e.g. "\"a1b2\"". */
  etag: string;
  /** UTC milliseconds. */
  lastModified: number;
  /** The internal location of nginx that serves the blobs; null to send the bytes ourselves. */
  accel: string | null;
  /** Lets the client fetch the bytes from the store itself; null to send them ourselves. */
  direct: DirectAccess | null;
}

/** How a response that should carry bytes ended. */
export interface DeliveryReport {
  firstByte: number;
  bytesSent: number;
  outcome: 'delivered' | 'broken' | 'handed_over';
}

/**
 * Answers GET and HEAD with a file to keep, whole or one Range of it. `onEnd` is called exactly
 * when bytes were due: not for HEAD, 304 and 416. Whether the viewer may have it was decided
 * before. Return what it returns from the route.
 */
export async function sendBlob(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BlobToSend,
  onEnd: (report: DeliveryReport) => void | Promise<void>,
): Promise<FastifyReply> {
  if (file.accel !== null) {
    // Of our headers nginx keeps type, disposition and caching; its location adds the others, and
    // it answers ranges and conditions by validators of its own.
    const location = `${file.accel}${file.blob}`;
    await reply.headers(fileHeaders(file)).header('x-accel-redirect', location).send();
    if (request.method === 'HEAD') return reply;
    await onEnd({ firstByte: 0, bytesSent: 0, outcome: 'handed_over' });
    return reply;
  }
  if (file.direct !== null && request.method === 'GET') {
    const address = file.direct.addressOf(file.blob, {
      disposition: dispositionOf(file),
      mediaType: file.mediaType,
    });
    // Followed at once, with the Range of this request; the store judges conditions by its own ETag.
    await reply
      .headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
      .redirect(address, 303);
    await onEnd({ firstByte: 0, bytesSent: 0, outcome: 'handed_over' });
    return reply;
  }
  const answer = decideAnswer(request, file);
  const { part } = answer;
  const head = { ...answer, headers: { ...fileHeaders(file), ...answer.headers } };
  if (!part) return reply.status(head.status).headers(head.headers).send();
  // Opened before the answer begins: a missing blob is still an error like any other.
  const reader = await file.open();
  const bytesSent = await stream(request, reply, head, reader, part);
  const outcome = bytesSent === part.length ? 'delivered' : 'broken';
  await onEnd({ firstByte: part.first, bytesSent, outcome });
  return reply;
}

/**
 * @returns how many bytes left
 * @throws what the store says when nothing can be read; nothing once the answer has begun
 */
async function stream(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers }: Answer,
  reader: BlobReader,
  part: { first: number; length: number },
): Promise<number> {
  const response = reply.raw;
  let bytesSent = 0;
  const begin = () => {
    reply.hijack();
    bearWithReader(request, response);
    response.writeHead(status, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      ...headers,
      // Or nginx would take in the file, and bytes would count that the client never got.
      'x-accel-buffering': 'no',
    });
  };
  const onSent = (bytes: number) => {
    bytesSent += bytes;
  };
  try {
    await streamBlob(reader, response, part, { begin, onSent });
    // Nobody was left to read it.
    if (!response.headersSent) begin();
    response.end();
  } catch (error) {
    if (!response.headersSent) throw error;
    request.log.error({ err: error }, 'a download was interrupted');
    response.destroy();
  } finally {
    await reader.close();
  }
  return bytesSent;
}

function fileHeaders(file: BlobToSend): Record<string, string> {
  return {
    'content-type': file.mediaType,
    'content-disposition': dispositionOf(file),
    // Not for a cache, where a second request waits for the first; never recoded on the way.
    'cache-control': 'private, no-store, no-transform',
    'x-content-type-options': 'nosniff',
    'content-security-policy': policyOf(file),
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}

const dispositionOf = ({ name, isShown }: BlobToSend) =>
  contentDisposition(name, { type: isShown ? 'inline' : 'attachment' });

/**
 * What a browser makes of a file to show it: a page of its own around it. That of a PDF works in no
 * sandbox, and needs none: it runs nothing of ours.
 */
function policyOf({ isShown, mediaType }: BlobToSend): string {
  if (!isShown) return "default-src 'none'; sandbox";
  const shown = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
  if (mediaType === 'application/pdf') return `${shown}; object-src 'self'`;
  return `${shown}; sandbox allow-same-origin`;
}

interface Representation {
  size: number;
  /** Strong and quoted. */
  etag: string;
  /** UTC milliseconds. */
  lastModified: number;
}

interface Answer {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string | number>;
  /** Which bytes are due; null for an answer that is a head alone. */
  part: { first: number; length: number } | null;
}

/** What a GET or HEAD of a representation is answered with (RFC 9110 §13, §14). */
function decideAnswer(
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

/** Whether a part still fits what the client has (§13.1.5): then its Range counts. */
function rangeStillFits(
  headers: IncomingHttpHeaders,
  { etag, lastModified }: { etag: string; lastModified: string },
): boolean {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag || condition === lastModified;
}

type Selection =
  | { kind: 'whole' }
  | { kind: 'part'; first: number; last: number }
  | { kind: 'unsatisfiable' };

/**
 * What a Range header asks of `size` bytes (RFC 9110 §14). One part is served; several at once,
 * other units and what cannot be understood are answered with the whole, as the RFC allows.
 */
export function selectRange(header: string | undefined, size: number): Selection {
  const [, from, to] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return WHOLE;
  if (from === '') return lastBytes(Number(to), size);
  const first = Number(from);
  const last = to === '' ? Number.POSITIVE_INFINITY : Number(to);
  if (last < first) return WHOLE;
  return first < size
    ? { kind: 'part', first, last: Math.min(last, size - 1) }
    : { kind: 'unsatisfiable' };
}

const WHOLE: Selection = { kind: 'whole' };

function lastBytes(count: number, size: number): Selection {
  if (count === 0 || size === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', first: Math.max(size - count, 0), last: size - 1 };
}
