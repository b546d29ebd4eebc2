import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FindViewer } from './find-viewer.ts';

/** Leads whoever is not signed in to the login page, and from there back. */
export function signedInOnly(findViewer: FindViewer) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const viewer = await findViewer(request);
    if (!viewer.user?.firstName) {
      return reply.redirect(`/login?next=${encodeURIComponent(request.url)}`, 302);
    }
  };
}
