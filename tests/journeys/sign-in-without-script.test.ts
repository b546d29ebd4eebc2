import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createEmail, expectMails } from '../factories/account-requests.ts';
import { PASSWORD, readCode, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from './steps.ts';

const NEW_PASSWORD = 'Another-horse-8';

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('without JavaScript', () => {
  const app = useApp();

  test('an account is made, left, entered, and entered again by a new password', async () => {
    const page = await openPage(app, {
      javaScript: false,
      expectedErrors: /40[01] \/login\?.*/,
    });
    const email = createEmail();
    await page.goto('/upload');
    await page.waitForURL('/login?next=%2Fupload');
    await page.getByRole('link', { name: 'Create account' }).click();
    await field(page, 'First Name').fill('Ada');
    await field(page, 'Email').fill(email);
    await field(page, 'Password').fill(PASSWORD);
    await field(page, 'Confirm Password').fill('Wrong');
    await press(page, 'Create account');
    await page.getByRole('alert').getByText('The passwords do not match.').waitFor();
    expect(await field(page, 'First Name').inputValue()).toBe('Ada');
    expect(await field(page, 'Email').inputValue()).toBe(email);
    expect(await field(page, 'Password').inputValue()).toBe('');
    await field(page, 'Password').fill(PASSWORD);
    await field(page, 'Confirm Password').fill(PASSWORD);
    await press(page, 'Create account');

    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await expectMails(app.origin, email, 1);
    await page.reload();
    await page.getByText(`We sent a six-digit code to ${email}.`).waitFor();
    await expectMails(app.origin, email, 1);
    await field(page, 'Code').fill(await readCode(app, email));
    await press(page, 'Confirm');
    await page.waitForURL('/upload');
    // No form that was sent is sent again by going back to it.
    await page.goBack();
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Welcome back, Ada' }).waitFor();
    await press(page, 'Sign Out');
    await page.waitForURL('/');

    await page.goto('/login');
    await field(page, 'Email').fill(email);
    await field(page, 'Password').fill('Wrong-horse-7');
    await press(page, 'Sign in');
    await page.getByRole('alert').getByText('The email address or password is wrong.').waitFor();
    expect(await field(page, 'Email').inputValue()).toBe(email);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await field(page, 'Email').fill(email);
    await press(page, 'Send code');
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await expectMails(app.origin, email, 2);
    await field(page, 'Code').fill(await readCode(app, email));
    await field(page, 'Password').fill(NEW_PASSWORD);
    await field(page, 'Confirm Password').fill(NEW_PASSWORD);
    await press(page, 'Save new password');
    await page.waitForURL('/dashboard');
    await press(page, 'Sign Out');

    await page.goto('/login');
    await field(page, 'Email').fill(email);
    await field(page, 'Password').fill(NEW_PASSWORD);
    await press(page, 'Sign in');
    await page.waitForURL('/dashboard');
  });

  test('nothing is offered on the login page that needs it', async () => {
    const page = await openPage(app, { javaScript: false });
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(1);
  });
});

describe('before its scripts are there, the login page', () => {
  const app = useApp();

  /** The page while its scripts are on their way, and how to let them arrive. */
  async function openSlowly(path: string) {
    const page = await openPage(app);
    const held = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
    });
    await page.goto(path, { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, arrive: () => held.resolve() };
  }

  test('signs in by its form', async () => {
    const { email } = await signUp(app);
    const { page, arrive } = await openSlowly('/login?next=%2Fexplore');
    await field(page, 'Email').fill(email);
    await field(page, 'Password').fill(PASSWORD);
    await press(page, 'Sign in');
    await page.waitForURL('/explore', { waitUntil: 'commit' });
    arrive();
  });

  test('keeps what is typed', async () => {
    const { page, arrive } = await openSlowly('/login?mode=sign-up');
    await field(page, 'Email').fill('ada@example.com');
    await field(page, 'Password').fill('abc');
    arrive();
    await waitUntilAlive(page);
    expect(await field(page, 'Email').inputValue()).toBe('ada@example.com');
    expect(await field(page, 'Password').inputValue()).toBe('abc');
    await page.getByText('A lowercase letter, done').waitFor();
  });
});
