import type { OAuthProvider } from '@better-auth/core/oauth2';
import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { APIError } from 'better-auth/api';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { discoverPool } from './discover-pool.ts';
import type { AuthLog } from './log.ts';
import { namesOf } from './names-of.ts';
import { readPoolClaims } from './read-pool-claims.ts';

export interface UserPoolSettings {
  /** Exactly as the pool states it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The label of its button. */
  name: string;
  /** It is the only way in: signing out here signs out there as well. */
  only: boolean;
}

/** Names the pool in `/api/auth/callback/oidc`, which operators register: never change it. */
export const USER_POOL_ID = 'oidc';

/**
 * Sign-in by any OpenID Connect provider. The pool is asked where its parts are when it is first
 * needed, and again until it has answered: one that is down at the start stops nothing else.
 */
export function userPool(settings: UserPoolSettings, log: AuthLog) {
  return {
    id: 'user-pool',
    init(ctx) {
      const connect = once(async () => {
        try {
          return await connectPool(settings, ctx);
        } catch (error) {
          log.error({ err: error }, 'the user pool cannot be used');
          throw error;
        }
      });
      connect().catch(() => {});
      const provider = describePool(settings, log, connect);
      return { context: { socialProviders: [provider, ...ctx.socialProviders] } };
    },
  } satisfies BetterAuthPlugin;
}

async function connectPool(settings: UserPoolSettings, ctx: AuthContext): Promise<OAuthProvider> {
  const pool = await discoverPool(settings.issuer);
  const { context } = await genericOAuth({
    config: [
      {
        ...pool,
        providerId: USER_POOL_ID,
        clientId: settings.clientId,
        clientSecret: settings.clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        async getUserInfo(tokens) {
          const claims = await readPoolClaims(tokens, pool.userInfoUrl);
          return claims && { ...claims, emailVerified: isTrue(claims.email_verified) };
        },
        mapProfileToUser: namesOf,
      },
    ],
  }).init(ctx);
  const provider = context.socialProviders.find(({ id }) => id === USER_POOL_ID);
  if (!provider) throw new Error('its discovery document could not be used');
  return provider;
}

function describePool(
  { issuer, name, only }: UserPoolSettings,
  log: AuthLog,
  connect: () => Promise<OAuthProvider>,
): OAuthProvider<Record<string, unknown>> {
  return {
    id: USER_POOL_ID,
    name,
    issuer,
    requiresIdTokenNonce: true,
    // A subject means something within its issuer only.
    accountSubject: ({ profile }) => (profile.sub ? `${issuer}#${profile.sub}` : ''),
    async createAuthorizationURL(data) {
      const provider = await connect().catch(() => {
        throw APIError.from('SERVICE_UNAVAILABLE', {
          code: 'USER_POOL_UNREACHABLE',
          message:
            'The sign-in service cannot be reached just now. Please try again in a few minutes.',
        });
      });
      return provider.createAuthorizationURL(data);
    },
    async validateAuthorizationCode(data) {
      try {
        return await (await connect()).validateAuthorizationCode(data);
      } catch (error) {
        log.error({ err: error }, 'the user pool gave no tokens for a code');
        throw error;
      }
    },
    async getUserInfo(tokens) {
      // Without it neither issuer, audience nor nonce would have been checked.
      if (!tokens.idToken) return null;
      const found = await (await connect()).getUserInfo(tokens);
      return found && { user: found.user, data: { ...found.data } };
    },
    async createEndSessionURL(data) {
      return only ? ((await (await connect()).createEndSessionURL?.(data)) ?? null) : null;
    },
  };
}

/** Shares one attempt among all who ask meanwhile, and its result once it succeeded. */
function once<Result>(attempt: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  return () => {
    running ??= attempt().catch((error: unknown) => {
      running = null;
      throw error;
    });
    return running;
  };
}

/** Amazon Cognito's userinfo endpoint answers with the text. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === 'true';
}
