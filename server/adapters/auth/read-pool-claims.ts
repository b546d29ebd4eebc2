import type { OAuth2Tokens } from '@better-auth/core/oauth2';

/** Milliseconds. */
const PATIENCE = 5_000;

type Claims = Record<string, unknown>;

/**
 * What a user pool states of a person: by the ID token, whose signature was checked before, and by
 * its userinfo endpoint where the token tells no e-mail address.
 * @returns null when there is no such statement, or when it is about somebody else
 */
export async function readPoolClaims(
  { idToken, accessToken }: OAuth2Tokens,
  userInfoUrl: string | undefined,
): Promise<Claims | null> {
  const [, payload = ''] = idToken?.split('.') ?? [];
  const stated: Claims = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}');
  if (!stated.sub) return null;
  if (stated.email || !userInfoUrl || !accessToken) return stated;
  const response = await fetch(userInfoUrl, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(PATIENCE),
  });
  const told: Claims = response.ok ? await response.json() : {};
  // Another person's address must not be taken for this one's (OpenID Connect Core 5.3.2).
  return told.sub === stated.sub ? { ...told, ...stated } : null;
}
