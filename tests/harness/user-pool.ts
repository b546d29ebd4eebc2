import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import { findFreePort } from './free-port.ts';

export interface PoolAccount {
  email?: string;
  email_verified?: boolean;
  'custom:first_name'?: string;
  given_name?: string;
  name?: string;
}

export type UserPool = {
  issuer: string;
  /** Settings of a product that uses this pool. */
  env: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string };
  /** Who may sign in, by their subject, which is their login as well. */
  accounts: Map<string, PoolAccount>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const CLIENT_ID = 'padlink';
const INTERACTION = /^\/interaction\/[\w-]+/;
const OURS = { callback: '/api/auth/callback/oidc', signedOut: '/' };

/** A real OpenID Connect server on 127.0.0.1, for products on localhost at any port. */
export async function startUserPool(): Promise<UserPool> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const accounts = new Map<string, PoolAccount>();
  const secret = randomBytes(16).toString('hex');
  const provider = createProvider(issuer, secret, accounts);
  const handle = provider.callback();
  const server = createServer((request, response) => {
    if (!INTERACTION.test(request.url ?? '')) return void handle(request, response);
    interact(provider, request, response).catch((error) => response.destroy(error));
  });
  const pool: UserPool = {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: secret },
    accounts,
    async start() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async stop() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  await pool.start();
  return pool;
}

function createProvider(issuer: string, secret: string, accounts: Map<string, PoolAccount>) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: secret,
        redirect_uris: [`http://localhost${OURS.callback}`],
        post_logout_redirect_uris: [`http://localhost${OURS.signedOut}`],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['custom:first_name', 'given_name', 'name'],
    },
    findAccount: (_ctx, id) => {
      const account = accounts.get(id);
      return account && { accountId: id, claims: async () => ({ sub: id, ...account }) };
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: askWhetherToSignOut },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    // Nobody is asked whether the product may know them: everybody has agreed.
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: CLIENT_ID,
        accountId: ctx.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  // The products of the tests listen wherever there is room; everything but the port is exact.
  const isOurs = (path: string) => (uri: string) => {
    const url = new URL(uri);
    return url.hostname === 'localhost' && url.href === `${url.origin}${path}`;
  };
  provider.Client.prototype.redirectUriAllowed = isOurs(OURS.callback);
  provider.Client.prototype.postLogoutRedirectUriAllowed = isOurs(OURS.signedOut);
  return provider;
}

function askWhetherToSignOut(ctx: { body: unknown }, form: string): void {
  ctx.body = writePage(`${form}<button form="op.logoutForm" name="logout" value="yes">
    Sign out of the pool</button>`);
}

function writePage(body: string): string {
  return `<!doctype html><html lang="en"><title>User pool</title>
    <link rel="icon" href="data:,">${body}</html>`;
}

/** The pool's own page: who are you, or never mind. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      writePage(`<form method="post"><label>Login <input name="login"></label>
        <button>Sign in</button><button name="cancel" value="yes">Cancel</button></form>`),
    );
    return;
  }
  const form = new URLSearchParams(await text(request));
  const result = form.has('cancel')
    ? { error: 'access_denied', error_description: '<b>Never mind</b>' }
    : { login: { accountId: form.get('login') ?? '' } };
  await provider.interactionFinished(request, response, result, {
    mergeWithLastSubmission: false,
  });
}
