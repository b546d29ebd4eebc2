import type { IncomingHttpHeaders } from 'node:http';
import { parseCookies } from 'better-call';
import type { User } from '../../lib/viewer.ts';
import type { Auth } from './create-auth.ts';
import { unmaskOutage } from './outages.ts';
import { withBearerSession } from './own-sessions.ts';

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
    const { id: sessionId, createdAt } = session.session;
    return { id, email, firstName, sessionId, signedInAt: new Date(createdAt).getTime() };
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

/**
 * Finds the account that a request is about: of who is signed in, with the session, or else of who
 * has given the password in this browser and owes the second factor, without one. The library itself
 * reads the headers, as it does when it serves the request: whom it acts on is whom this names.
 */
export function accountReader(auth: Auth) {
  return async (incoming: { authorization?: string; cookie?: string }) => {
    const given = new Headers();
    for (const name of ['authorization', 'cookie'] as const) {
      const value = incoming[name];
      if (value !== undefined) given.set(name, value);
    }
    const headers = await withBearerSession(given, await auth.$context);
    return unmaskOutage(
      () => auth.api.findAccount({ headers }),
      (found) => !found,
    );
  };
}

/**
 * Removes sessions that ended by themselves, and codes and second steps that nobody came back to:
 * nobody could use them any more.
 */
export async function sweepExpired(auth: Auth, now: number): Promise<void> {
  const { adapter } = await auth.$context;
  for (const model of ['session', 'verification']) {
    const where = [{ field: 'expiresAt', operator: 'lt' as const, value: new Date(now) }];
    await adapter.deleteMany({ model, where });
  }
}
