import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import type { AccountMails, AccountNotice } from './account-mails.ts';
import { deliver } from './deliver.ts';
import type { AuthLog } from './log.ts';

/** What is told after which request, unless it was refused. */
const NOTICES: Record<string, (body: { newEmail: string }) => AccountNotice> = {
  '/change-password': () => ({ kind: 'password-changed' }),
  '/email-otp/reset-password': () => ({ kind: 'password-changed' }),
  '/email-otp/change-email': ({ newEmail }) => ({ kind: 'email-changed', newEmail }),
  '/delete-user': () => ({ kind: 'account-deleted' }),
  '/two-factor/disable': () => ({ kind: 'two-factor-off' }),
  '/passkey/verify-registration': () => ({ kind: 'passkey-added' }),
};

/** Tells the owner by mail of changes that somebody else might have made. */
export function accountNotices(mails: AccountMails, log: AuthLog) {
  return {
    id: 'account-notices',
    hooks: {
      after: [
        {
          matcher: ({ path }) => path !== undefined && path in NOTICES,
          handler: createAuthMiddleware(async (ctx) => {
            if (isAPIError(ctx.context.returned)) return;
            const notice = NOTICES[ctx.path]?.(ctx.body);
            const owner = await findOwner(ctx);
            if (!notice || !owner) return;
            void deliver(() => mails.sendNotice(owner.email, notice, owner.firstName), log);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** As they were before the request, while the old address still reaches them. */
async function findOwner({ body, context }: GenericEndpointContext) {
  const user =
    context.session?.user ?? (await context.internalAdapter.findUserByEmail(body.email))?.user;
  return user as { email: string; firstName: string } | undefined;
}
