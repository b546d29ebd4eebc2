import type { Page } from 'playwright-core';
import type { State } from './state.ts';

export const MONEY_STATES: State[] = [
  { name: 'money', visit: ({ money }) => ({ path: '/dashboard/money', person: money.earner }) },
  {
    name: 'money-asking',
    visit: ({ money }) => ({ path: '/dashboard/money', person: money.earner }),
    arrange: ask,
  },
  {
    name: 'money-sign-in-first',
    visit: ({ money }) => ({ path: '/dashboard/money', person: money.earner }),
    async arrange(page) {
      const error = {
        message: 'You signed in too long ago.',
        path: ['requestPayout'],
        extensions: { code: 'SESSION_NOT_FRESH' },
      };
      await page.route('**/graphql', (route) =>
        route.fulfill({ json: { data: null, errors: [error] } }),
      );
      await ask(page);
      await page.getByRole('button', { name: 'Request this payout' }).click();
      await page.getByRole('button', { name: 'Sign in again' }).waitFor();
    },
  },
  {
    name: 'money-incomplete',
    visit: ({ money }) => ({ path: '/dashboard/money', person: money.beginner }),
  },
  {
    name: 'money-owing',
    visit: ({ money }) => ({ path: '/dashboard/money', person: money.debtor }),
  },
  {
    name: 'money-pending',
    visit: ({ creator }) => ({ path: '/dashboard/money', person: creator }),
  },
  { name: 'money-none', visit: ({ newcomer }) => ({ path: '/dashboard/money', person: newcomer }) },
  {
    name: 'money-failed',
    // The server cannot load what is asked for: no list has such a page.
    visit: ({ money }) => ({ path: '/dashboard/money?after=nonsense', person: money.earner }),
    expectedErrors: /400 \/dashboard\/money\?after=nonsense/,
  },
];

async function ask(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Get paid' }).click();
  await page.getByRole('dialog').waitFor();
}
