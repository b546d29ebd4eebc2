import { pipeline, type Readable, Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const MEBIBYTE = 1024 * 1024;

/** Bytes of an answer before it is compressed, wherever `ANSWER_BYTES` says nothing else. */
export const DEFAULT_ANSWER_BYTES = 2 * MEBIBYTE;

/**
 * The answers that may be larger, by their routes. Files are as large as MAX_FILE_BYTES allows, and
 * are sent beside this.
 */
export const ANSWER_BYTES: Record<string, number> = {
  /** Twice what graphql/limits.ts lets through, which counts texts without what escapes them. */
  '/graphql': 4 * MEBIBYTE,
  /** What sitemaps.org allows a file. */
  '/sitemap/sellers.xml': 50 * MEBIBYTE,
  '/sitemap/links.xml': 50 * MEBIBYTE,
  '/sitemap/links-:prefix(^[0-9a-f]{1,3}$).xml': 50 * MEBIBYTE,
  /** About four million sales: a line has some 250 bytes. */
  '/dashboard/sales.csv': 1024 * MEBIBYTE,
  '/dashboard/sources.csv': 1024 * MEBIBYTE,
  /** On this machine only. */
  '/mailbox': 16 * MEBIBYTE,
  '/mailbox.json': 16 * MEBIBYTE,
};

/**
 * Enforces the size limit of every response, so that nobody can request more than memory and
 * network allow. A larger response is our own error: it is replaced by an error response, and a
 * stream of unknown length is cut off.
 */
export function boundAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (payload === null || payload === undefined) return done(null, payload);
    const length = knownLength(payload, reply.getHeader('content-length'));
    // As most are: which route it was takes a while to tell.
    if (length !== null && length <= DEFAULT_ANSWER_BYTES) return done(null, payload);
    const route = request.routeOptions.url ?? '';
    const bound = ANSWER_BYTES[route] ?? DEFAULT_ANSWER_BYTES;
    const tooLarge = () => new Error(`The response of ${route} exceeds ${bound} bytes.`);
    if (length === null) {
      return done(
        null,
        pipeline(payload as Readable, countTo(bound, tooLarge), () => {}),
      );
    }
    if (length <= bound) return done(null, payload);
    // The error that follows is not compressed.
    reply.removeHeader('content-encoding');
    done(tooLarge());
  });
}

/** Bytes at most; null for a stream that may be of any length. */
function knownLength(payload: unknown, announced: unknown): number | null {
  if (Buffer.isBuffer(payload)) return payload.length;
  if (typeof payload !== 'string') return announced === undefined ? null : Number(announced);
  return payload.length * 3 <= DEFAULT_ANSWER_BYTES
    ? payload.length * 3
    : Buffer.byteLength(payload);
}

function countTo(bound: number, tooLarge: () => Error): Transform {
  let sent = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      if (sent <= bound) done(null, chunk);
      else done(tooLarge());
    },
  });
}
