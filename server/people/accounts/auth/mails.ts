import { setTimeout } from 'node:timers/promises';
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import type { Language } from '../../../../contract/languages.ts';
import type { Database } from '../../../ground/database/tables.ts';
import { readableAddress } from '../../../ground/lib/canonical-address.ts';
import type { Letter, SendLetter } from '../../../ground/lib/letter.ts';
import { listSecretKeys } from '../secret-keys.ts';
import { languageOfVisitor, readLanguage } from './account-language.ts';
import type { AuthLog } from './outages.ts';
import { listPasskeys } from './passkeys.ts';

/** Who is written to, and how. */
export interface Addressee {
  email: string;
  firstName: string;
  language: Language;
}

type Owner = Addressee & { id: string };

type Describe = (
  owner: Owner,
  ctx: GenericEndpointContext,
  db: Database,
) => Letter | Promise<Letter>;

const ownerFacts = ({ firstName, language }: Addressee) => ({ firstName, language });

/** One that says no more than what happened. */
const bareNotice =
  (mail: 'accountDeleted' | 'twoFactorOff' | 'passkeyAdded'): Describe =>
  (owner) => ({ to: owner.email, mail, facts: ownerFacts(owner) });

/** Which notice follows which request, unless that was refused. */
const NOTICES: Record<string, Describe> = {
  '/change-password': describePasswordChange,
  '/email-otp/reset-password': describePasswordChange,
  '/email-otp/change-email': (owner, { body }, db) => describeEmailChange(owner, body.newEmail, db),
  '/delete-user': bareNotice('accountDeleted'),
  '/two-factor/disable': bareNotice('twoFactorOff'),
  '/passkey/verify-registration': bareNotice('passkeyAdded'),
};

/** Notifies the owner by email of changes that someone else might have made. */
export function accountNotices(db: Database, sendLetter: SendLetter, log: AuthLog) {
  return {
    id: 'account-notices',
    hooks: {
      after: [
        {
          matcher: ({ path }) => path !== undefined && path in NOTICES,
          handler: createAuthMiddleware(async (ctx) => {
            if (isAPIError(ctx.context.returned)) return;
            const owner = await findOwner(ctx);
            if (!owner) return;
            // Who deleted the account is told in the language that it was done in.
            const language = (await readLanguage(db, owner.id)) ?? languageOfVisitor(ctx);
            const notice = await NOTICES[ctx.path]?.({ ...owner, language }, ctx, db);
            if (notice) void deliver(() => sendLetter(notice), log);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** A new password ends neither passkeys nor other ways to sign in, and secret keys by a code alone. */
async function describePasswordChange(
  owner: Owner,
  ctx: GenericEndpointContext,
  db: Database,
): Promise<Letter> {
  const passkeys = (await listPasskeys(ctx.context, owner.id)).length;
  const secretKeys = (await listSecretKeys(db, owner.id)).length;
  const accounts = await ctx.context.internalAdapter.findAccounts(owner.id);
  const providers = ctx.context.socialProviders
    .filter(({ id }) => accounts.some(({ providerId }) => providerId === id))
    .map(({ name }) => name);
  const byCode = ctx.path === '/email-otp/reset-password';
  const facts = {
    ...ownerFacts(owner),
    byCode,
    remaining: { passkeys, secretKeys, providers },
    holdsPayouts: await holdsPayouts(db, owner.id),
  };
  return { to: owner.email, mail: 'passwordChanged', facts };
}

/** For the old address. */
export async function describeEmailChange(
  owner: Owner,
  newEmail: string,
  db: Database,
): Promise<Letter> {
  const facts = {
    ...ownerFacts(owner),
    newEmail: readableAddress(newEmail),
    holdsPayouts: await holdsPayouts(db, owner.id),
  };
  return { to: owner.email, mail: 'emailChanged', facts };
}

/** Whether payouts go to an account of this owner: they are held after such a change. */
async function holdsPayouts(db: Database, ownerId: string): Promise<boolean> {
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
  return user as Omit<Owner, 'language'> | undefined;
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
