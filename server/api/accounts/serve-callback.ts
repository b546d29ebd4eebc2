import type { FastifyReply, FastifyRequest } from 'fastify';
import { callAuth } from './call-auth.ts';
import { logFailedSignIn } from './log-failed-sign-in.ts';
import { type AccountsDependencies, rememberDevice } from './serve-account-route.ts';

type CallbackRequest = FastifyRequest<{ Params: { provider: string } }>;

/** Where a provider sends a browser back to; the browser is led on, whatever came of it. */
export function serveCallback(deps: AccountsDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { provider } = (request as CallbackRequest).params;
    const { search } = new URL(request.url, deps.publicUrl);
    const path = `callback/${encodeURIComponent(provider)}${search}`;
    const answer = await callAuth(deps.auth, deps.publicUrl, request, { method: 'GET', path });
    await rememberDevice(deps, request, reply, answer);
    const target = answer.headers.get('location') ?? '/login?error=unexpected';
    const code = new URL(target, deps.publicUrl).searchParams.get('error');
    if (code !== null) logFailedSignIn(request, { ...answer, code });
    return reply
      .headers({ 'set-cookie': answer.headers.getSetCookie(), 'cache-control': 'no-store' })
      .redirect(target, 302);
  };
}
