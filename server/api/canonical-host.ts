import type { FastifyInstance } from 'fastify';

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
/** Asked by machines at whatever address they know. */
const EXEMPT = new Set(['/healthz', '/readyz']);

/** Opened by another loopback name, cookies would not match: lead to the one in PUBLIC_URL. */
export function redirectToCanonicalHost(app: FastifyInstance, publicUrl: string): void {
  const { host: canonical } = new URL(publicUrl);
  app.addHook('onRequest', async (request, reply) => {
    const { host } = request.headers;
    if (host === canonical || !host || !LOOPBACK_HOST.test(host)) return;
    if (request.method !== 'GET' && request.method !== 'HEAD') return;
    if (EXEMPT.has(request.url)) return;
    // A WebSocket cannot follow a redirect.
    if (request.headers.upgrade) return;
    return reply.redirect(publicUrl + request.url, 307);
  });
}
