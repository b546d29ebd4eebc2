import type { OutgoingHttpHeaders } from 'node:http';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlobReader } from '../domain/files/file-store.ts';
import { isKnownTo, rangeStillFits } from './send-blob/preconditions.ts';
import { selectRange } from './send-blob/select-range.ts';
import { streamBlob } from './send-blob/stream-blob.ts';

export interface BlobToSend {
  blob: string;
  open(): Promise<BlobReader>;
  size: number;
  name: string;
  mediaType: string;
  /** Strong and quoted, e.g. "\"a1b2\"". */
  etag: string;
  /** UTC milliseconds. */
  lastModified: number;
  /** The internal location of nginx that serves the blobs; null to send the bytes ourselves. */
  accel: string | null;
}

/** How a response that should carry bytes ended. */
export interface DeliveryReport {
  firstByte: number;
  bytesSent: number;
  outcome: 'delivered' | 'broken' | 'handed_over';
}

/** A client that takes nothing for so long is gone; it can come back with a Range. */
const STALLED_MS = 5 * 60_000;

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
  reply.headers(fileHeaders(file));
  if (file.accel !== null) {
    // Of our headers nginx keeps type, disposition and caching; its location adds the others, and
    // it answers ranges and conditions by validators of its own.
    await reply.header('x-accel-redirect', `${file.accel}${file.blob}`).send();
    if (request.method === 'HEAD') return reply;
    await onEnd({ firstByte: 0, bytesSent: 0, outcome: 'handed_over' });
    return reply;
  }
  const validators = { etag: file.etag, lastModified: httpDate(file.lastModified) };
  reply.headers({
    etag: file.etag,
    'last-modified': validators.lastModified,
    'accept-ranges': 'bytes',
  });
  if (isKnownTo(request.headers, validators)) return reply.status(304).send();
  if (request.method === 'HEAD') return reply.header('content-length', file.size).send();
  const range = rangeStillFits(request.headers, validators) ? request.headers.range : undefined;
  const selection = selectRange(range, file.size);
  if (selection.kind === 'unsatisfiable') {
    return reply.status(416).header('content-range', `bytes */${file.size}`).send();
  }
  const { first, last } = selection.kind === 'part' ? selection : { first: 0, last: file.size - 1 };
  if (selection.kind === 'part') {
    reply.status(206).header('content-range', `bytes ${first}-${last}/${file.size}`);
  }
  return stream(request, reply, file, { first, length: last - first + 1 }, onEnd);
}

async function stream(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BlobToSend,
  { first, length }: { first: number; length: number },
  onEnd: (report: DeliveryReport) => void | Promise<void>,
): Promise<FastifyReply> {
  // Opened before the answer begins: a missing blob is still an error like any other.
  const reader = await file.open();
  const response = reply.header('content-length', length).hijack().raw;
  let bytesSent = 0;
  try {
    response.setTimeout(STALLED_MS, () => response.destroy());
    response.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    bytesSent = await streamBlob(reader, response, first, length);
    response.end();
  } catch (error) {
    request.log.error({ err: error }, 'a download broke');
    response.destroy();
  } finally {
    await reader.close();
  }
  const outcome = bytesSent === length ? 'delivered' : 'broken';
  await onEnd({ firstByte: first, bytesSent, outcome });
  return reply;
}

function fileHeaders(file: BlobToSend): Record<string, string> {
  return {
    'content-type': file.mediaType,
    'content-disposition': contentDisposition(file.name),
    // Kept only to be continued, and asked for again each time; never recoded on the way.
    'cache-control': 'private, no-cache, no-transform',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}

function httpDate(time: number): string {
  return new Date(time).toUTCString();
}
