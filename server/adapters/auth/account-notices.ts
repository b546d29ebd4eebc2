import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import { listSecretKeys } from '../../domain/accounts/secret-keys/list-secret-keys.ts';
import type { Database } from '../../domain/tables.ts';
import type { AccountMails, AccountNotice } from './account-mails.ts';
import { deliver } from './deliver.ts';
import type { AuthLog } from './log.ts';
import { listPasskeys } from './passkeys.ts';

type Describe = (
  ctx: GenericEndpointContext,
  ownerId: string,
  db: Database,
) => AccountNotice | Promise<AccountNotice>;

/** What is told after which request, unless it was refused. */
const NOTICES: Record<string, Describe> = {
  '/change-password': describePasswordChange,
  '/email-otp/reset-password': describePasswordChange,
  '/email-otp/change-email': ({ body }) => ({ kind: 'email-changed', newEmail: body.newEmail }),
  '/delete-user': () => ({ kind: 'account-deleted' }),
  '/two-factor/disable': () => ({ kind: 'two-factor-off' }),
  '/passkey/verify-registration': () => ({ kind: 'passkey-added' }),
};

/** Tells the owner by mail of changes that somebody else might have made. */
export function accountNotices(db: Database, mails: AccountMails, log: AuthLog) {
  return {
    id: 'account-notices',
    hooks: {
      after: [
        {
          matcher: ({ path }) => path !== undefined && path in NOTICES,
          handler: createAuthMiddleware(async (ctx) => {
            if (isAPIError(ctx.context.returned)) return;
            const owner = await findOwner(ctx);
            const notice = owner && (await NOTICES[ctx.path]?.(ctx, owner.id, db));
            if (!notice) return;
            void deliver(() => mails.sendNotice(owner.email, notice, owner.firstName), log);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** A new password ends neither passkeys nor other ways to sign in, and secret keys by a code alone. */
async function describePasswordChange(
  ctx: GenericEndpointContext,
  ownerId: string,
  db: Database,
): Promise<AccountNotice> {
  const passkeys = (await listPasskeys(ctx, ownerId)).length;
  const secretKeys = (await listSecretKeys(db, ownerId)).length;
  const accounts = await ctx.context.internalAdapter.findAccounts(ownerId);
  const providers = ctx.context.socialProviders
    .filter(({ id }) => accounts.some(({ providerId }) => providerId === id))
    .map(({ name }) => name);
  const byCode = ctx.path === '/email-otp/reset-password';
  return { kind: 'password-changed', byCode, remaining: { passkeys, secretKeys, providers } };
}

/** As they were before the request, while the old address still reaches them. */
async function findOwner({ body, context }: GenericEndpointContext) {
  const user =
    context.session?.user ?? (await context.internalAdapter.findUserByEmail(body.email))?.user;
  return user as { id: string; email: string; firstName: string } | undefined;
}
