import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { createAuthEndpoint, sessionMiddleware } from 'better-auth/api';
import { z } from 'zod';
import type { AccountDetails, SessionDetails } from '../../../contract/account-details.ts';
import { describeDevice } from '../../domain/accounts/describe-device.ts';
import { listPasskeys } from './passkeys.ts';

/**
 * A person's own sessions, by ids. In place of the library's routes, which hand out the tokens of
 * the other sessions and list none to who signed in yesterday.
 */
export const ownSessions = {
  id: 'own-sessions',
  endpoints: {
    listSessions: createAuthEndpoint(
      '/list-sessions',
      { method: 'GET', use: [sessionMiddleware] },
      async (ctx) => ctx.json(await listSessions(ctx, ctx.context.session)),
    ),
    revokeSession: createAuthEndpoint(
      '/revoke-session',
      { method: 'POST', use: [sessionMiddleware], body: z.object({ id: z.string() }) },
      async (ctx) => {
        const { internalAdapter, session } = ctx.context;
        const own = await internalAdapter.listSessions(session.user.id);
        const meant = own.find(({ id }) => id === ctx.body.id);
        if (meant) await internalAdapter.deleteSession(meant.token);
        return ctx.json({ status: true });
      },
    ),
    describeAccount: createAuthEndpoint(
      '/account-details',
      { method: 'GET', use: [sessionMiddleware] },
      async (ctx) => {
        const { internalAdapter, session } = ctx.context;
        const credential = await internalAdapter.findCredentialAccount(session.user.id);
        const details: AccountDetails = {
          email: session.user.email,
          hasPassword: Boolean(credential?.password),
          sessions: await listSessions(ctx, session),
          twoFactor: session.user.twoFactorEnabled === true,
          passkeys: await listPasskeys(ctx, session.user.id),
        };
        return ctx.json(details);
      },
    ),
  },
} satisfies BetterAuthPlugin;

interface Current {
  user: { id: string };
  session: { id: string };
}

/** This one first, then the newest. */
async function listSessions(
  { context }: GenericEndpointContext,
  current: Current,
): Promise<SessionDetails[]> {
  const now = Date.now();
  const sessions = await context.internalAdapter.listSessions(current.user.id);
  return sessions
    .filter(({ expiresAt }) => expiresAt.getTime() > now)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .map(({ id, userAgent, createdAt }) => ({
      id,
      device: describeDevice(userAgent ?? ''),
      signedInAt: createdAt.toISOString(),
      current: id === current.session.id,
    }))
    .toSorted((a, b) => Number(b.current) - Number(a.current));
}
