import { describe, expect, test } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { createPerson } from '../harness/person.ts';
import { startSignIn } from '../harness/pool-sign-in.ts';
import { useApp } from '../harness/use-app.ts';

describe('social sign-in', () => {
  const app = useApp({
    env: {
      GOOGLE_CLIENT_ID: 'google-client',
      GOOGLE_CLIENT_SECRET: 'google-secret',
      GITHUB_CLIENT_ID: 'github-client',
      GITHUB_CLIENT_SECRET: 'github-secret',
    },
  });

  test.each([
    ['google', 'https://accounts.google.com/o/oauth2/v2/auth', 'email profile openid'],
    ['github', 'https://github.com/login/oauth/authorize', 'read:user user:email'],
  ])('by %s leads to its own page, with PKCE and a state', async (provider, address, scope) => {
    const url = await startSignIn(createPerson(app), { provider });
    expect(url.origin + url.pathname).toBe(address);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: `${provider}-client`,
      redirect_uri: `${app.origin}/api/auth/callback/${provider}`,
      scope,
      state: expect.stringMatching(/^[\w-]{32,}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(url.href).not.toContain('secret');
  });

  test.each([
    ['Google', 'https://accounts.google.com/**'],
    ['GitHub', 'https://github.com/**'],
  ])(
    'has a button for %s on the login page, below the password',
    { tags: 'long' },
    async (name, address) => {
      const page = await openPage(app);
      // Nothing leaves this machine.
      await page.route(address, (route) => route.fulfill({ body: 'There' }));
      await page.goto('/login');
      await page.getByLabel('Password').waitFor();
      await page.getByRole('button', { name: `Continue with ${name}` }).click();
      await page.waitForURL(address);
      await page.getByText('There').waitFor();
    },
  );
});

describe('without providers', () => {
  const app = useApp();

  test('the login page offers the password alone', async () => {
    const page = await openPage(app);
    await page.goto('/login');
    await page.getByLabel('Password').waitFor();
    expect(await page.getByRole('button', { name: /Continue with|sign-on/ }).count()).toBe(0);
    expect(await page.getByText('or', { exact: true }).count()).toBe(0);
  });
});
