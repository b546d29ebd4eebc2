import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isFault, setRetryAfter, toProblem } from '../error-mapping.ts';
import { sendRefusal } from './send-refusal.ts';

export function answerAuthError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = toProblem(error);
  const { status, code, detail } = problem;
  if (isFault(problem)) request.log.error({ err: error }, 'an account request failed');
  setRetryAfter(reply, error);
  const message = status === 415 ? 'Send the body as application/json.' : detail;
  return sendRefusal(reply, { status, code, message });
}
