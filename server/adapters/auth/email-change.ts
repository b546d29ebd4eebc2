import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { dropUnproven } from './drop-unproven.ts';
import { proveIdentity } from './prove-identity.ts';

/** Around the library's change of address by a code to the new one: only its owner may ask. */
export const emailChange = {
  id: 'email-change',
  hooks: {
    before: [
      {
        matcher: ({ path }) => path === '/email-otp/request-email-change',
        handler: createAuthMiddleware(async (ctx) => {
          const signedIn = await getSessionFromCtx(ctx);
          if (!signedIn) return;
          await proveIdentity(ctx, signedIn, ctx.body.password);
          await makeRoom(ctx, signedIn.user.email);
        }),
      },
      {
        matcher: ({ path }) => path === '/email-otp/change-email',
        handler: createAuthMiddleware(async (ctx) => {
          const signedIn = await getSessionFromCtx(ctx);
          if (signedIn) await makeRoom(ctx, signedIn.user.email);
        }),
      },
    ],
  },
} satisfies BetterAuthPlugin;

/** Whoever proves an address first has it: a pending sign-up does not hold it. */
async function makeRoom(ctx: GenericEndpointContext, email: string): Promise<void> {
  const { newEmail } = ctx.body;
  if (newEmail.toLowerCase() === email) {
    throw APIError.from('BAD_REQUEST', { code: 'SAME_EMAIL', message: 'Same e-mail' });
  }
  await dropUnproven(ctx.context.adapter, newEmail);
}
