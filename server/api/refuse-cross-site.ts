import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain/domain-error.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Signed by the provider itself, and sent by no browser. */
const EXEMPT = '/webhooks/';

/**
 * A state-changing request is decided by Sec-Fetch-Site, then by Origin. Browsers leave the
 * first out on a plain http address; a client that sends neither is no browser, and brings no
 * cookies against its person's will.
 */
export function refuseCrossSite(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (SAFE_METHODS.has(request.method) || request.url.startsWith(EXEMPT)) return done();
    const site = request.headers['sec-fetch-site'];
    const { origin } = request.headers;
    const allowed =
      site === undefined
        ? origin === undefined || origin === publicUrl
        : site === 'same-origin' || site === 'none';
    if (allowed) return done();
    done(new DomainError('CROSS_SITE', `This request is only accepted from ${publicUrl}.`));
  });
}
