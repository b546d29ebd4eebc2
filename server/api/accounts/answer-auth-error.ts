import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from '../error-mapping.ts';
import { RateLimited } from '../rate-limits.ts';

/** Answers in the shape of the account library's own refusals: { code, message }. */
export function answerAuthError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, code, detail } = toProblem(error);
  if (status >= 500) request.log.error({ err: error }, 'an account request failed');
  if (error instanceof RateLimited) reply.header('retry-after', error.retryAfter);
  const message = status === 415 ? 'Send the body as application/json.' : detail;
  return reply.code(status).header('cache-control', 'no-store').send({ code, message });
}
