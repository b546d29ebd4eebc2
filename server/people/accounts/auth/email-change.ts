import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { APIError, getSessionFromCtx } from 'better-auth/api';
import { canonicalAddress } from '../../../ground/lib/canonical-address.ts';
import { dropUnproven } from './address-proof.ts';
import { onPath } from './hooks.ts';
import { proveIdentity } from './prove-identity.ts';

type FindUserByEmail = GenericEndpointContext['context']['internalAdapter']['findUserByEmail'];

/**
 * Wraps the library's change of address by a code to the new one: only the account's owner may ask.
 * The first to prove an address gets it: a pending sign-up does not reserve it, and is removed once
 * it is proven.
 */
export const emailChange = {
  id: 'email-change',
  hooks: {
    before: [
      onPath('/email-otp/request-email-change', async (ctx) => {
        const signedIn = await getSessionFromCtx(ctx);
        if (!signedIn) return;
        await refuseAddressOfProvider(ctx, signedIn.user.id);
        await proveIdentity(ctx, signedIn, ctx.body.password);
        refuseSameAddress(ctx.body.newEmail, signedIn.user.email);
        const { findUserByEmail } = ctx.context.internalAdapter;
        return lookingUpBy(async (...address) => {
          const found = await findUserByEmail(...address);
          return found?.user.emailVerified ? found : null;
        });
      }),
      onPath('/email-otp/change-email', async (ctx) => {
        const signedIn = await getSessionFromCtx(ctx);
        if (!signedIn) return;
        refuseSameAddress(ctx.body.newEmail, signedIn.user.email);
        const { adapter, internalAdapter } = ctx.context;
        return lookingUpBy(async (...address) => {
          // The library looks an address up only once the code was right.
          await dropUnproven(adapter, ctx.body.newEmail);
          return internalAdapter.findUserByEmail(...address);
        });
      }),
    ],
  },
} satisfies BetterAuthPlugin;

/** Makes the following route look accounts up in another way. */
function lookingUpBy(findUserByEmail: FindUserByEmail) {
  return { context: { context: { internalAdapter: { findUserByEmail } } } };
}

/** At the next sign-in through the service, its address would replace the new one. */
async function refuseAddressOfProvider(
  { context }: GenericEndpointContext,
  userId: string,
): Promise<void> {
  if ((await context.internalAdapter.findCredentialAccount(userId))?.password) return;
  throw APIError.from('FORBIDDEN', { code: 'ADDRESS_OF_PROVIDER', message: 'Change it there' });
}

function refuseSameAddress(newEmail: string, email: string): void {
  if (canonicalAddress(newEmail) !== canonicalAddress(email)) return;
  throw APIError.from('BAD_REQUEST', { code: 'SAME_EMAIL', message: 'Same email' });
}
