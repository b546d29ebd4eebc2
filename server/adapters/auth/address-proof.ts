import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { dropUnproven } from './drop-unproven.ts';

/**
 * Keeps an account with the person who proves its address. Without it, someone could register
 * another's address in advance and share the account once its owner confirms it.
 */
export const addressProof = {
  id: 'address-proof',
  hooks: {
    before: [
      {
        matcher: ({ path }) => path === '/sign-up/email',
        // The newest sign-up of an unproven address replaces the ones before, password and all.
        handler: createAuthMiddleware(async (ctx) => {
          await dropUnproven(ctx.context.adapter, ctx.body.email);
        }),
      },
      {
        matcher: ({ path }) => path === '/email-otp/verify-email',
        // Confirming signs in: for a proven address it would be a sign-in without the password.
        handler: createAuthMiddleware(async (ctx) => {
          const email = ctx.body.email.toLowerCase();
          const found = await ctx.context.internalAdapter.findUserByEmail(email);
          if (!found?.user.emailVerified) return;
          throw APIError.from('BAD_REQUEST', { code: 'INVALID_OTP', message: 'Invalid OTP' });
        }),
      },
    ],
  },
} satisfies BetterAuthPlugin;
