import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint, getSessionFromCtx } from 'better-auth/api';
import { deleteSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { isSuspended } from '../../../ground/acts/is-suspended.ts';
import type { Database } from '../../../ground/database/tables.ts';
import { canonicalAddress } from '../../../ground/lib/canonical-address.ts';
import { makeFirstOperator, opensForFirstOperator } from '../../operators/first-operator.ts';
import { giveAwaitedPurchases } from '../awaited-purchases.ts';
import { acceptInvitation, findInvitationTo } from '../invitations.ts';
import { onEveryPath, onPath } from './hooks.ts';

/** Who may create an account here. */
export interface DoorOptions {
  signUp: 'open' | 'invite' | 'closed';
  /** In their canonical form: these may always sign up. */
  operatorEmails: readonly string[];
  secret: string;
}

export type FindObstacle = (email: string, visitor: Visitor) => Promise<Obstacle | null>;

type Obstacle = 'SIGN_UP_CLOSED' | 'INVITATION_REQUIRED';

/** The end of the cookie's name, after the prefix of the product's cookies. */
const COOKIE = 'first_operator';
/** Seconds: as long as a code to confirm an address may take. */
const COOKIE_LIFETIME = 60 * 60;

/** Of a request to the library, what tells whether it brings that cookie. */
interface Visitor {
  context: Pick<AuthContext, 'createAuthCookie'>;
  getCookie?: ((name: string) => string | null) | undefined;
}

const cookieOf = ({ context }: Visitor, maxAge = COOKIE_LIFETIME) =>
  context.createAuthCookie(COOKIE, { maxAge });

/** Why nobody new may sign up with this address; null when they may. */
export async function findObstacle(
  db: Database,
  { signUp, ...door }: DoorOptions,
  email: string,
  visitor: Visitor,
): Promise<Obstacle | null> {
  const address = canonicalAddress(email);
  if (signUp === 'open' || door.operatorEmails.includes(address)) return null;
  const token = visitor.getCookie?.(cookieOf(visitor).name);
  const now = Date.now();
  if (token && (await opensForFirstOperator({ ...door, db }, token, now))) return null;
  if (signUp === 'closed') return 'SIGN_UP_CLOSED';
  return (await findInvitationTo(db, address, now)) ? null : 'INVITATION_REQUIRED';
}

/**
 * Refuses sign-ups by password that the operator does not want, whether or not the address has an
 * account, and lets in whoever brings the address of the first operator. What sign-in services
 * state is refused where their accounts are made.
 */
export function signUpDoor(db: Database, door: DoorOptions) {
  return {
    id: 'sign-up-door',
    endpoints: {
      welcomeOperator: createAuthEndpoint(
        '/welcome-operator',
        { method: ['GET', 'POST'], query: z.object({ token: z.string() }) },
        async (ctx) => {
          const { token } = ctx.query;
          const now = Date.now();
          if (!(await opensForFirstOperator({ ...door, db }, token, now))) {
            throw APIError.from('NOT_FOUND', { code: 'NOT_FOUND', message: 'Not found' });
          }
          const { name, attributes } = cookieOf(ctx);
          if (ctx.method === 'GET') return ctx.json({ isConfirmed: ctx.getCookie(name) === token });
          const signedIn = await getSessionFromCtx(ctx);
          if (!signedIn) {
            ctx.setCookie(name, token, attributes);
            return ctx.json({ isMade: false });
          }
          const { user } = signedIn;
          return ctx.json({
            isMade: await makeFirstOperator({ ...door, db }, { user, token }, now),
          });
        },
      ),
    },
    hooks: {
      before: [
        onPath('/sign-up/email', async (ctx) => {
          const code = await findObstacle(db, door, String(ctx.body.email), ctx);
          if (code) throw APIError.from('FORBIDDEN', { code, message: 'Sign-up refused' });
        }),
      ],
    },
  } satisfies BetterAuthPlugin;
}

/**
 * Turns away whoever signs in to a suspended account, and gives everybody else what they were
 * invited to, and what their account bought where a seller came from. Goes after the plugin that
 * asks for a second factor, which takes the session back.
 */
export function admission(db: Database, door: DoorOptions) {
  return {
    id: 'admission',
    hooks: {
      after: [
        onEveryPath(async (ctx) => {
          const made = ctx.context.newSession;
          if (!made) return;
          const { user, session } = made;
          if (await isSuspended(db, user.id)) {
            deleteSessionCookie(ctx);
            await ctx.context.internalAdapter.deleteSession(session.token);
            ctx.context.setNewSession(null);
            throw APIError.from('FORBIDDEN', { code: 'ACCOUNT_SUSPENDED', message: 'Suspended' });
          }
          if (!user.emailVerified) return;
          const now = Date.now();
          await acceptInvitation(db, user, now);
          await giveAwaitedPurchases(db, user);
          const token = ctx.getCookie(cookieOf(ctx).name);
          if (!token) return;
          await makeFirstOperator({ ...door, db }, { user, token }, now);
          const { name, attributes } = cookieOf(ctx, 0);
          ctx.setCookie(name, '', attributes);
        }),
      ],
    },
  } satisfies BetterAuthPlugin;
}
