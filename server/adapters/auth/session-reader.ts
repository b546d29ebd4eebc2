import type { IncomingHttpHeaders } from 'node:http';
import { parseCookies } from 'better-call';
import type { User } from '../../domain/accounts/viewer.ts';
import type { Auth } from './create-auth.ts';
import { unmaskOutage } from './unmask-outage.ts';

const BEARER = /^bearer /i;

/**
 * Finds who is signed in: by a bearer token, or else by the session cookie. Headers with neither
 * cost nothing.
 */
export function sessionReader(auth: Auth) {
  return async (incoming: Headers | IncomingHttpHeaders): Promise<User | null> => {
    const { authCookies } = await auth.$context;
    const credentials = credentialsOf(incoming, authCookies.sessionToken.name);
    if (!credentials) return null;
    const session = await unmaskOutage(
      () => auth.api.getSession({ headers: credentials }),
      (found) => !found,
    );
    if (!session) return null;
    const { id, email, firstName } = session.user;
    return { id, email, firstName, signedInAt: new Date(session.session.createdAt).getTime() };
  };
}

/** Only one of the two: a wrong token must not fall back on the cookie. */
function credentialsOf(
  incoming: Headers | IncomingHttpHeaders,
  sessionCookie: string,
): Headers | null {
  const authorization = readHeader(incoming, 'authorization');
  if (authorization && BEARER.test(authorization)) return new Headers({ authorization });
  const cookie = readHeader(incoming, 'cookie');
  if (cookie && parseCookies(cookie).has(sessionCookie)) return new Headers({ cookie });
  return null;
}

function readHeader(incoming: Headers | IncomingHttpHeaders, name: 'authorization' | 'cookie') {
  return incoming instanceof Headers ? incoming.get(name) : incoming[name];
}
