import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressKey, RateLimited } from '../rate-limits.ts';
import { type AuthAnswer, callAuth } from './call-auth.ts';
import { logFailedSignIn } from './log-failed-sign-in.ts';
import { type AccountsDependencies, rememberDevice } from './serve-account-route.ts';

type CallbackRequest = FastifyRequest<{ Params: { provider: string } }>;

const TOO_MANY = 'too_many_sign_ins';

/** Where a provider sends a browser back to; the browser is led on, whatever came of it. */
export function serveCallback(deps: AccountsDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { provider } = (request as CallbackRequest).params;
    const { search } = new URL(request.url, deps.publicUrl);
    const path = `callback/${encodeURIComponent(provider)}${search}`;
    let answer: AuthAnswer;
    try {
      answer = await comeBack(deps, request, path);
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      logFailedSignIn(request, { code: TOO_MANY });
      return reply.header('cache-control', 'no-store').redirect(`/login?error=${TOO_MANY}`, 302);
    }
    await rememberDevice(deps, request, reply, answer);
    const target = answer.headers.get('location') ?? '/login?error=unexpected';
    const code = new URL(target, deps.publicUrl).searchParams.get('error');
    if (code !== null) logFailedSignIn(request, { ...answer, code });
    return reply
      .headers({ 'set-cookie': answer.headers.getSetCookie(), 'cache-control': 'no-store' })
      .redirect(target, 302);
  };
}

/** @throws RateLimited when an address signs in in a flood */
async function comeBack(
  { auth, publicUrl, limits }: AccountsDependencies,
  request: FastifyRequest,
  path: string,
): Promise<AuthAnswer> {
  const giveBack = await limits.take('providerSignIns', addressKey(request.ip));
  let isSignedIn = false;
  try {
    const answer = await callAuth(auth, publicUrl, request, { method: 'GET', path });
    isSignedIn = answer.headers.has('set-auth-token');
    return answer;
  } finally {
    if (!isSignedIn) giveBack();
  }
}
