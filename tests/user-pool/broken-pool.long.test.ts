import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signUp } from '../factories/factories.ts';
import { createPerson } from '../harness/person.ts';
import { createPoolAccount, signInByPool, startSignIn } from '../harness/pool-sign-in.ts';
import { spawnApp } from '../harness/spawn-app.ts';
import { startUserPool } from '../harness/user-pool.ts';

/** A web server on localhost that answers every request with the same JSON. */
async function serve(status: number, answer: object): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function useApp(env: Record<string, string>) {
  const app = await spawnApp({
    env: { OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'secret-of-the-client', ...env },
  });
  onTestFinished(async () => {
    await app.stop();
    expect(app.output()).not.toContain('secret-of-the-client');
  });
  return app;
}

describe('a user pool that cannot be used', () => {
  const issuer = 'https://id.example.com';
  test.each([
    ['nobody answers there', async () => 'http://127.0.0.1:1', /ECONNREFUSED|bad port/],
    ['it has no discovery document', () => serve(404, {}), /openid-configuration answered 404/],
    ['it is no user pool', () => serve(200, { hello: 'world' }), /is not a discovery document/],
    [
      'it calls itself something else',
      () =>
        serve(200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
        }),
      /OIDC_ISSUER is http:\/\/127.+, but the pool calls itself https:\/\/id\.example\.com/,
    ],
  ])('because %s leaves passwords working, and the log says why', async (_how, find, why) => {
    const app = await useApp({ LOG_LEVEL: 'error', OIDC_ISSUER: await find() });
    await expect(startSignIn(createPerson(app))).rejects.toThrow(
      / 503: .*The sign-in service cannot be reached right now\. Please try again in a few minutes\./,
    );
    // The log of another process comes when it comes.
    await expect.poll(app.output).toContain('the user pool cannot be used');
    await expect.poll(app.output).toMatch(why);
    await signUp(app);
  });

  test('because the client secret is wrong leads back to the login page, and the log says why', async () => {
    const pool = await startUserPool();
    onTestFinished(() => pool.stop());
    const app = await useApp({ ...pool.env, LOG_LEVEL: 'error', OIDC_CLIENT_SECRET: 'wrong' });
    const { login } = createPoolAccount(pool);
    expect(await signInByPool(createPerson(app), login)).toBe(
      '/login?next=%2Fdashboard&error=invalid_code',
    );
    await expect.poll(app.output).toContain('invalid_client');
  });
});
