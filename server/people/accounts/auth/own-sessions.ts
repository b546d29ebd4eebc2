import type { AuthContext, BetterAuthPlugin, GenericEndpointContext, Where } from 'better-auth';
import { createAuthEndpoint, sessionMiddleware } from 'better-auth/api';
import { setRequestCookie } from 'better-auth/cookies';
import { serializeSignedCookie } from 'better-call';
import { z } from 'zod';
import type { SessionDetails } from '../../../../contract/account-details.ts';
import type { Database } from '../../../ground/database/tables.ts';
import { announce } from '../../../ground/database/transaction.ts';
import { describeDevice } from '../../../ground/lib/describe-device.ts';
import { onEveryPath } from './hooks.ts';

/** A sign-in beyond this ends the oldest session. */
const MAX_SESSIONS_OF_ACCOUNT = 100;

/**
 * Ends the oldest sessions of an account beyond `MAX_SESSIONS_OF_ACCOUNT`, once a sign-in is
 * complete. Goes after the plugin that asks for a second factor, which takes the session back.
 */
export function sessionCap(db: Database) {
  return {
    id: 'session-cap',
    hooks: {
      after: [
        onEveryPath(async (ctx) => {
          const made = ctx.context.newSession?.session;
          if (made) await endOldestSessions(ctx.context, made, db);
        }),
      ],
    },
  } satisfies BetterAuthPlugin;
}

async function endOldestSessions(
  { adapter }: Pick<AuthContext, 'adapter'>,
  made: { id: string; userId: string },
  db: Database,
): Promise<void> {
  const ofUser = { field: 'userId', value: made.userId };
  const oldest = await adapter.findMany<{ id: string }>({
    model: 'session',
    // By a clock that was set back meanwhile, the one just made may seem to be the oldest.
    where: [ofUser, { field: 'id', operator: 'ne', value: made.id }],
    sortBy: { field: 'createdAt', direction: 'desc' },
    offset: MAX_SESSIONS_OF_ACCOUNT - 1,
    limit: MAX_SESSIONS_OF_ACCOUNT,
  });
  if (oldest.length === 0) return;
  const ids = { field: 'id', operator: 'in' as const, value: oldest.map(({ id }) => id) };
  await adapter.deleteMany({ model: 'session', where: [ofUser, ids] });
  announce(db, { kind: 'session-ended', id: made.userId, ownerId: made.userId });
}

/**
 * A person's own sessions, by id. Replaces the library's routes, which identify sessions by token
 * and list none to someone who signed in yesterday.
 */
export function ownSessions(db: Database) {
  async function endSessions({ context }: GenericEndpointContext, userId: string, which: Where) {
    const where = [{ field: 'userId', value: userId }, which];
    const ended = await context.adapter.deleteMany({ model: 'session', where });
    if (ended > 0) announce(db, { kind: 'session-ended', id: userId, ownerId: userId });
  }
  return {
    id: 'own-sessions',
    endpoints: {
      listSessions: createAuthEndpoint(
        '/list-sessions',
        { method: 'GET', use: [sessionMiddleware] },
        async (ctx) => {
          const { user, session } = ctx.context.session;
          return ctx.json(await listSessions(ctx.context, user.id, session.id));
        },
      ),
      revokeSession: createAuthEndpoint(
        '/revoke-session',
        { method: 'POST', use: [sessionMiddleware], body: z.object({ id: z.string() }) },
        async (ctx) => {
          const { user } = ctx.context.session;
          await endSessions(ctx, user.id, { field: 'id', value: ctx.body.id });
          return ctx.json({ status: true });
        },
      ),
      revokeOtherSessions: createAuthEndpoint(
        '/revoke-other-sessions',
        { method: 'POST', use: [sessionMiddleware] },
        async (ctx) => {
          const { user, session } = ctx.context.session;
          await endSessions(ctx, user.id, { field: 'id', operator: 'ne', value: session.id });
          return ctx.json({ status: true });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}

/** The session of the request first, then the newest. */
export async function listSessions(
  { internalAdapter }: Pick<AuthContext, 'internalAdapter'>,
  userId: string,
  current: string,
): Promise<SessionDetails[]> {
  const now = Date.now();
  const sessions = await internalAdapter.listSessions(userId);
  return sessions
    .filter(({ expiresAt }) => expiresAt.getTime() > now)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .map(({ id, userAgent, createdAt }) => ({
      id,
      device: describeDevice(userAgent ?? ''),
      signedInAt: createdAt.toISOString(),
      current: id === current,
    }))
    .toSorted((a, b) => Number(b.current) - Number(a.current));
}

/** Whatever follows the scheme: an impossible token must not be ignored. */
const BEARER = /^bearer (.*)$/i;

/** What the library knows its session cookie by. */
export interface SessionCookie {
  secret: string;
  authCookies: { sessionToken: { name: string } };
}

/** What follows the scheme in a header; undefined where it names no bearer. */
export const bearerTokenOf = (authorization: string | null | undefined): string | undefined =>
  BEARER.exec(authorization ?? '')?.[1]?.trim();

/**
 * Turns a bearer token into the session cookie before anything examines the request. The library's
 * own plugin does so only after the hooks that guard a route, which would then see nobody and let
 * the request pass.
 */
export const bearerSessions = {
  id: 'bearer-sessions',
  async onRequest(request, settings) {
    const headers = await withBearerSession(request.headers, settings);
    if (headers === request.headers) return;
    return { request: new Request(request, { headers }) };
  },
} satisfies BetterAuthPlugin;

/** The headers with the bearer token, if any, in place of the session cookie. */
export async function withBearerSession(
  given: Headers,
  { secret, authCookies }: SessionCookie,
): Promise<Headers> {
  const token = bearerTokenOf(given.get('authorization'));
  if (token === undefined) return given;
  const headers = new Headers(given);
  setRequestCookie(headers, authCookies.sessionToken.name, await toCookieValue(token, secret));
  return headers;
}

/** A token that was taken from the cookie is signed already, and may be percent-encoded. */
async function toCookieValue(token: string, secret: string): Promise<string> {
  const signed = token.includes('.') ? token : await serializeSignedCookie('', token, secret);
  return decode(signed.replace(/^=/, ''));
}

/** The text without percent-encoding, or as it is where that does not fit. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
