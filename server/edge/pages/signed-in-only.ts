import type { FastifyReply, FastifyRequest } from 'fastify';

/** Redirects visitors who are not signed in to the login page, and from there back. */
export async function signedInOnly(request: FastifyRequest, reply: FastifyReply) {
  const { user } = await request.viewer();
  if (user?.firstName) return;
  const next = encodeURIComponent(request.url);
  const from = comesFromLandingPage(request) ? '&from=landing' : '';
  return reply.redirect(`/login?next=${next}${from}`, 302);
}

/** By "Start earning": most who press it have no account yet. */
function comesFromLandingPage({ headers: { referer }, host }: FastifyRequest): boolean {
  const from = referer === undefined ? null : URL.parse(referer);
  return from?.host === host && from.pathname === '/';
}
