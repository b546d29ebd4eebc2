import type { FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from '../error-mapping.ts';
import { ClientLeft } from './receive-bytes.ts';
import type { UploadDeps } from './upload-deps.ts';

/** How long bytes are still taken and dropped, so that the client gets to read the answer. */
const LINGER_MS = 3_000;

export function sendRefusal(
  deps: Pick<UploadDeps, 'log'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (error instanceof ClientLeft) {
    reply.hijack();
    return;
  }
  const problem = toProblem(error);
  if (problem.status >= 500) deps.log.error({ err: error }, 'an upload failed');
  if (!request.raw.complete) endUnread(request, reply);
  reply.status(problem.status).type('application/problem+json').send(problem);
}

/** A refused body is not read to its end, which may be gigabytes away. */
function endUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    const timer = setTimeout(() => raw.destroy(), LINGER_MS);
    raw.once('close', () => clearTimeout(timer));
  });
}
