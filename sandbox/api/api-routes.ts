import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Books } from '../books.ts';
import { acceptForms } from '../form-body.ts';
import { invalidRequest } from '../stripe-error.ts';
import { authenticate } from './authenticate.ts';
import type { Call } from './call.ts';
import type { PathIds } from './endpoint.ts';
import { ENDPOINTS } from './endpoints/index.ts';
import { refuseKeysInUse } from './refuse-keys-in-use.ts';
import { serveEndpoint } from './serve-endpoint.ts';

const LONGEST_KEY = 255;

/** All endpoints over HTTP, behind the check of the key. */
export function createApiRoutes(books: Books): FastifyPluginAsync {
  return async (api) => {
    api.removeAllContentTypeParsers();
    acceptForms(api);
    api.addHook('onRequest', async (request, reply) => {
      reply.header('request-id', request.id);
      authenticate(request.headers.authorization);
    });
    api.addHook('onRequest', refuseKeysInUse());
    for (const endpoint of ENDPOINTS) {
      api.route({
        method: endpoint.method,
        url: endpoint.path,
        handler(request, reply) {
          const call = readCall(request);
          const { status, body, originalRequest } = serveEndpoint(books, endpoint, call);
          if (call.idempotencyKey) reply.header('idempotency-key', call.idempotencyKey);
          if (originalRequest) {
            reply.header('idempotent-replayed', 'true').header('original-request', originalRequest);
          }
          return reply.code(status).type('application/json').send(body);
        },
      });
    }
  };
}

function readCall(request: FastifyRequest): Call {
  const isPost = request.method === 'POST';
  return {
    requestId: request.id,
    path: request.url.split('?', 1)[0] as string,
    ids: request.params as PathIds,
    params: ((isPost ? request.body : request.query) ?? {}) as Record<string, unknown>,
    idempotencyKey: isPost ? idempotencyKey(request) : null,
    account: header(request, 'stripe-account'),
  };
}

function idempotencyKey(request: FastifyRequest): string | null {
  const key = header(request, 'idempotency-key');
  if (key !== null && key.length > LONGEST_KEY) {
    throw invalidRequest(`Idempotency keys can be at most ${LONGEST_KEY} characters long.`);
  }
  return key;
}

function header(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}
