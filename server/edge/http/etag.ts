import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Whether If-None-Match names this entity tag. Weak comparison (RFC 9110 §13.1.2): proxies weaken
 * the tags of what they compress, and clients may name several.
 */
export function isKnownEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const known = header.split(',').map((tag) => opaque(tag.trim()));
  return known.includes('*') || known.includes(opaque(etag));
}

/** By the content alone. */
export const etagOf = (body: string | Buffer) =>
  `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

const opaque = (tag: string) => tag.replace(/^W\//, '');

interface CachedText {
  type: string;
  body: string;
  seconds: number;
  lastModified?: Date;
}

/** Sends a public text that may be kept for a while, or that it has not changed. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, seconds, lastModified }: CachedText,
): FastifyReply {
  const etag = etagOf(body);
  reply.header('cache-control', `public, max-age=${seconds}`).header('etag', etag);
  if (lastModified) reply.header('last-modified', lastModified.toUTCString());
  const { 'if-none-match': known, 'if-modified-since': since } = request.headers;
  const isSame = known
    ? isKnownEtag(known, etag)
    : since &&
      lastModified &&
      Date.parse(since) >= Math.floor(lastModified.getTime() / 1000) * 1000;
  if (isSame) return reply.status(304).send();
  return reply.type(type).send(body);
}
