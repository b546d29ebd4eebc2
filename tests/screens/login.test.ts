import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PASSWORD, readCode, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';
import { expectFault } from './expect-fault.ts';
import { noteStatuses } from './note-statuses.ts';

describe('the login screen', () => {
  const app = useApp();

  const newEmail = () => `${randomBytes(6).toString('hex')}@example.com`;
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
  const create = (page: Page) => page.getByRole('button', { name: 'Create account' });

  /** The form to sign up, filled in so that it could be sent. */
  async function openSignUp(email = newEmail()): Promise<Page> {
    const page = await openPage(app);
    await page.goto('/login');
    await waitUntilAlive(page);
    await page.getByRole('link', { name: 'Create account' }).click();
    await field(page, 'First Name').fill('Dorothy');
    await field(page, 'Email').fill(email);
    await field(page, 'Password').fill(PASSWORD);
    await field(page, 'Confirm Password').fill(PASSWORD);
    return page;
  }

  async function expectRefusal(page: Page, name: string, message: string): Promise<void> {
    await create(page).click();
    await expectFault(page, field(page, name), message);
  }

  test('offers to sign in and to sign up', async () => {
    const page = await openPage(app);
    await page.goto('/login');
    await waitUntilAlive(page);
    expect(await page.title()).toBe('Login · Padlink');
    expect(await field(page, 'First Name').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Create account' }).click();
    await field(page, 'First Name').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await field(page, 'First Name').waitFor({ state: 'detached' });
  });

  test('asks for a First Name, which is required', { tags: 'long' }, async () => {
    const page = await openSignUp();
    const firstName = field(page, 'First Name');
    expect(await firstName.getAttribute('required')).not.toBeNull();
    for (const empty of ['', '   ']) {
      await firstName.fill(empty);
      await expectRefusal(page, 'First Name', 'Enter your first name.');
    }
    await firstName.fill('Dorothy');
    await create(page).click();
    await field(page, 'Code').waitFor();
  });

  test.each([
    ['fewer than 8 characters', 'Abcde-7', 'The password needs at least 8 characters.'],
    ['no lowercase letter', 'CORRECT-HORSE-7', 'The password needs a lowercase letter.'],
    ['no uppercase letter', 'correct-horse-7', 'The password needs an uppercase letter.'],
    ['no number', 'Correct-horse', 'The password needs a number.'],
    ['no symbol', 'Correcthorse7', 'The password needs a symbol.'],
  ])(
    'refuses a password with %s and names what it needs',
    { tags: 'long' },
    async (_what, password, message) => {
      const page = await openSignUp();
      await field(page, 'Password').fill(password);
      await field(page, 'Confirm Password').fill(password);
      await expectRefusal(page, 'Password', message);
    },
  );

  test('refuses two passwords that differ and keeps what was typed', { tags: 'long' }, async () => {
    const email = newEmail();
    const page = await openSignUp(email);
    await field(page, 'Confirm Password').fill(`${PASSWORD}x`);
    await expectRefusal(page, 'Confirm Password', 'The passwords do not match.');
    expect(await field(page, 'First Name').inputValue()).toBe('Dorothy');
    expect(await field(page, 'Email').inputValue()).toBe(email);
    expect(await field(page, 'Password').inputValue()).toBe(PASSWORD);
    await field(page, 'Confirm Password').fill(PASSWORD);
    await create(page).click();
    await field(page, 'Code').waitFor();
  });

  test('stores the First Name as custom:first_name and the mailed code opens the dashboard', {
    tags: 'long',
  }, async () => {
    const email = newEmail();
    const page = await openSignUp(email);
    await create(page).click();
    await field(page, 'Code').fill(await readCode(app, email));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('/dashboard');
    await page.getByRole('heading', { name: 'Welcome back, Dorothy' }).waitFor();
    const attributes = await page.evaluate(async () =>
      (await fetch('/api/user-attributes')).json(),
    );
    expect(attributes).toEqual({
      email,
      'custom:first_name': 'Dorothy',
      sub: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    });
  });

  test('shows "Loading dashboard..." until the dashboard is there', { tags: 'long' }, async () => {
    const { email } = await signUp(app);
    const page = await openPage(app);
    const shown = await noteStatuses(page, 'main [role=status]');
    await page.goto('/login');
    await waitUntilAlive(page);
    await field(page, 'Email').fill(email);
    await field(page, 'Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('/dashboard');
    expect(shown).toContain('/login Loading dashboard...');
  });
});
