import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { graphql, PASSWORD, signIn } from '../factories/factories.ts';
import { createPerson } from '../harness/person.ts';
import { createSubscription } from '../harness/start-push-service.ts';
import { addAuthenticator } from '../journeys/add-authenticator.ts';
import type { State } from './state.ts';

const NOTIFY = `mutation ($endpoint: String!, $p256dh: String!, $auth: String!) {
  notifyBrowser(endpoint: $endpoint, p256dh: $p256dh, auth: $auth)
}`;

const PROFILE = '/account/profile';
const SECURITY = '/account/security';
const NOTIFICATIONS = '/account/notifications';
const PROGRAMS = '/account/programs';

const visit =
  (path: string): State['visit'] =>
  ({ creator }) => ({ path, person: creator });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

export const ACCOUNT_STATES: State[] = [
  { name: 'account', visit: visit('/account') },
  { name: 'account-security', visit: visit(SECURITY) },
  { name: 'account-notifications', visit: visit(NOTIFICATIONS) },
  { name: 'account-programs', visit: visit(PROGRAMS) },
  { name: 'account-new', visit: ({ newcomer }) => ({ path: PROGRAMS, person: newcomer }) },
  { name: 'account-secured', visit: ({ secured }) => ({ path: SECURITY, person: secured }) },
  {
    name: 'account-errors',
    visit: visit(SECURITY),
    async arrange(page) {
      for (const name of ['Send code to new address', 'Change password', 'Delete account']) {
        await press(page, name);
      }
      await section(page, 'Delete account').getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'account-seller-page',
    visit: ({ newcomer }) => ({ path: PROFILE, person: newcomer }),
    async arrange(page) {
      const seller = section(page, 'Seller page');
      await seller.getByLabel('Address').fill('support');
      await press(page, 'Save seller page');
      await seller.getByText('This address is reserved. Choose another one.').waitFor();
    },
  },
  {
    name: 'account-shown-sales',
    async visit({ newcomer, origin }) {
      const other = createPerson({ origin });
      await signIn(other, newcomer.email);
      const { subscription } = createSubscription(`https://127.0.0.1:9/${randomUUID()}`);
      await graphql(other, NOTIFY, subscription);
      return { path: NOTIFICATIONS, person: newcomer };
    },
    async arrange(page) {
      // The browser of the tests blocks notifications; in this state it asks.
      await page.addInitScript(() => {
        if (sessionStorage.getItem('asks') === null) return;
        Object.defineProperty(Notification, 'permission', { get: () => 'default' });
      });
      await page.evaluate(() => sessionStorage.setItem('asks', 'yes'));
      await page.reload();
      await page
        .getByRole('button', { name: 'Notify me in this browser', disabled: false })
        .waitFor();
    },
  },
  {
    name: 'account-email-code',
    visit: visit(SECURITY),
    async arrange(page) {
      const email = section(page, 'Email address');
      await email.getByLabel('New email address').fill('new@example.com');
      await email.getByLabel('Current password', { exact: true }).fill(PASSWORD);
      await press(page, 'Send code to new address');
      await email.getByLabel('Code').waitFor();
    },
  },
  {
    name: 'account-authenticator',
    visit: ({ newcomer }) => ({ path: SECURITY, person: newcomer }),
    async arrange(page) {
      await press(page, 'Turn on two-factor sign-in');
      const twoFactor = section(page, 'Two-factor sign-in');
      await twoFactor.getByLabel('Current password', { exact: true }).fill(PASSWORD);
      await press(page, 'Continue');
      await page.getByRole('heading', { name: 'Add this account to your app' }).waitFor();
    },
  },
  {
    name: 'account-passkey-removal',
    visit: ({ secured }) => ({ path: SECURITY, person: secured }),
    async arrange(page) {
      await addAuthenticator(page);
      await press(page, 'Add a passkey');
      await press(page, /^Remove /);
      await page.getByRole('button', { name: 'Remove passkey' }).waitFor();
    },
  },
  {
    name: 'account-passkey-renaming',
    visit: ({ secured }) => ({ path: SECURITY, person: secured }),
    async arrange(page) {
      await addAuthenticator(page);
      await press(page, 'Add a passkey');
      await press(page, /^Rename /);
      await page.getByLabel('New name of the passkey').waitFor();
    },
  },
  {
    name: 'account-new-key',
    visit: ({ newcomer }) => ({ path: PROGRAMS, person: newcomer }),
    async arrange(page) {
      await page.getByLabel('Name of a new key').fill('Script');
      await press(page, 'Create key');
      await page.getByText('Copy it now: it will not be shown again.').waitFor();
    },
  },
  {
    name: 'account-key-revocation',
    visit: visit(PROGRAMS),
    async arrange(page) {
      await press(page, /^Revoke .*Shop importer/);
      await page.getByText('Programs that use it will stop working at once.').waitFor();
    },
  },
];
