import type { OAuth2Tokens, OAuthProvider } from '@better-auth/core/oauth2';
import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { APIError } from 'better-auth/api';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { z } from 'zod';
import { pickFirstName } from '../first-name.ts';
import type { AuthLog } from './outages.ts';

export interface UserPoolSettings {
  /** Exactly as the pool states it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The label of its button. */
  name: string;
  /** Whether it is the only way in: then signing out here signs out there as well. */
  only: boolean;
}

/** Names the pool in `/api/auth/callback/oidc`, which operators register: never change it. */
export const USER_POOL_ID = 'oidc';

/**
 * Sign-in through any OpenID Connect provider. The pool's endpoints are discovered when first
 * needed, and again until it has answered: a pool that is down at the start stops nothing else.
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
            'The sign-in service cannot be reached right now. Please try again in a few minutes.',
        });
      });
      return provider.createAuthorizationURL(data);
    },
    async validateAuthorizationCode(data) {
      try {
        return await (await connect()).validateAuthorizationCode(data);
      } catch (error) {
        log.error({ err: error }, 'the user pool returned no tokens for a code');
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

/** Shares one attempt among all concurrent callers, and its result once it succeeds. */
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

/** How long it may take to answer. */
const ANSWER_MS = 5_000;

const documentSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

/**
 * Asks a user pool for its endpoints (OpenID Connect Discovery 1.0).
 * @throws Error saying why the pool cannot be used
 */
async function discoverPool(issuer: string) {
  const discoveryUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(discoveryUrl, { signal: AbortSignal.timeout(ANSWER_MS) });
  if (!response.ok) throw new Error(`${discoveryUrl} answered ${response.status}`);
  const parsed = documentSchema.safeParse(await response.json());
  if (!parsed.success) {
    const why = z.prettifyError(parsed.error);
    throw new Error(`${discoveryUrl} is not a discovery document: ${why}`);
  }
  const pool = parsed.data;
  if (pool.issuer !== issuer) {
    throw new Error(`OIDC_ISSUER is ${issuer}, but the pool calls itself ${pool.issuer}`);
  }
  // The standard's default is basic, which a pool need not list.
  const methods = pool.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return {
    discoveryUrl,
    userInfoUrl: pool.userinfo_endpoint,
    // How the client secret is sent.
    authentication: methods.includes('client_secret_basic') ? 'basic' : 'post',
  } as const;
}

type Claims = Record<string, unknown>;

/**
 * What a user pool states about a person: in the ID token, whose signature was checked before, and
 * at its userinfo endpoint if the token contains no email address.
 * @returns null if there is no such statement, or if it is about someone else
 */
async function readPoolClaims(
  { idToken, accessToken }: OAuth2Tokens,
  userInfoUrl: string | undefined,
): Promise<Claims | null> {
  const [, payload = ''] = idToken?.split('.') ?? [];
  const stated: Claims = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}');
  if (!stated.sub) return null;
  if (stated.email || !userInfoUrl || !accessToken) return stated;
  const response = await fetch(userInfoUrl, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const told: Claims = response.ok ? await response.json() : {};
  // Another person's address must not be taken for this one's (OpenID Connect Core 5.3.2).
  return told.sub === stated.sub ? { ...told, ...stated } : null;
}

/** The names in a service's claims about an account; empty if there are none. */
export function namesOf(claims: object) {
  const firstName = pickFirstName({ ...claims });
  return { firstName, name: firstName ?? '' };
}
