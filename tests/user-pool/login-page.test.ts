import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { createPoolAccount } from '../harness/pool-sign-in.ts';
import { useApp } from '../harness/use-app.ts';
import { startUserPool } from '../harness/user-pool.ts';
import { waitUntilAlive } from '../journeys/steps.ts';

const pool = await startUserPool();
afterAll(() => pool.stop());

async function goToPool(page: Page, path = '/login'): Promise<void> {
  await page.goto(path);
  await waitUntilAlive(page);
  await page.getByRole('button', { name: 'Acme accounts' }).click();
  await page.waitForURL(`${pool.issuer}/**`);
}

async function signInAtPool(page: Page, login: string): Promise<void> {
  await page.getByLabel('Login').fill(login);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('the login page with a user pool', () => {
  const app = useApp({ env: { ...pool.env, OIDC_NAME: 'Acme accounts' } });

  // The pool is on 127.0.0.1 and the product on localhost: other sites, as in real life.
  test('leads to the pool and back to the dashboard, which greets by first name', {
    tags: 'long',
  }, async () => {
    const { login } = createPoolAccount(pool, { 'custom:first_name': 'Ada' });
    const page = await openPage(app);
    await goToPool(page);
    await signInAtPool(page, login);
    await page.waitForURL(`${app.origin}/dashboard`);
    await page.getByRole('heading', { name: 'Welcome back, Ada' }).waitFor();
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.waitForURL(`${app.origin}/`);
    await page.getByRole('link', { name: 'Login' }).waitFor();
  });

  test('leads back to the page that asked for the sign-in', { tags: 'long' }, async () => {
    const { login } = createPoolAccount(pool, { 'custom:first_name': 'Ada' });
    const page = await openPage(app);
    await page.goto('/upload');
    await page.waitForURL('/login?next=%2Fupload');
    await goToPool(page, page.url());
    await signInAtPool(page, login);
    await page.waitForURL(`${app.origin}/upload`);
  });

  test('asks who came without a first name for it, before anything else', {
    tags: 'long',
  }, async () => {
    const { login } = createPoolAccount(pool);
    const page = await openPage(app, { expectedErrors: /400 \/api\/auth\/update-user/ });
    await goToPool(page);
    await signInAtPool(page, login);
    await page.waitForURL(`${app.origin}/login?next=%2Fdashboard`);
    await waitUntilAlive(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').filter({ hasText: 'Enter your first name.' }).waitFor();
    await page.getByLabel('First Name').fill('x'.repeat(61));
    await waitUntilAlive(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').filter({ hasText: 'can have at most 60 characters' }).waitFor();
    await page.getByLabel('First Name').fill('Grace');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${app.origin}/dashboard`);
    await page.getByRole('heading', { name: 'Welcome back, Grace' }).waitFor();
  });

  test('says that the sign-in was canceled at the pool, in its own words only', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app);
    await goToPool(page, '/login?next=%2Fupload');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(`${app.origin}/login?next=%2Fupload&error=access_denied**`);
    const said = await page.getByRole('alert').textContent();
    expect(said).toBe('The sign-in was canceled. You can try again at any time.');
    await page.getByLabel('Password').waitFor();
  });

  test('says that an unconfirmed address at the pool cannot be used', {
    tags: 'long',
  }, async () => {
    const { login } = createPoolAccount(pool, { email_verified: false });
    const page = await openPage(app);
    await goToPool(page);
    await signInAtPool(page, login);
    await page.waitForURL(`${app.origin}/login?**`);
    const said = await page.getByRole('alert').textContent();
    expect(said).toBe(
      'The email address of that account is not confirmed. Confirm it there, then sign in again.',
    );
  });

  test.each([
    [
      'state_mismatch',
      'That sign-in took too long or was started in another browser. Please try again.',
    ],
    ['<b>unknown</b>&error_description=Call+0900', 'Sign-in failed. Please try again.'],
  ])(
    'says in its own words what the code %s in its address means',
    { tags: 'long' },
    async (code, words) => {
      const page = await openPage(app);
      await page.goto(`/login?error=${code}`);
      expect(await page.getByRole('alert').textContent()).toBe(words);
      expect(await page.getByText('0900').count()).toBe(0);
    },
  );

  test('says that the pool cannot be reached, and works once it can', async () => {
    await pool.stop();
    await app.restart();
    const page = await openPage(app, { expectedErrors: /503 \/api\/auth\/sign-in\/social/ });
    await page.goto('/login');
    await waitUntilAlive(page);
    const button = page.getByRole('button', { name: 'Acme accounts' });
    await button.click();
    const said = await page.getByRole('alert').textContent();
    expect(said).toBe(
      'The sign-in service cannot be reached right now. Please try again in a few minutes.',
    );
    await pool.start();
    await button.click();
    await page.waitForURL(`${pool.issuer}/**`);
  });
});
