import type { FastifyInstance } from 'fastify';
import { LOOPBACK_HOST } from './loopback-host.ts';

/** Asked by machines at whatever address they know. */
const EXEMPT = new Set(['/healthz', '/readyz']);

/** Opened by another loopback name, cookies would not match: lead to the one in PUBLIC_URL. */
export function redirectToCanonicalHost(app: FastifyInstance, publicUrl: string): void {
  const { host: canonical } = new URL(publicUrl);
  app.addHook('onRequest', (request, reply, done) => {
    const { host, upgrade } = request.headers;
    const canonicalEnough = host === canonical || !host || !LOOPBACK_HOST.test(host);
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    // A WebSocket cannot follow a redirect.
    if (canonicalEnough || !isPage || EXEMPT.has(request.url) || upgrade) return done();
    reply.redirect(publicUrl + request.url, 307);
  });
}
