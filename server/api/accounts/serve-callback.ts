import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressKey, RateLimited } from '../rate-limits.ts';
import { type AuthAnswer, callAuth } from './call-auth.ts';
import { logFailedSignIn, TOO_MANY_SIGN_INS } from './log-failed-sign-in.ts';
import { type AccountsDependencies, rememberDevice } from './serve-account-route.ts';

type CallbackRequest = FastifyRequest<{ Params: { provider: string } }>;

/** Where a provider sends a browser back to; the browser is led on, whatever came of it. */
export function serveCallback(deps: AccountsDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { provider } = (request as CallbackRequest).params;
    const { searchParams } = new URL(request.url, deps.publicUrl);
    const ask = (query: URLSearchParams) => {
      const path = `callback/${encodeURIComponent(provider)}?${query}`;
      return callAuth(deps.auth, deps.publicUrl, request, { method: 'GET', path });
    };
    const answer = await comeBack(deps, request, () => ask(searchParams)).catch((error) => {
      if (!(error instanceof RateLimited)) throw error;
      // Only the library knows where its visitor was going; told of an error, it asks no provider.
      const state = searchParams.get('state') ?? '';
      return ask(new URLSearchParams({ state, error: TOO_MANY_SIGN_INS }));
    });
    await rememberDevice(deps, request, reply, answer);
    const target = answer.headers.get('location') ?? '/login?error=unexpected';
    const code = new URL(target, deps.publicUrl).searchParams.get('error');
    if (code !== null) logFailedSignIn(request, { ...answer, code });
    return reply
      .headers({ 'set-cookie': answer.headers.getSetCookie(), 'cache-control': 'no-store' })
      .redirect(target, 302);
  };
}

/** @throws RateLimited when an address comes back, or signs in, in a flood */
async function comeBack(
  { limits }: AccountsDependencies,
  request: FastifyRequest,
  ask: () => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  const address = addressKey(request.ip);
  // Never given back: whoever kept one state may come back by it as often as they like.
  await limits.take('accountRequests', address);
  const giveBack = await limits.take('providerSignIns', address);
  let isSignedIn = false;
  try {
    const answer = await ask();
    isSignedIn = answer.headers.has('set-auth-token');
    return answer;
  } finally {
    if (!isSignedIn) giveBack();
  }
}
