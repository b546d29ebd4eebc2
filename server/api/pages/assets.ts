import { fileURLToPath } from 'node:url';
import serveStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { DIST } from './built-web-app.ts';

/** Scripts, styles and fonts under names that hold a hash of their content, and the service worker. */
export async function registerAssets(app: FastifyInstance, serviceWorker: string): Promise<void> {
  // At the root: a worker answers for the addresses below its own.
  app.get('/service-worker.js', (_request, reply) =>
    reply.type('text/javascript').header('cache-control', 'no-cache').send(serviceWorker),
  );
  await app.register(serveStatic, {
    root: fileURLToPath(new URL('client/assets/', DIST)),
    prefix: '/assets/',
    wildcard: false,
    index: false,
    decorateReply: false,
    // The set-up step writes .br and .gz files beside them.
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    setHeaders: (response) => {
      response.header('cross-origin-resource-policy', 'same-origin');
    },
  });
}
