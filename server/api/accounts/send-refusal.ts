import type { FastifyReply } from 'fastify';
import { titleOf } from '../error-mapping.ts';

/**
 * Answers with a problem whose code is one of the account library's, and whose words stand under
 * its own name as well: clients of the library read `message`.
 */
export function sendRefusal(
  reply: FastifyReply,
  { status, code, message }: { status: number; code: string; message: string | undefined },
): FastifyReply {
  return reply
    .code(status)
    .type('application/problem+json')
    .header('cache-control', 'no-store')
    .send({
      type: 'about:blank',
      title: titleOf(status),
      status,
      detail: message,
      code,
      message,
      requestId: reply.request.id,
    });
}
