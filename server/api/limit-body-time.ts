import type { FastifyInstance } from 'fastify';

/** A picture of ten megabytes from a slow phone: as many times what other bodies may take. */
const COVERS = /^\/p\/[^/?]+\/cover(\?|$)/;
const COVER_PATIENCE = 10;

/** An upload may take hours; its own code watches it. */
const UPLOADS = /^\/uploads(\/|\?|$)/;

/**
 * Ends connections whose request is not whole in time (milliseconds). A body that has arrived
 * leaves its answer all the time it takes.
 */
export function limitBodyTime(app: FastifyInstance, bodyTimeoutMs: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers } = request;
    const hasBody =
      headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
    if (!hasBody || UPLOADS.test(request.url)) return done();
    const patience = COVERS.test(request.url) ? COVER_PATIENCE : 1;
    const timer = setTimeout(() => {
      if (!raw.complete) raw.socket.destroy();
    }, bodyTimeoutMs * patience);
    timer.unref();
    raw.once('close', () => clearTimeout(timer));
    done();
  });
}
