import { setTimeout } from 'node:timers/promises';
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import type { SecretKeyDetails } from '../../../contract/account-details.ts';
import type { Language } from '../../../contract/languages.ts';
import type { Holding, RemainingKeys } from '../../../contract/mails.ts';
import type { Database } from '../../database/tables.ts';
import { listSecretKeys } from '../secret-keys.ts';
import { languageOfVisitor, readLanguage } from './account-language.ts';
import type { AuthLog } from './outages.ts';
import { listPasskeys } from './passkeys.ts';

type CodePurpose = 'email-verification' | 'forget-password' | 'change-email';

/** What the owner of an account is notified of, whoever caused it. */
export type AccountNotice =
  | { kind: 'account-exists' }
  | ({ kind: 'password-changed'; byCode: boolean; remaining: RemainingKeys } & Holding)
  | ({ kind: 'email-changed'; newEmail: string } & Holding)
  | { kind: 'account-deleted' }
  | { kind: 'two-factor-off' }
  | { kind: 'passkey-added' }
  | { kind: 'secret-key-created'; key: Pick<SecretKeyDetails, 'name' | 'scopes'> };

/** Who is written to, and how. */
export interface Addressee {
  email: string;
  firstName: string;
  language: Language;
}

/** Of a code: `firstName` only where the owner of the address has confirmed it. */
type CodeAddressee = Omit<Addressee, 'firstName'> & { firstName: string | null };

/** The emails of accounts. Each rejects if it was not accepted, so that it is retried. */
export interface AccountMails {
  /** Emails a six-digit code. */
  sendCode(to: CodeAddressee, code: string, purpose: CodePurpose): Promise<void>;
  sendNotice(to: Addressee, notice: AccountNotice): Promise<void>;
}

type Describe = (
  ctx: GenericEndpointContext,
  ownerId: string,
  db: Database,
) => AccountNotice | Promise<AccountNotice>;

/** Which notice follows which request, unless that was refused. */
const NOTICES: Record<string, Describe> = {
  '/change-password': describePasswordChange,
  '/email-otp/reset-password': describePasswordChange,
  '/email-otp/change-email': async ({ body }, ownerId, db) => ({
    kind: 'email-changed',
    newEmail: body.newEmail,
    holdsPayouts: await holdsPayouts(db, ownerId),
  }),
  '/delete-user': () => ({ kind: 'account-deleted' }),
  '/two-factor/disable': () => ({ kind: 'two-factor-off' }),
  '/passkey/verify-registration': () => ({ kind: 'passkey-added' }),
};

/** Notifies the owner by email of changes that someone else might have made. */
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
            // Who deleted the account is told in the language that it was done in.
            const language = (await readLanguage(db, owner.id)) ?? languageOfVisitor(ctx);
            void deliver(() => mails.sendNotice({ ...owner, language }, notice), log);
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
  const passkeys = (await listPasskeys(ctx.context, ownerId)).length;
  const secretKeys = (await listSecretKeys(db, ownerId)).length;
  const accounts = await ctx.context.internalAdapter.findAccounts(ownerId);
  const providers = ctx.context.socialProviders
    .filter(({ id }) => accounts.some(({ providerId }) => providerId === id))
    .map(({ name }) => name);
  const byCode = ctx.path === '/email-otp/reset-password';
  return {
    kind: 'password-changed',
    byCode,
    remaining: { passkeys, secretKeys, providers },
    holdsPayouts: await holdsPayouts(db, ownerId),
  };
}

/** Whether payouts go to an account of this owner: they are held after such a change. */
export async function holdsPayouts(db: Database, ownerId: string): Promise<boolean> {
  const account = await db
    .selectFrom('payout_account')
    .where('owner_id', '=', ownerId)
    .select('account_id')
    .executeTakeFirst();
  return account !== undefined;
}

/** As they were before the request, while the old address still reaches them. */
async function findOwner({ body, context }: GenericEndpointContext) {
  const user =
    context.session?.user ?? (await context.internalAdapter.findUserByEmail(body.email))?.user;
  return user as Omit<Addressee & { id: string }, 'language'> | undefined;
}

/** Milliseconds. The last attempt is well within the ten minutes that a code is valid. */
const WAITS = [2_000, 10_000, 60_000, 240_000];

/** Tries to hand over an email until it is accepted. Never rejects: failures are logged. */
export async function deliver(
  send: () => Promise<void>,
  log: AuthLog,
  waits: readonly number[] = WAITS,
): Promise<void> {
  for (const wait of [...waits, null]) {
    try {
      return await send();
    } catch (error) {
      if (wait === null) return log.error({ err: error }, 'an email was given up');
      log.warn({ err: error }, 'an email was not accepted and will be tried again');
      await setTimeout(wait, undefined, { ref: false });
    }
  }
}
