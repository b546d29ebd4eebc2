import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeToken } from './write-token.ts';

export interface Forgery {
  /** Over the claims of an honest ID token. */
  claims?: Record<string, unknown>;
  algorithm?: 'RS256' | 'none';
  /** Signed by a key that is not the pool's. */
  strangeKey?: boolean;
  /** An answer without any ID token. */
  withoutIdToken?: boolean;
}

export type ForgingPool = {
  issuer: string;
  clientId: string;
  /** The answer of the token endpoint from now on. */
  answerWith(claims: Record<string, unknown>, forgery: Forgery): void;
  stop(): void;
};

/** Discovery, keys and tokens of an OpenID Connect server that answers as it is told. */
export async function startForgingPool(): Promise<ForgingPool> {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const strange = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let answer: object = {};
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers()[request.url ?? '']));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers = (): Record<string, object> => ({
    '/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['RS256'],
    },
    '/keys': { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256' }] },
    '/token': answer,
    '/userinfo': { sub: 'eve', email: 'eve@example.com', email_verified: true },
  });
  return {
    issuer,
    clientId: 'padlink',
    answerWith(claims, { claims: over, algorithm = 'RS256', strangeKey, withoutIdToken }) {
      const seconds = Math.floor(Date.now() / 1_000);
      const honest = { iss: issuer, aud: 'padlink', iat: seconds, exp: seconds + 300, ...claims };
      const { privateKey } = strangeKey ? strange : own;
      const idToken = writeToken({ ...honest, ...over }, algorithm, privateKey);
      answer = {
        access_token: 'opaque',
        token_type: 'Bearer',
        ...(!withoutIdToken && { id_token: idToken }),
      };
    },
    stop: () => server.close(),
  };
}
