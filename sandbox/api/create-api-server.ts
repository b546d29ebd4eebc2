import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import type { Books } from '../books.ts';
import { parseForm } from '../form-body.ts';
import { newId } from '../new-id.ts';
import type { SandboxLog } from '../sandbox-log.ts';
import { createErrorHandler, refuseUnknownRoute } from './answer-errors.ts';
import { createApiRoutes } from './api-routes.ts';

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
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('date', new Date(Date.now()).toUTCString());
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(refuseUnknownRoute);
  app.register(hostedPage);
  app.register(createApiRoutes(books));
  return app;
}
