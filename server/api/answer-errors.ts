import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../domain/domain-error.ts';
import { isFault, problem, setRetryAfter, toProblem } from './error-mapping.ts';
import type { PageRenderer } from './pages/render-page.ts';
import { sendToAnyone } from './pages/send-to-anyone.ts';
import { sendProblem } from './send-problem.ts';

/** For the operator, in the log. */
export const ROOM_ADVICE =
  'make room, or remove for good what waits in quarantine: npm run cli -- storage empty-quarantine';

/** Every error and unknown address is answered here: a page for people, a problem for programs. */
export function answerErrors(app: FastifyInstance, renderer: PageRenderer): void {
  app.setErrorHandler(async (error, request, reply) => {
    const answer = toProblem(error);
    const advice = answer.code === 'STORAGE_FULL' ? `; ${ROOM_ADVICE}` : '';
    if (isFault(answer)) request.log.error({ err: error }, `a request failed${advice}`);
    setRetryAfter(reply, error);
    if (!wantsPage(request, reply)) return sendProblem(request, reply, answer);
    const isUnknown = answer.status === 404 && answer.code !== 'ACCESS_LINK_INVALID';
    const name = isUnknown ? 'not-found' : 'error';
    const linkId = error instanceof DomainError ? error.linkId : null;
    const data = { code: answer.code, linkId };
    const page = { name, status: answer.status, error: answer.detail, data } as const;
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
