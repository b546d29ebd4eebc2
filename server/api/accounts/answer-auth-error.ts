import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimited } from '../rate-limits.ts';

/** Answers in the shape of the account library's own refusals: { code, message }. */
export function answerAuthError(
  error: FastifyError | RateLimited,
  _request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { code, message } = error;
  if (error instanceof RateLimited) {
    return reply.code(429).header('retry-after', error.retryAfter).send({ code, message });
  }
  if (error instanceof SyntaxError) {
    return reply.code(400).send({ code: 'INVALID_JSON', message: 'The body is not valid JSON.' });
  }
  // What is not about the request belongs to the product's own boundary.
  const status = error.statusCode ?? 500;
  if (status >= 500) throw error;
  return reply.code(status).send({ code, message });
}
