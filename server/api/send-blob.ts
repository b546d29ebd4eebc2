import type { OutgoingHttpHeaders } from 'node:http';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlobReader } from '../domain/files/file-store.ts';
import { bearWithReader } from './guard-connections.ts';
import { type Answer, decideAnswer } from './send-blob/decide-answer.ts';
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

/** @returns how many bytes left; never throws, because the answer has begun */
async function stream(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers }: Answer,
  reader: BlobReader,
  { first, length }: { first: number; length: number },
): Promise<number> {
  const response = reply.hijack().raw;
  let bytesSent = 0;
  try {
    bearWithReader(request, response);
    response.writeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers });
    await streamBlob(reader, response, first, length, (bytes) => {
      bytesSent += bytes;
    });
    response.end();
  } catch (error) {
    request.log.error({ err: error }, 'a download broke');
    response.destroy();
  } finally {
    await reader.close();
  }
  return bytesSent;
}

function fileHeaders(file: BlobToSend): Record<string, string> {
  return {
    'content-type': file.mediaType,
    'content-disposition': contentDisposition(file.name),
    // Not for a cache, where a second request waits for the first; never recoded on the way.
    'cache-control': 'private, no-store, no-transform',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}
