import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problem, toProblem } from './error-mapping.ts';
import type { PageRenderer } from './pages/render-page.ts';
import { sendToAnyone } from './pages/send-to-anyone.ts';
import { RateLimited } from './rate-limits.ts';
import { sendProblem } from './send-problem.ts';

/** Every error and unknown address is answered here: a page for people, a problem for programs. */
export function answerErrors(app: FastifyInstance, renderer: PageRenderer): void {
  app.setErrorHandler(async (error, request, reply) => {
    const answer = toProblem(error);
    if (answer.status >= 500) request.log.error({ err: error }, 'a request failed');
    if (error instanceof RateLimited) reply.header('retry-after', error.retryAfter);
    if (!wantsPage(request, reply)) return sendProblem(request, reply, answer);
    const name = answer.status === 404 ? 'not-found' : 'error';
    const page = { name, status: answer.status, error: answer.detail } as const;
    return sendToAnyone(renderer, request, reply, page).catch((cause: unknown) => {
      request.log.error({ err: cause }, 'the error page failed');
      return sendProblem(request, reply, answer);
    });
  });

  app.setNotFoundHandler(async (request, reply) => {
    if (wantsPage(request, reply)) {
      return renderer.send(request, reply, { name: 'not-found', status: 404 });
    }
    return sendProblem(
      request,
      reply,
      problem(404, 'NOT_FOUND', 'There is nothing at this address.'),
    );
  });
}

function wantsPage(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'accept');
  return request.headers.accept?.includes('text/html') === true;
}
