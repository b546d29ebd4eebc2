import type { OAuth2Tokens, OAuthAccountKeyContext, OAuthProvider } from '@better-auth/core/oauth2';
import type { AuthContext, BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import { dropUnproven } from './address-proof.ts';
import { type AccountMails, deliver } from './mails.ts';
import type { AuthLog } from './outages.ts';
import { USER_POOL_ID } from './user-pool.ts';

type ValidateUserInfo = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>;

/**
 * What holds for accounts that come from a provider, whichever it is: only an address that the
 * provider states as verified makes an account or joins one. Goes after the plugins that add
 * providers.
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
            // The table wants a first name; a person without one is asked for it after signing in.
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
 * Leaves the word on unverified addresses to refuseEntry, which gives the same answer whether
 * or not there is an account.
 */
export const LINKING = {
  trustedProviders: [USER_POOL_ID, 'google', 'github'],
} satisfies NonNullable<BetterAuthOptions['account']>['accountLinking'];

/**
 * Who may not come in by a provider. One that signed in before is known by its subject, not by its
 * address, and was let in then.
 */
function refuseEntry({ passwords }: FollowOptions): ValidateUserInfo {
  return async ({ user, source }, { context }) => {
    if (source.method !== 'oauth' || source.action === 'sign-in') return;
    if (!user.emailVerified) return { error: 'email_not_verified' };
    if (source.action !== 'link-account' || !passwords) return;
    // Nobody but the owner, who passes both factors, may open a way in that asks for neither.
    const joined = user.id && (await context.internalAdapter.findUserById(user.id));
    if (joined && 'twoFactorEnabled' in joined && joined.twoFactorEnabled) {
      return { error: 'two_factor_on' };
    }
  };
}

/** What a verified address changes here, before it is looked for among the accounts. */
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
      // Someone else may have signed up with it before its owner comes by a provider.
      await dropUnproven(ctx.adapter, email);
      const profile = { tokens, profile: found.data };
      await followAddress(ctx, provider, profile, email.toLowerCase(), following);
      return found;
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
 * Nothing here speaks to a provider in a person's name: what is not kept cannot be stolen. The ID
 * token, which opens nothing, tells a user pool later whom to sign out; no other provider is told.
 */
async function withoutTokens<Account extends { providerId?: string }>(account: Account) {
  const none = { accessToken: null, refreshToken: null };
  const isOfPool = account.providerId === USER_POOL_ID;
  return { data: { ...account, ...none, ...(!isOfPool && { idToken: null }) } };
}

interface FollowOptions {
  /** False where nobody can use a password. */
  passwords: boolean;
  mails: AccountMails;
  log: AuthLog;
}

/**
 * Takes over the address that a provider has verified for an account that signs in by it and by no
 * password: such a person changes the address there. The old address is told.
 * @param profile what the provider stated, as its `accountSubject` reads it.
 */
async function followAddress(
  { internalAdapter }: AuthContext,
  { id: providerId, accountSubject }: OAuthProvider,
  profile: OAuthAccountKeyContext,
  newEmail: string,
  { passwords, mails, log }: FollowOptions,
): Promise<void> {
  const accountId = String(await accountSubject(profile));
  const owner = await internalAdapter.findAccountOwnerByKey({ providerId, accountId });
  if (owner?.kind !== 'owned' || owner.user.email === newEmail) return;
  const { id, email } = owner.user;
  if (passwords && (await internalAdapter.findCredentialAccount(id))?.password) return;
  if (await internalAdapter.findUserByEmail(newEmail)) return;
  await internalAdapter.updateUser(id, { email: newEmail });
  const { firstName } = owner.user as typeof owner.user & { firstName: string };
  void deliver(() => mails.sendNotice(email, { kind: 'email-changed', newEmail }, firstName), log);
}
