import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../factories/factories.ts';
import { askForAccount, givePasswordOnPage, waitUntilAlive } from '../journeys/steps.ts';
import type { State } from './state.ts';

const createEmail = () => `${randomBytes(6).toString('hex')}@example.com`;
const visit = () => ({ path: '/login' });
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

/** By the page's script: before it is alive, the server would answer. */
async function press(page: Page, name: string): Promise<void> {
  await waitUntilAlive(page);
  await page.getByRole('button', { name, exact: true }).click();
}

export const LOGIN_STATES: State[] = [
  { name: 'login', visit },
  { name: 'login-sign-up', visit: () => ({ path: '/login?mode=sign-up' }) },
  {
    name: 'login-empty-fields',
    visit,
    async arrange(page) {
      await press(page, 'Sign in');
      await page.getByText('Enter your password.').waitFor();
    },
  },
  {
    name: 'login-refused',
    visit,
    async arrange(page) {
      await page.getByLabel('Email').fill(createEmail());
      await page.getByLabel('Password', { exact: true }).fill('Wrong-horse-7');
      await press(page, 'Sign in');
      await page.getByRole('alert').waitFor();
    },
    expectedErrors: /401 \/api\/auth\/sign-in\/email/,
  },
  {
    name: 'login-sign-up-errors',
    visit: () => ({ path: '/login?mode=sign-up' }),
    async arrange(page) {
      await page.getByLabel('Password', { exact: true }).fill('weak');
      await press(page, 'Create account');
      await page.getByRole('alert').first().waitFor();
    },
  },
  { name: 'login-code', visit, arrange: (page) => askForAccount(page, createEmail()) },
  {
    name: 'login-code-wrong',
    visit,
    async arrange(page) {
      await askForAccount(page, createEmail());
      await page.getByLabel('Code').fill('000000');
      await press(page, 'Confirm');
      await page.getByRole('alert').waitFor();
    },
    expectedErrors: /400 \/api\/auth\/email-otp\/verify-email/,
  },
  { name: 'login-forgot', visit, arrange: askForNewPassword },
  {
    name: 'login-reset',
    visit,
    async arrange(page) {
      await askForNewPassword(page);
      await page.getByLabel('Email').fill(createEmail());
      await press(page, 'Send code');
      await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    },
  },
  {
    name: 'login-second-factor',
    visit,
    async arrange(page, { secured }) {
      await givePasswordOnPage(page, secured.email, '/dashboard');
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    },
  },
  {
    name: 'login-backup-code',
    visit,
    async arrange(page, { secured }) {
      await givePasswordOnPage(page, secured.email, '/dashboard');
      await follow(page, 'Use a backup code');
      await page.getByLabel('Backup code').waitFor();
    },
  },
  {
    name: 'login-done',
    visit,
    async arrange(page, { newcomer }) {
      // The page stays where it is.
      await page.route('**/dashboard', (route) => route.fulfill({ status: 204 }));
      await page.getByLabel('Email').fill(newcomer.email);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await press(page, 'Sign in');
      await page.getByText('Loading dashboard...').waitFor();
    },
  },
];

async function askForNewPassword(page: Page): Promise<void> {
  await waitUntilAlive(page);
  await follow(page, 'Forgot your password?');
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
}
