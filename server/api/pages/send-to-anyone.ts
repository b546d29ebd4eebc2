import type { FastifyReply, FastifyRequest } from 'fastify';
import { GUEST } from '../find-viewer.ts';
import type { PageRenderer, PageRequest } from './render-page.ts';

/** Sends a page that tells of an error: as to a guest where it cannot be told who asks. */
export function sendToAnyone(
  renderer: PageRenderer,
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageRequest,
): Promise<FastifyReply> {
  return renderer
    .send(request, reply, page)
    .catch(() => renderer.send(request, reply, page, GUEST));
}
