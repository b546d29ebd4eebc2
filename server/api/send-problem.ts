import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from './error-mapping.ts';

/** Answers a program: what went wrong, with the number of the request to quote. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): FastifyReply {
  return reply
    .status(problem.status)
    .type('application/problem+json')
    .header('cache-control', 'no-store')
    .send({ ...problem, requestId: request.id });
}
