import { tryGetCurrentAuthEndpointContext } from '@better-auth/core/context';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import type { emailOTP } from 'better-auth/plugins/email-otp';
import {
  findPasswordFault,
  type PasswordOwner,
} from '../../domain/accounts/find-password-fault.ts';

import { commonPasswords } from './common-passwords.ts';

const RESET_PATH = '/email-otp/reset-password';

/**
 * Refuses weak passwords wherever one is about to be stored.
 * @param codes the plugin that knows the mailed codes.
 */
export function passwordPolicy(codes: ReturnType<typeof emailOTP>) {
  return {
    id: 'password-policy',
    init({ password }) {
      return {
        context: {
          password: {
            ...password,
            async hash(plain) {
              await refuseWeak(plain);
              return password.hash(plain);
            },
          },
        },
      };
    },
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === RESET_PATH,
          // The route spends the code before it hashes: a refused password must not cost the code.
          handler: createAuthMiddleware(async (ctx) => {
            const { email, otp, password } = ctx.body;
            const found = await ctx.context.internalAdapter.findUserByEmail(email.toLowerCase());
            const owner = { email, ...firstNameOf(found?.user) };
            const fault = findPasswordFault(password, owner, await commonPasswords());
            if (!fault) return;
            if (fault.code === 'PASSWORD_TOO_PERSONAL') {
              // It tells something of the owner, so only to who has the code.
              await codes.endpoints.checkVerificationOTP({
                context: ctx.context,
                body: { email, otp, type: 'forget-password' },
              });
            }
            throw APIError.from('BAD_REQUEST', fault);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

async function refuseWeak(password: string): Promise<void> {
  const endpoint = tryGetCurrentAuthEndpointContext();
  // Hashes there only to take as long for an unknown address as for a known one.
  if (endpoint?.path === '/sign-in/email') return;
  const owner: PasswordOwner = { ...endpoint?.context.session?.user, ...endpoint?.body };
  const fault = findPasswordFault(password, owner, await commonPasswords());
  if (fault) throw APIError.from('BAD_REQUEST', fault);
}

function firstNameOf(user: object | undefined): Pick<PasswordOwner, 'firstName'> {
  return { ...(user as PasswordOwner | undefined) };
}
