import { afterAll, describe, expect, test } from 'vitest';
import { PASSWORD, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, postJson, readJson } from '../harness/person.ts';
import { createPoolAccount, readAttributes, signInByPool } from '../harness/pool-sign-in.ts';
import { useApp } from '../harness/use-app.ts';
import { startUserPool } from '../harness/user-pool.ts';

const pool = await startUserPool();
afterAll(() => pool.stop());

describe('a user pool as the only way in', () => {
  const app = useApp({ env: { ...pool.env, OIDC_ONLY: 'true', OIDC_NAME: 'Acme accounts' } });

  test.each([
    'sign-up/email',
    'sign-in/email',
    'email-otp/send-verification-otp',
    'email-otp/verify-email',
    'email-otp/request-password-reset',
    'email-otp/reset-password',
    'change-password',
    'two-factor/enable',
    'two-factor/verify-totp',
    'passkey/verify-registration',
    'passkey/verify-authentication',
  ])('shuts %s and says where to go', async (path) => {
    const answer = await postJson(createPerson(app), `/api/auth/${path}`, {
      email: 'ada@example.com',
      password: PASSWORD,
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: 'ONLY_USER_POOL',
      message: 'This is turned off here. Use “Sign in with Acme accounts” on the sign-in page.',
    });
  });

  test('takes over the accounts that had passwords before', { tags: 'long' }, async () => {
    app.env.OIDC_ONLY = 'false';
    await app.restart();
    const owner = await signUp(app);
    const { sub } = await readAttributes(owner);
    app.env.OIDC_ONLY = 'true';
    await app.restart();
    const { email } = owner;
    const person = createPerson(app);
    const signIn = await postJson(person, '/api/auth/sign-in/email', { email, password: PASSWORD });
    expect(signIn.status).toBe(403);
    await signInByPool(person, createPoolAccount(pool, { email }).login);
    expect((await readAttributes(person)).sub).toBe(sub);
  });

  test('shows one button on the login page, and signs out of both', { tags: 'long' }, async () => {
    const { login } = createPoolAccount(pool, { 'custom:first_name': 'Ada' });
    const page = await openPage(app);
    await page.goto('/login?mode=sign-up');
    const main = page.getByRole('main');
    await main.getByRole('button', { name: 'Sign in with Acme accounts', exact: true }).waitFor();
    expect(await main.getByRole('button').count()).toBe(1);
    expect(await main.getByRole('textbox').count()).toBe(0);
    expect(await main.getByRole('link').count()).toBe(0);

    const signIn = async () => {
      await main.getByRole('button', { name: 'Acme accounts' }).click();
      await page.getByLabel('Login').fill(login);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${app.origin}/dashboard`);
    };
    await signIn();
    await page.goto('/account/security');
    const sessions = main.getByRole('region', { name: 'Where you are signed in' });
    await sessions
      .getByText('Sign out any device you do not recognize or no longer use.')
      .waitFor();
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('button', { name: 'Sign out of the pool' }).click();
    await page.waitForURL(`${app.origin}/`);
    await page.goto('/login');
    // The pool asks again who is there.
    await signIn();
  });

  test('lets a person sign out while the pool is down', { tags: 'long' }, async () => {
    const person = createPerson(app);
    await signInByPool(person, createPoolAccount(pool).login);
    await pool.stop();
    await app.restart();
    const answer = await postJson(person, '/api/auth/sign-out', {});
    expect(await readJson(answer)).toEqual({ success: true });
    expect((await person.fetch('/api/user-attributes')).status).toBe(401);
    await pool.start();
  });
});
