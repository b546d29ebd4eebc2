import type { BetterAuthPlugin } from 'better-auth';
import { setRequestCookie } from 'better-auth/cookies';
import { serializeSignedCookie } from 'better-call';

/** Whatever follows the scheme: a token that cannot be one must not be passed over. */
const BEARER = /^bearer (.*)$/i;

interface Settings {
  secret: string;
  authCookies: { sessionToken: { name: string } };
}

/**
 * Turns a bearer token into the session cookie before anything looks at the request. The library's
 * own plugin does it after the hooks that guard a route, which would then see nobody and let pass.
 */
export const bearerSessions = {
  id: 'bearer-sessions',
  async onRequest(request, settings) {
    const headers = await withBearerSession(request.headers, settings);
    if (headers === request.headers) return;
    return { request: new Request(request, { headers }) };
  },
} satisfies BetterAuthPlugin;

/** The headers with the bearer token, if there is one, in place of the session cookie. */
export async function withBearerSession(
  given: Headers,
  { secret, authCookies }: Settings,
): Promise<Headers> {
  const token = BEARER.exec(given.get('authorization') ?? '')?.[1]?.trim();
  if (token === undefined) return given;
  const headers = new Headers(given);
  setRequestCookie(headers, authCookies.sessionToken.name, await toCookieValue(token, secret));
  return headers;
}

/** A token that was taken from the cookie is signed already, and may be percent-encoded. */
async function toCookieValue(token: string, secret: string): Promise<string> {
  const signed = token.includes('.') ? token : await serializeSignedCookie('', token, secret);
  try {
    return decodeURIComponent(signed.replace(/^=/, ''));
  } catch {
    return signed;
  }
}
