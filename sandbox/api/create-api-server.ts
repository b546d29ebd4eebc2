import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import type { Books } from '../books.ts';
import { parseForm } from '../form-body.ts';
import { newId } from '../new-id.ts';
import type { SandboxLog } from '../sandbox-log.ts';
import { StripeError } from '../stripe-error.ts';
import { createErrorHandler, refuseUnknownRoute } from './answer-errors.ts';
import { createApiRoutes } from './api-routes.ts';

/** This machine by the names that a client on it knows, with or without a port. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** The provider's API as a server of its own; `hostedPage` is mounted on it as well. */
export function createApiServer(
  books: Books,
  hostedPage: FastifyPluginAsync,
  log: SandboxLog,
): FastifyInstance {
  const answerError = createErrorHandler(log);
  const app = Fastify({
    frameworkErrors: answerError,
    genReqId: () => newId('req', 14),
    logger: false,
    routerOptions: { querystringParser: parseForm },
  });
  // Its sessions expire by this clock, which the process may have set; Node's own header would not.
  app.addHook('onRequest', async ({ headers }, reply) => {
    reply.header('date', new Date(Date.now()).toUTCString());
    // A page on the web can lead a name of its own to this machine, and its visitor's browser here.
    if (!LOOPBACK_HOST.test(headers.host ?? '')) throw foreignHost();
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(refuseUnknownRoute);
  app.register(hostedPage);
  app.register(createApiRoutes(books));
  return app;
}

function foreignHost(): StripeError {
  return new StripeError(403, {
    type: 'invalid_request_error',
    message: 'The sandbox answers only at 127.0.0.1, localhost or [::1]. Ask it by one of them.',
  });
}
