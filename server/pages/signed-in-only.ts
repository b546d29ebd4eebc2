import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FindViewer } from '../lib/viewer.ts';

/** Leads whoever is not signed in to the login page, and from there back. */
export function signedInOnly(findViewer: FindViewer) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const viewer = await findViewer(request);
    if (!viewer.user?.firstName) {
      const next = encodeURIComponent(request.url);
      const from = comesFromLandingPage(request) ? '&from=landing' : '';
      return reply.redirect(`/login?next=${next}${from}`, 302);
    }
  };
}

/** By "Start earning": most who press it have no account yet. */
function comesFromLandingPage({ headers: { referer }, host }: FastifyRequest): boolean {
  const from = referer === undefined ? null : URL.parse(referer);
  return from?.host === host && from.pathname === '/';
}
