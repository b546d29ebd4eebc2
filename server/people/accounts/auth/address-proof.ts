import { hash, randomBytes } from 'node:crypto';
import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { APIError, isAPIError } from 'better-auth/api';
import { parseCookies } from 'better-auth/cookies';
import { findPasswordFault } from '../find-password-fault.ts';
import { checkFirstName } from '../first-name.ts';
import { commonPasswords } from './common-passwords.ts';
import { onPath } from './hooks.ts';

/** Seconds. Codes may be sent anew for as long as the account is pending. */
const COOKIE_LIFETIME = 24 * 60 * 60;

/** The end of the cookie's name, after the prefix of the product's cookies. */
const COOKIE = 'sign_up';

const SIGN_UP = '/sign-up/email';
const VERIFICATION = '/email-otp/verify-email';

/**
 * Gives an account, including its password, only to the person who proves its address: otherwise a
 * stranger could sign up with the address, before its owner or between the owner's sign-up and the
 * entry of the code, and have the owner confirm the stranger's password.
 */
export const addressProof = {
  id: 'address-proof',
  schema: {
    user: {
      fields: {
        /** SHA-256 of the cookie of the browser that signed up, hex. */
        signUpProof: { type: 'string', required: false, returned: false, input: false },
      },
    },
  },
  hooks: {
    before: [
      // The newest sign-up with an unconfirmed address replaces earlier ones.
      onPath(SIGN_UP, async (ctx) => {
        const { email, password, firstName } = ctx.body;
        const refused =
          'fault' in checkFirstName(firstName) ||
          findPasswordFault(password, { email, firstName }, await commonPasswords()) !== null;
        if (!refused) await dropUnproven(ctx.context.adapter, email);
      }),
      // Confirming signs in: for a proven address it would be a sign-in without the password.
      onPath(VERIFICATION, async (ctx) => {
        const email = ctx.body.email.toLowerCase();
        const found = await ctx.context.internalAdapter.findUserByEmail(email);
        if (!found?.user.emailVerified) return;
        throw APIError.from('BAD_REQUEST', { code: 'INVALID_OTP', message: 'Invalid OTP' });
      }),
    ],
    after: [
      onPath(SIGN_UP, async (ctx) => {
        if (isAPIError(ctx.context.returned)) return;
        const cookie = ctx.context.createAuthCookie(COOKIE, { maxAge: COOKIE_LIFETIME });
        // One browser may have several pending accounts: they share its cookie.
        const nonce = ctx.getCookie(cookie.name) || randomBytes(32).toString('base64url');
        ctx.setCookie(cookie.name, nonce, cookie.attributes);
        await ctx.context.adapter.updateMany({
          model: 'user',
          where: unprovenAt(ctx.body.email),
          update: { signUpProof: hash('sha256', nonce) },
        });
      }),
      onPath(VERIFICATION, async (ctx) => {
        if (isAPIError(ctx.context.returned)) return;
        const cookie = ctx.context.createAuthCookie(COOKIE, { maxAge: 0 });
        if (ctx.getCookie(cookie.name)) ctx.setCookie(cookie.name, '', cookie.attributes);
      }),
    ],
  },
} satisfies BetterAuthPlugin;

/**
 * Refuses to confirm a sign-up made in another browser. A client without cookies, which signs up
 * and confirms with plain requests, is not checked. Called only with the right code, so that nobody
 * else learns which addresses are pending.
 */
export async function refuseReplacedSignUp(user: object, request?: Request): Promise<void> {
  const { emailVerified, signUpProof } = user as { emailVerified: boolean; signUpProof?: string };
  if (emailVerified) return;
  const cookies = parseCookies(request?.headers.get('cookie') ?? '');
  const nonce = [...cookies].find(([name]) => name.endsWith(`padlink.${COOKIE}`))?.[1];
  if (!nonce || signUpProof === hash('sha256', nonce)) return;
  throw APIError.from('CONFLICT', { code: 'SIGN_UP_REPLACED', message: 'Sign-up replaced' });
}

/** An unconfirmed sign-up of this address. */
function unprovenAt(email: string) {
  return [
    { field: 'email', value: email.toLowerCase() },
    { field: 'emailVerified', value: false },
  ];
}

/** Removes an unconfirmed sign-up, including its password. */
export async function dropUnproven(adapter: AuthContext['adapter'], email: string): Promise<void> {
  await adapter.deleteMany({ model: 'user', where: unprovenAt(email) });
}
