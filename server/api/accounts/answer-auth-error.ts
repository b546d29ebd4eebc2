import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from '../error-mapping.ts';
import { RateLimited } from '../rate-limits.ts';
import { sendRefusal } from './send-refusal.ts';

export function answerAuthError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, code, detail } = toProblem(error);
  if (status >= 500) request.log.error({ err: error }, 'an account request failed');
  if (error instanceof RateLimited) reply.header('retry-after', error.retryAfter);
  const message = status === 415 ? 'Send the body as application/json.' : detail;
  return sendRefusal(reply, { status, code, message });
}
