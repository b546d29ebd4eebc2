import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { parseCookies } from 'better-call';
import { isOperator } from '../../../ground/acts/operator-of.ts';
import { prepare } from '../../../ground/database/prepare.ts';
import type { Database } from '../../../ground/database/tables.ts';
import type { User } from '../../../ground/lib/viewer.ts';
import type { Auth } from './create-auth.ts';
import { hashSessionToken } from './hashed-sessions.ts';
import { unmaskOutage } from './outages.ts';
import { bearerTokenOf, decode, type SessionCookie, withBearerSession } from './own-sessions.ts';

const findSession = prepare((db, tokenHash: string) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .leftJoin('suspension', 'suspension.user_id', 'session.userId')
    .leftJoin('operator', 'operator.user_id', 'session.userId')
    .where('session.token', '=', tokenHash)
    .where('suspension.user_id', 'is', null)
    .select([
      'session.id as sessionId',
      'session.createdAt as signedInAt',
      'session.expiresAt',
      'user.id',
      'user.email',
      'user.emailVerified',
      'user.firstName',
      'user.language',
      'operator.granted_at',
    ]),
);

/**
 * Finds who is signed in, by a bearer token or else the session cookie. Headers with neither cost
 * nothing. Asked by every request, it reads one row by itself; it is the account library that
 * begins, changes and ends sessions.
 */
export function sessionReader(
  auth: Pick<Auth, '$context'>,
  db: Database,
  operatorEmails: readonly string[],
) {
  return async (incoming: Headers | IncomingHttpHeaders): Promise<User | null> => {
    const token = readToken(incoming, await auth.$context);
    if (token === null) return null;
    const [found] = await findSession(db, hashSessionToken(token));
    // By the clock that the library lets them end by.
    if (!found || !(new Date(found.expiresAt).getTime() >= Date.now())) return null;
    const { signedInAt, expiresAt, emailVerified, granted_at, ...user } = found;
    const operates = isOperator({ ...user, emailVerified, granted_at }, operatorEmails);
    return { ...user, operates, signedInAt: new Date(signedInAt).getTime() };
  };
}

/** Of the bearer token alone where there is one: a wrong one must not fall back on the cookie. */
function readToken(
  incoming: Headers | IncomingHttpHeaders,
  { secret, authCookies }: SessionCookie,
): string | null {
  const bearer = bearerTokenOf(readHeader(incoming, 'authorization'));
  if (bearer !== undefined) {
    return bearer.includes('.') ? verify(decode(bearer), secret) : bearer;
  }
  const cookie = readHeader(incoming, 'cookie');
  const signed = cookie && parseCookies(cookie).get(authCookies.sessionToken.name);
  return signed ? verify(signed, secret) : null;
}

/** The token in front of its signature, as the library signs it; null where it does not fit. */
function verify(signed: string, secret: string): string | null {
  const end = signed.lastIndexOf('.');
  const token = signed.slice(0, Math.max(end, 0));
  // As text, as the library does: a decoder would accept other spellings of a signature.
  const expected = Buffer.from(createHmac('sha256', secret).update(token).digest('base64'));
  const given = Buffer.from(signed.slice(end + 1));
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs && token !== '' ? token : null;
}

function readHeader(incoming: Headers | IncomingHttpHeaders, name: 'authorization' | 'cookie') {
  return incoming instanceof Headers ? incoming.get(name) : incoming[name];
}

/**
 * Finds the account that a request is about: the signed-in user's, with the session, or that of
 * someone who has given the password in this browser and still owes the second factor, without one.
 * The library itself reads the headers, as it does when it serves the request, so that both name
 * the same account.
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

/** Removes expired sessions, and expired codes and second factors: nobody can use them anymore. */
export async function sweepExpired(auth: Auth, now: number): Promise<void> {
  const { adapter } = await auth.$context;
  for (const model of ['session', 'verification']) {
    const where = [{ field: 'expiresAt', operator: 'lt' as const, value: new Date(now) }];
    await adapter.deleteMany({ model, where });
  }
}
