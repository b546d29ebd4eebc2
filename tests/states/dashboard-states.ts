import type { Locator, Page } from 'playwright-core';
import type { State } from './state.ts';

/** The server cannot load what is asked for: no list has such a page. */
const FAILING = '/dashboard?after=nonsense';

export const DASHBOARD_STATES: State[] = [
  { name: 'dashboard', visit: ({ creator }) => ({ path: '/dashboard', person: creator }) },
  { name: 'dashboard-empty', visit: ({ newcomer }) => ({ path: '/dashboard', person: newcomer }) },
  { name: 'dashboard-no-sale', visit: ({ starter }) => ({ path: '/dashboard', person: starter }) },
  {
    name: 'dashboard-failed',
    visit: ({ creator }) => ({ path: FAILING, person: creator }),
    expectedErrors: /400 \/dashboard\?after=nonsense/,
  },
  { name: 'sales', visit: ({ creator }) => ({ path: '/dashboard/sales', person: creator }) },
  {
    name: 'sales-menu',
    visit: ({ creator }) => ({ path: '/dashboard/sales', person: creator }),
    arrange: (page) => openSaleMenu(page),
  },
  {
    name: 'sales-refund',
    visit: ({ creator }) => ({ path: '/dashboard/sales', person: creator }),
    async arrange(page) {
      const dialog = await openRefund(page);
      await dialog.getByLabel('Amount (USD)').fill('1000');
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'sales-refund-costs',
    visit: ({ creator }) => ({ path: '/dashboard/sales', person: creator }),
    async arrange(page) {
      const dialog = await openRefund(page);
      await dialog.getByLabel('Reason').fill('The buyer asked for it');
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByRole('button', { name: 'Back' }).waitFor();
    },
  },
  {
    name: 'sales-undelivered',
    visit: ({ creator }) => ({ path: '/dashboard/sales?show=undelivered', person: creator }),
  },
  { name: 'sales-none', visit: ({ newcomer }) => ({ path: '/dashboard/sales', person: newcomer }) },
  {
    name: 'dashboard-loading',
    visit: ({ creator }) => ({ path: FAILING, person: creator }),
    async arrange(page) {
      await page.route('**/graphql', () => {});
      await page.getByRole('link', { name: 'Try again' }).click();
      await page.getByText('Loading your dashboard...').first().waitFor();
    },
    expectedErrors: /400 \/dashboard\?after=nonsense/,
  },
  {
    name: 'dashboard-menu',
    visit: ({ creator }) => ({ path: '/dashboard', person: creator }),
    arrange: openMenu,
  },
  {
    name: 'dashboard-pausing-failed',
    visit: ({ creator }) => ({ path: '/dashboard', person: creator }),
    async arrange(page) {
      await page.route('**/graphql', (route) => route.abort());
      await openMenu(page);
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByRole('alert').waitFor();
    },
    expectedErrors: /net::ERR_FAILED \/graphql/,
  },
  {
    name: 'dashboard-deletion',
    visit: ({ creator }) => ({ path: '/dashboard', person: creator }),
    async arrange(page) {
      await openMenu(page);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'dashboard-editing',
    visit: ({ creator, links }) => ({
      path: `/dashboard?edit=${links.address}`,
      person: creator,
    }),
    async arrange(page) {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Price (USD)').fill('0');
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.getByRole('alert').waitFor();
    },
  },
  {
    name: 'dashboard-edit-options',
    visit: ({ creator, links }) => ({
      path: `/dashboard?edit=${links.address}`,
      person: creator,
    }),
    async arrange(page) {
      await page.getByText('More options').click();
      await page.getByLabel('Short address (optional)').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'dashboard-choosing-preview',
    visit: ({ creator, links }) => ({
      path: `/dashboard?edit=${links.previewed}`,
      person: creator,
    }),
    async arrange(page) {
      await page.getByText('More options').click();
      await page.getByLabel('Show the picture blurred').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'dashboard-stamp-failed',
    visit: ({ creator, links }) => ({
      path: `/dashboard?edit=${links.unstampable}`,
      person: creator,
    }),
    async arrange(page) {
      await page.getByText('More options').click();
      await page.getByLabel('Stamp each page').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'dashboard-versions',
    visit: ({ creator, links }) => ({ path: `/dashboard?edit=${links.versions}`, person: creator }),
    async arrange(page) {
      await page.getByText('Versions (2)').click();
      await page.getByRole('button', { name: 'Sell again: version 1' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'dashboard-sharing',
    visit: ({ creator }) => ({ path: '/dashboard', person: creator }),
    async arrange(page) {
      await openMenu(page);
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByRole('img', { name: 'QR code of your paywall link' }).waitFor();
    },
  },
  {
    name: 'dashboard-table',
    visit: ({ creator }) => ({ path: '/dashboard?days=7', person: creator }),
    arrange: (page) => page.getByText('Show as a table').click(),
  },
  {
    name: 'dashboard-nothing-found',
    visit: ({ creator }) => ({ path: '/dashboard?q=geology', person: creator }),
  },
  {
    name: 'dashboard-deleted',
    visit: ({ creator }) => ({ path: '/dashboard?show=deleted', person: creator }),
  },
  {
    name: 'dashboard-restored',
    visit: ({ creator }) => ({ path: '/dashboard?show=deleted', person: creator }),
    async arrange(page) {
      const json = { data: { restorePaywallLink: { id: '00000000' } } };
      await page.route('**/graphql', (route) => route.fulfill({ json }));
      const restore = page.getByRole('button', { name: /^Restore/ });
      for (let left = await restore.count(); left > 0; left -= 1) {
        await restore.first().click();
        await restore.nth(left - 1).waitFor({ state: 'detached' });
      }
      await page.getByText('You have not deleted any links.').waitFor();
    },
  },
  {
    name: 'dashboard-signed-out',
    visit: ({ creator }) => ({ path: '/dashboard', person: creator }),
    async arrange(page) {
      await page.route('**/api/auth/get-session', (route) => route.fulfill({ json: null }));
      // As when something unsaved keeps the page from being left.
      await page.route('**/dashboard', (route) => route.fulfill({ status: 204 }));
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    },
  },
];

async function openRefund(page: Page): Promise<Locator> {
  await openSaleMenu(page);
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  return page.getByRole('dialog');
}

async function openSaleMenu(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Manage / })
    .last()
    .click();
}

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Manage .*A room for questions/ }).click();
}
