import { getCurrentAuthEndpointContext } from '@better-auth/core/context';
import type { OAuth2Tokens, OAuthProvider } from '@better-auth/core/oauth2';
import type { AuthContext, BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { Database } from '../../../ground/database/tables.ts';
import { canonicalAddress } from '../../../ground/lib/canonical-address.ts';
import type { SendLetter } from '../../../ground/lib/letter.ts';
import { dropUnproven } from './address-proof.ts';
import { type Addressee, deliver, describeEmailChange } from './mails.ts';
import type { AuthLog } from './outages.ts';
import type { FindObstacle } from './sign-up-door.ts';
import { USER_POOL_ID } from './user-pool.ts';

type ValidateUserInfo = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>;

/**
 * The rules for accounts from any sign-in service: only an address that the service states as
 * verified creates or joins an account. Must follow the plugins that add services.
 */
export function providerAccounts(following: FollowOptions) {
  return {
    id: 'provider-accounts',
    init(ctx) {
      const socialProviders = ctx.socialProviders.map((provider) =>
        heedAddress(provider, ctx, following),
      );
      return {
        context: { socialProviders },
        options: {
          user: { validateUserInfo: refuseEntry(following) },
          databaseHooks: {
            // The table requires a first name; people without one are asked for it after signing
            // in.
            user: {
              create: {
                before: async (user) => ({
                  data: { ...user, firstName: 'firstName' in user ? (user.firstName ?? '') : '' },
                }),
              },
            },
            account: { create: { before: withoutTokens }, update: { before: withoutTokens } },
          },
        },
      };
    },
  } satisfies BetterAuthPlugin;
}

/**
 * Leaves unverified addresses to refuseEntry, which gives the same answer whether or not there is
 * an account.
 */
export const LINKING = {
  trustedProviders: [USER_POOL_ID, 'google', 'github'],
} satisfies NonNullable<BetterAuthOptions['account']>['accountLinking'];

/**
 * Who may not sign in through a service. Someone who signed in before is known by subject, not by
 * address, and was admitted then.
 */
function refuseEntry({ passwords }: FollowOptions): ValidateUserInfo {
  return async ({ user, source }, { context }) => {
    if (source.method !== 'oauth' || source.action === 'sign-in') return;
    if (!user.emailVerified) return { error: 'email_not_verified' };
    if (source.action !== 'link-account' || !passwords) return;
    // Only the owner, who passes both factors, may add a way in that asks for neither.
    const joined = user.id && (await context.internalAdapter.findUserById(user.id));
    if (joined && 'twoFactorEnabled' in joined && joined.twoFactorEnabled) {
      return { error: 'two_factor_on' };
    }
  };
}

/** What a verified address changes here before the accounts are searched for it. */
function heedAddress(
  provider: OAuthProvider,
  ctx: AuthContext,
  following: FollowOptions,
): OAuthProvider {
  return {
    ...provider,
    async getUserInfo(tokens) {
      const found = await askWho(provider, tokens, following.log);
      const { email, emailVerified } = found?.user ?? {};
      if (!found || !email || !emailVerified) return found;
      // Someone else may have signed up with it before its owner arrives through a service.
      const address = canonicalAddress(email);
      await dropUnproven(ctx.adapter, address);
      const accountId = String(await provider.accountSubject({ tokens, profile: found.data }));
      const key = { providerId: provider.id, accountId };
      const owner = await ctx.internalAdapter.findAccountOwnerByKey(key);
      if (owner?.kind === 'owned') {
        const user = owner.user as typeof owner.user & Addressee;
        await followAddress(ctx, user, address, following);
      }
      // Here and not where the account is made: that is within a transaction of the library's.
      else if (!(await ctx.internalAdapter.findUserByEmail(address))) {
        const code = await following.findObstacle(address, await getCurrentAuthEndpointContext());
        if (code) throw APIError.from('FORBIDDEN', { code, message: 'Sign-up refused' });
      }
      return { ...found, user: { ...found.user, email: address } };
    },
  };
}

/** @returns null, which leads back to the login page, when the provider does not answer */
async function askWho(provider: OAuthProvider, tokens: OAuth2Tokens, log: AuthLog) {
  try {
    return await provider.getUserInfo(tokens);
  } catch (error) {
    log.error({ err: error, provider: provider.id }, 'a provider did not say who signed in');
    return null;
  }
}

/**
 * Nothing here calls a sign-in service on a person's behalf, and what is not stored cannot be
 * stolen. The ID token, which gives access to nothing, later tells a user pool whom to sign out; no
 * other service is told.
 */
async function withoutTokens<Account extends { providerId?: string }>(account: Account) {
  const none = { accessToken: null, refreshToken: null };
  const isOfPool = account.providerId === USER_POOL_ID;
  return { data: { ...account, ...none, ...(!isOfPool && { idToken: null }) } };
}

interface FollowOptions {
  db: Database;
  /** False where nobody can use a password. */
  passwords: boolean;
  /** Why nobody new may sign up with this address; null when they may. */
  findObstacle: FindObstacle;
  sendLetter: SendLetter;
  log: AuthLog;
}

/**
 * Copies the address that a sign-in service has verified, for an account that signs in through it
 * and has no password: such people change the address there. The old address is notified.
 */
async function followAddress(
  { internalAdapter }: AuthContext,
  owner: Addressee & { id: string },
  newEmail: string,
  { db, passwords, sendLetter, log }: FollowOptions,
): Promise<void> {
  const { id, email } = owner;
  if (email === newEmail) return;
  if (passwords && (await internalAdapter.findCredentialAccount(id))?.password) return;
  if (await internalAdapter.findUserByEmail(newEmail)) return;
  await internalAdapter.updateUser(id, { email: newEmail });
  const notice = await describeEmailChange(owner, newEmail, db);
  void deliver(() => sendLetter(notice), log);
}
