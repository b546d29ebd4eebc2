import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import type { Said } from '../../../contract/fact.ts';
import { TEXTS } from '../../../contract/texts.ts';
import { isFull } from '../../ground/lib/cannot-store.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { GUEST } from '../../ground/lib/viewer.ts';
import { isFault, problem, sendProblem, setRetryAfter, toProblem } from '../http/errors.ts';
import type { MethodsAt } from '../http/refuse-methods.ts';
import { meantAddress } from './meant-address.ts';
import type { PageRenderer, PageRequest } from './render-page.ts';

/** For the operator, in the log. */
export const ROOM_ADVICE =
  'free some space, or permanently remove the files in quarantine: npm run cli -- storage empty-quarantine';

/** Answers every error and unknown address: a page for people, problem+json for programs. */
export function answerErrors(
  app: FastifyInstance,
  renderer: PageRenderer,
  methodsAt: MethodsAt,
): void {
  app.setErrorHandler(async (error, request, reply) => {
    const answer = toProblem(error);
    const failed = isFull(error) ? `a request failed; ${ROOM_ADVICE}` : 'a request failed';
    if (isFault(answer)) request.log.error({ err: error }, failed);
    setRetryAfter(reply, error);
    if (!wantsPage(request, reply)) {
      if (!request.routeOptions.config.toBuyers) return sendProblem(request, reply, answer);
      const detail = renderer.tell(request, answer.said);
      return sendProblem(request, reply, { ...answer, detail, said: detail });
    }
    const isUnknown = answer.status === 404 && answer.code !== 'ACCESS_LINK_INVALID';
    const linkId = error instanceof DomainError ? error.linkId : null;
    const page: PageRequest = {
      ...(isUnknown
        ? { name: 'not-found' }
        : { name: 'error', data: { code: answer.code, linkId } }),
      status: answer.status,
      error: answer.said,
    };
    return sendToAnyone(renderer, request, reply, page).catch((cause: unknown) => {
      request.log.error({ err: cause }, 'the error page failed');
      return sendProblem(request, reply, answer);
    });
  });

  app.setNotFoundHandler(async (request, reply) => {
    const meant = READS.has(request.method) ? meantAddress(request.url, methodsAt) : null;
    if (meant !== null) return reply.redirect(meant, 301);
    if (wantsPage(request, reply)) {
      return renderer.send(request, reply, { name: 'not-found', status: 404 });
    }
    const nothing = problem('NOT_FOUND', 'There is nothing at this address.');
    return sendProblem(request, reply, nothing);
  });
}

const READS = new Set(['GET', 'HEAD']);

function wantsPage(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'accept');
  return request.headers.accept?.includes('text/html') === true;
}

/** Sends a page that tells of an error: as to a guest where it cannot be told who asks. */
function sendToAnyone(
  renderer: PageRenderer,
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageRequest,
): Promise<FastifyReply> {
  return renderer
    .send(request, reply, page)
    .catch(() => renderer.send(request, reply, page, GUEST));
}

export interface PaywallError {
  status: number;
  /** In red, below the button. */
  message: Said;
  hint?: Said;
}

/**
 * Answers a form of a paywall page with that page again: with what was typed, and what went wrong
 * where the form is refused.
 */
export type RenderPaywall = (
  request: FastifyRequest,
  reply: FastifyReply,
  linkId: string,
  shown: Partial<PaywallError> & Pick<PageRequest, 'from' | 'code' | 'gift'>,
) => Promise<FastifyReply>;

export function createRenderPaywall(renderer: PageRenderer): RenderPaywall {
  return (request, reply, id, { message, hint, ...shown }) =>
    sendToAnyone(renderer, request, reply, {
      name: 'paywall',
      error: message,
      errorHint: hint,
      ...shown,
      params: { id },
      path: `/p/${id}`,
    });
}

/**
 * What the paywall page says of an error, with JavaScript or without. Refusals of these codes have
 * words of their own; every other error is the generic message (specification §8).
 */
export function describeUnlockFailure(error: unknown, spoken: readonly ErrorCode[]): PaywallError {
  const { status, code, said } = toProblem(error);
  if (spoken.includes(code)) return { status, message: said };
  return { status, message: TEXTS.unlockFailed, hint: said };
}
