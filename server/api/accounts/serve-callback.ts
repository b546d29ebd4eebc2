import type { FastifyReply, FastifyRequest } from 'fastify';
import { callAuth } from './call-auth.ts';
import type { AccountsDependencies } from './serve-account-route.ts';

type CallbackRequest = FastifyRequest<{ Params: { provider: string } }>;

/** Where a provider sends a browser back to; the browser is led on, whatever came of it. */
export function serveCallback({ auth, publicUrl }: AccountsDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { provider } = (request as CallbackRequest).params;
    const { search } = new URL(request.url, publicUrl);
    const path = `callback/${encodeURIComponent(provider)}${search}`;
    const { headers } = await callAuth(auth, publicUrl, request, { method: 'GET', path });
    return reply
      .headers({ 'set-cookie': headers.getSetCookie(), 'cache-control': 'no-store' })
      .redirect(headers.get('location') ?? '/login?error=unexpected', 302);
  };
}
