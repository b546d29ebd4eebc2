import { fileURLToPath } from 'node:url';
import serveStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { DIST } from './built-web-app.ts';

/** Scripts, styles and fonts under names that hold a hash of their content. */
export async function registerAssets(app: FastifyInstance): Promise<void> {
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
