import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeToken } from './write-token.ts';

export type SocialProvider = 'google' | 'github';

/** Somebody's account at a provider. */
export interface SocialAccount {
  id: number;
  name: string | null;
  email: string;
  verified: boolean;
  /** Off: GitHub names the address among the account's addresses only. */
  publicEmail: boolean;
}

/** What a code was given for. */
interface Grant {
  account: SocialAccount;
  clientId: string;
  redirectUri: string;
  challenge: string;
}

type Fault = 'none' | 'profile down' | 'addresses refused';
type Answer = { status?: number; body: object };
type Request = { headers: IncomingMessage['headers']; form: URLSearchParams };

const clientOf = (provider: SocialProvider) => ({
  id: `${provider}-client`,
  secret: `${provider}-client-secret`,
});

/**
 * Google and GitHub on this machine: the tokens, profile and addresses that the product asks them
 * for. Their addresses are fixed, so this process's requests to them are led here until `stop`.
 */
export async function startSocialProviders() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  const accounts = new Map<string, SocialAccount>();
  /** Every token that was ever given out. */
  const tokens: string[] = [];
  let fault: Fault = 'none';

  function giveToken(kind: string): string {
    const token = `${kind}-${randomBytes(16).toString('hex')}`;
    tokens.push(token);
    return token;
  }

  /** The grant of a code that is right in every way; each code works once. */
  function redeem(provider: SocialProvider, form: URLSearchParams): Grant | null {
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const client = clientOf(provider);
    const verifier = form.get('code_verifier') ?? '';
    const isRight =
      form.get('client_id') === client.id &&
      form.get('client_secret') === client.secret &&
      grant?.clientId === client.id &&
      form.get('redirect_uri') === grant.redirectUri &&
      createHash('sha256').update(verifier).digest('base64url') === grant.challenge;
    return isRight ? grant : null;
  }

  function ownerOf({ headers }: Request): SocialAccount | undefined {
    // GitHub answers nobody who does not say what program asks.
    if (!headers['user-agent']) return undefined;
    return accounts.get(headers.authorization?.replace(/^Bearer /, '') ?? '');
  }

  const endpoints: Record<string, (request: Request) => Answer> = {
    'oauth2.googleapis.com/token'({ form }) {
      const account = redeem('google', form)?.account;
      if (!account) return { status: 400, body: { error: 'invalid_grant' } };
      const { id, email, verified, name } = account;
      const seconds = Math.floor(Date.now() / 1_000);
      const claims = {
        iss: 'https://accounts.google.com',
        aud: clientOf('google').id,
        sub: String(id),
        iat: seconds,
        exp: seconds + 3_600,
        email,
        email_verified: verified,
        ...(name && { name, given_name: name.split(' ')[0] }),
      };
      const idToken = writeToken(claims, 'RS256', privateKey);
      tokens.push(idToken);
      return {
        body: {
          access_token: giveToken('google-access'),
          refresh_token: giveToken('google-refresh'),
          id_token: idToken,
          token_type: 'Bearer',
          expires_in: 3_599,
          scope: 'openid email profile',
        },
      };
    },
    'github.com/login/oauth/access_token'({ form }) {
      const grant = redeem('github', form);
      // It says so with status 200.
      if (!grant) return { body: { error: 'bad_verification_code' } };
      const token = giveToken('github-access');
      accounts.set(token, grant.account);
      return {
        body: { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' },
      };
    },
    'api.github.com/user'(request) {
      const account = ownerOf(request);
      if (!account) return { status: 401, body: { message: 'Requires authentication' } };
      const { id, name, email, publicEmail } = account;
      return { body: { id, login: `octocat-${id}`, name, email: publicEmail ? email : null } };
    },
    'api.github.com/user/emails'(request) {
      const account = ownerOf(request);
      if (!account || fault === 'addresses refused') {
        return { status: 403, body: { message: 'Resource not accessible' } };
      }
      const { id, email, verified } = account;
      const noReply = `${id}+octocat@users.noreply.github.com`;
      return {
        body: [
          { email: noReply, primary: false, verified: true, visibility: null },
          { email, primary: true, verified, visibility: 'private' },
        ],
      };
    },
  };

  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const endpoint = request.url?.slice(1) ?? '';
    if (fault === 'profile down' && endpoint === 'api.github.com/user') {
      request.socket.destroy();
      return;
    }
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const { status, body } = endpoints[endpoint]?.({ headers: request.headers, form }) ?? {
      status: 404,
      body: {},
    };
    response.writeHead(status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const hosts = new Set(Object.keys(endpoints).map((endpoint) => endpoint.split('/')[0]));
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const { host, pathname } = new URL(input instanceof globalThis.Request ? input.url : input);
    return hosts.has(host)
      ? fetch(`http://127.0.0.1:${port}/${host}${pathname}`, init)
      : fetch(input, init);
  };

  return {
    env: {
      GOOGLE_CLIENT_ID: clientOf('google').id,
      GOOGLE_CLIENT_SECRET: clientOf('google').secret,
      GITHUB_CLIENT_ID: clientOf('github').id,
      GITHUB_CLIENT_SECRET: clientOf('github').secret,
    },
    tokens: tokens as readonly string[],
    /** Signs in and consents at the provider's own page. Returns where that leads back to. */
    consent(authorize: URL, account: SocialAccount): URL {
      const asked = (name: string) => authorize.searchParams.get(name) ?? '';
      const code = randomBytes(12).toString('hex');
      grants.set(code, {
        account,
        clientId: asked('client_id'),
        redirectUri: asked('redirect_uri'),
        challenge: asked('code_challenge'),
      });
      const callback = new URL(asked('redirect_uri'));
      callback.search = new URLSearchParams({ code, state: asked('state') }).toString();
      return callback;
    },
    /** From now on, until the next call. */
    fail(next: Fault): void {
      fault = next;
    },
    stop(): void {
      globalThis.fetch = fetch;
      server.closeAllConnections();
      server.close();
    },
  };
}
