import { z } from 'zod';

/** Milliseconds. */
const PATIENCE = 5_000;

const documentSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

export interface DiscoveredPool {
  discoveryUrl: string;
  userInfoUrl: string | undefined;
  /** How the client secret is sent. */
  authentication: 'basic' | 'post';
}

/**
 * Asks a user pool where its parts are (OpenID Connect Discovery 1.0).
 * @throws Error saying why the pool cannot be used
 */
export async function discoverPool(issuer: string): Promise<DiscoveredPool> {
  const discoveryUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(discoveryUrl, { signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok) throw new Error(`${discoveryUrl} answered ${response.status}`);
  const parsed = documentSchema.safeParse(await response.json());
  if (!parsed.success) {
    throw new Error(`${discoveryUrl} is no discovery document: ${z.prettifyError(parsed.error)}`);
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
    authentication: methods.includes('client_secret_basic') ? 'basic' : 'post',
  };
}
