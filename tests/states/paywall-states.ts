import type { Page } from 'playwright-core';
import { checkOut } from '../factories/payment.ts';
import { createPerson } from '../harness/person.ts';
import { waitUntilAlive } from '../journeys/steps.ts';
import type { State } from './state.ts';

const unlock = (page: Page) =>
  page.getByRole('button', { name: 'Unlock Now', exact: true }).click();

export const PAYWALL_STATES: State[] = [
  { name: 'paywall', visit: ({ links }) => ({ path: `/p/${links.file}` }) },
  { name: 'paywall-code', visit: ({ links }) => ({ path: `/p/${links.coded}?code=spring-10` }) },
  {
    name: 'paywall-code-free',
    visit: ({ links }) => ({ path: `/p/${links.coded}?code=reviewer` }),
  },
  {
    name: 'paywall-code-refused',
    visit: ({ links }) => ({ path: `/p/${links.coded}?code=summer` }),
  },
  { name: 'paywall-takes-codes', visit: ({ links }) => ({ path: `/p/${links.coded}` }) },
  { name: 'paywall-named-price', visit: ({ links }) => ({ path: `/p/${links.named}` }) },
  {
    name: 'paywall-gift',
    visit: ({ links }) => ({ path: `/p/${links.file}?gift=` }),
    async arrange(page) {
      await page.getByLabel('Recipient’s email address').fill('ann@example.com');
      await page.getByLabel('Message (optional)').fill('Happy birthday, Ann!');
    },
  },
  {
    name: 'paywall-gift-of-buyer',
    visit: ({ links, buyer }) => ({ path: `/p/${links.file}?gift=`, person: buyer }),
  },
  { name: 'paywall-few-left', visit: ({ links }) => ({ path: `/p/${links.limited}` }) },
  { name: 'paywall-sold-out', visit: ({ links }) => ({ path: `/p/${links.soldOut}` }) },
  { name: 'paywall-ended', visit: ({ links }) => ({ path: `/p/${links.ended}` }) },
  { name: 'paywall-untitled', visit: ({ links }) => ({ path: `/p/${links.untitled}` }) },
  {
    name: 'paywall-owner',
    visit: ({ links, creator }) => ({ path: `/p/${links.file}`, person: creator }),
  },
  {
    name: 'paywall-damaged',
    visit: ({ links, creator }) => ({ path: `/p/${links.damaged}`, person: creator }),
  },
  {
    name: 'paywall-preview',
    visit: ({ links, creator }) => ({ path: `/p/${links.file}?preview=buyer`, person: creator }),
    async arrange(page) {
      await unlock(page);
      await page.getByText('This is a preview').waitFor();
    },
  },
  {
    name: 'paywall-unlocked',
    visit: ({ links, buyer }) => ({ path: `/p/${links.file}`, person: buyer }),
  },
  {
    name: 'paywall-left',
    async visit({ origin, links }) {
      const person = createPerson({ origin });
      await checkOut(person, links.file);
      return { path: `/p/${links.file}`, person };
    },
  },
  {
    name: 'paywall-processing',
    visit: ({ links, checkouts }) => ({
      path: `/p/${links.file}`,
      person: checkouts.underWay.person,
    }),
  },
  {
    name: 'paywall-failed',
    visit: ({ links, success }) => ({ path: `/p/${links.file}`, person: success.failingBuyer }),
    async arrange(page) {
      await page.getByText('Your payment did not go through.').waitFor();
    },
  },
  {
    name: 'paywall-opening',
    visit: ({ links, buyer }) => ({ path: `/p/${links.file}`, person: buyer }),
    async arrange(page) {
      // An answer without content: the page stays, and waits.
      await page.route('**/content*', (route) => route.fulfill({ status: 204 }));
      await waitUntilAlive(page);
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      await page.getByText('Starting...').waitFor();
    },
  },
  {
    name: 'paywall-unlocked-address',
    visit: ({ links, buyer }) => ({ path: `/p/${links.address}`, person: buyer }),
  },
  {
    name: 'paywall-playing',
    visit: ({ links, buyer }) => ({ path: `/p/${links.versions}`, person: buyer }),
    async arrange(page) {
      await waitUntilAlive(page);
      await page.locator('a[type="audio/wav"]').last().click();
      await page.locator('audio').evaluate((media: HTMLAudioElement) => media.pause());
    },
  },
  {
    name: 'paywall-license',
    visit: ({ links, licensee }) => ({ path: `/p/${links.licensed}`, person: licensee }),
  },
  {
    name: 'paywall-license-owed',
    visit: ({ links, licensee }) => ({ path: `/p/${links.owedLicense}`, person: licensee }),
  },
  {
    name: 'paywall-newer-version',
    visit: ({ links, buyer }) => ({ path: `/p/${links.versions}`, person: buyer }),
  },
  { name: 'paywall-pending', visit: ({ links }) => ({ path: `/p/${links.pending}` }) },
  {
    name: 'paywall-refused',
    visit: ({ links, creator }) => ({ path: `/p/${links.refused}`, person: creator }),
  },
  { name: 'paywall-shown-part', visit: ({ links }) => ({ path: `/p/${links.previewed}` }) },
  { name: 'paywall-stamped', visit: ({ links }) => ({ path: `/p/${links.stamped}` }) },
  { name: 'paywall-free', visit: ({ links }) => ({ path: `/p/${links.free}` }) },
  { name: 'paywall-paused', visit: ({ links }) => ({ path: `/p/${links.paused}` }) },
  {
    name: 'paywall-unknown',
    visit: () => ({ path: '/p/00000000' }),
    expectedErrors: /404 \/p\/00000000/,
  },
  {
    name: 'paywall-unlocking',
    visit: ({ links }) => ({ path: `/p/${links.file}` }),
    async arrange(page) {
      await page.route('**/graphql', () => {});
      await unlock(page);
      await page.getByRole('button', { name: 'Unlocking...', exact: true }).waitFor();
    },
  },
  {
    name: 'paywall-error',
    visit: ({ links }) => ({ path: `/p/${links.file}` }),
    async arrange(page) {
      await page.route('**/graphql', (route) => route.abort());
      await unlock(page);
      await page.getByText('An error occurred while unlocking.').waitFor();
    },
    expectedErrors: /net::ERR_FAILED \/graphql|TypeError: Failed to fetch/,
  },
  {
    name: 'paywall-suspended',
    visit: ({ links, disputer }) => ({ path: `/p/${links.file}`, person: disputer }),
    async arrange(page) {
      await page.getByText('Your access is on hold while your bank reviews the dispute.').waitFor();
    },
  },
];
