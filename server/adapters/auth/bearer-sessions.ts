import type { BetterAuthPlugin } from 'better-auth';
import { setRequestCookie } from 'better-auth/cookies';
import { serializeSignedCookie } from 'better-call';

const BEARER = /^bearer +(\S+)$/i;

/**
 * Turns a bearer token into the session cookie before anything looks at the request. The library's
 * own plugin does it after the hooks that guard a route, which would then see nobody and let pass.
 */
export const bearerSessions = {
  id: 'bearer-sessions',
  async onRequest(request, { secret, authCookies }) {
    const token = BEARER.exec(request.headers.get('authorization') ?? '')?.[1];
    if (!token) return;
    const headers = new Headers(request.headers);
    setRequestCookie(headers, authCookies.sessionToken.name, await toCookieValue(token, secret));
    return { request: new Request(request, { headers }) };
  },
} satisfies BetterAuthPlugin;

/** A token that was taken from the cookie is signed already, and may be percent-encoded. */
async function toCookieValue(token: string, secret: string): Promise<string> {
  const signed = token.includes('.') ? token : await serializeSignedCookie('', token, secret);
  try {
    return decodeURIComponent(signed.replace(/^=/, ''));
  } catch {
    return signed;
  }
}
