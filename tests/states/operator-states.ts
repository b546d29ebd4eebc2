import type { State } from './state.ts';

export const OPERATOR_STATES: State[] = [
  { name: 'operator', visit: ({ office }) => ({ path: '/operator', person: office.operator }) },
  {
    name: 'operator-refusing',
    visit: ({ office }) => ({ path: '/operator', person: office.operator }),
    async arrange(page) {
      await page
        .getByRole('button', { name: /^Refuse the payout/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'operator-links',
    visit: ({ office }) => ({ path: '/operator/links', person: office.operator }),
  },
  {
    name: 'operator-links-taken-down',
    visit: ({ office }) => ({
      path: `/operator/links?show=taken-down&search=${office.sellerEmail}`,
      person: office.operator,
    }),
  },
  {
    name: 'operator-links-none',
    visit: ({ office }) => ({
      path: '/operator/links?search=xylophone',
      person: office.operator,
    }),
  },
  {
    name: 'operator-taking-down',
    visit: ({ office }) => ({
      path: `/operator/links?search=${office.sellerEmail}`,
      person: office.operator,
    }),
    async arrange(page) {
      await page
        .getByRole('button', { name: /^Take down: / })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'operator-reports',
    visit: ({ office }) => ({ path: '/operator/reports', person: office.operator }),
  },
  {
    name: 'operator-answering',
    visit: ({ office }) => ({ path: '/operator/reports', person: office.operator }),
    async arrange(page) {
      await page.getByRole('button', { name: /^Keep down: / }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'operator-sellers',
    visit: ({ office }) => ({ path: '/operator/sellers', person: office.operator }),
  },
  {
    name: 'operator-sellers-none',
    visit: ({ office }) => ({
      path: '/operator/sellers?search=nobody&show=operators',
      person: office.operator,
    }),
  },
  {
    name: 'operator-quotas',
    visit: ({ office }) => ({
      path: `/operator/sellers?search=${office.sellerEmail}`,
      person: office.operator,
    }),
    async arrange(page) {
      await page.getByRole('button', { name: /^Quotas of/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'operator-inviting-refused',
    visit: ({ office }) => ({
      path: `/operator/sellers?search=${office.sellerEmail}`,
      person: office.operator,
    }),
    async arrange(page, { office }) {
      await page.getByLabel('Email address to invite').fill(office.sellerEmail);
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'operator-setup',
    visit: ({ office }) => ({ path: '/operator/setup', person: office.operator }),
    async arrange(page) {
      await page.getByRole('heading', { name: 'Who sells here?' }).waitFor();
    },
  },
  {
    name: 'operator-setup-wrong',
    visit: ({ office }) => ({ path: '/operator/setup', person: office.operator }),
    async arrange(page) {
      const taken = { text: 'A signed event was taken at /webhooks/stripe.' };
      const elsewhere = {
        text: '{url} leads to something else than this installation.',
        values: { url: 'https://notes.example' },
      };
      const remedy = {
        text: 'Correct PUBLIC_URL, the DNS record or the proxy; or restart Padlink, if its settings have changed.',
      };
      const examineSetup = [
        { name: 'address', state: 'fault', says: elsewhere, remedy },
        { name: 'webhook', state: 'ok', says: taken, remedy: null },
      ];
      await page.route('**/graphql', (route) =>
        route.fulfill({ json: { data: { examineSetup } } }),
      );
      await page.getByRole('button', { name: 'Check again' }).click();
      await page.getByText('Wrong', { exact: true }).waitFor();
    },
  },
  {
    name: 'operator-undelivered',
    visit: ({ office }) => ({ path: '/operator/undelivered', person: office.operator }),
  },
  {
    name: 'operator-acts',
    visit: ({ office }) => ({ path: '/operator/acts', person: office.operator }),
  },
  {
    name: 'operator-purchases',
    visit: ({ office, buyerEmail }) => ({
      path: `/operator/purchases?search=${buyerEmail}`,
      person: office.operator,
    }),
  },
  {
    name: 'operator-purchases-none',
    visit: ({ office }) => ({
      path: '/operator/purchases?search=nobody@example.com',
      person: office.operator,
    }),
  },
  {
    name: 'operator-purchases-story',
    visit: ({ office }) => ({
      path: `/operator/purchases?search=${office.purchaseId}`,
      person: office.operator,
    }),
  },
  {
    name: 'operator-sign-in-first',
    visit: ({ office }) => ({ path: '/operator', person: office.operator }),
    async arrange(page) {
      const error = {
        message: 'You signed in too long ago.',
        path: ['retryJob'],
        extensions: { code: 'SESSION_NOT_FRESH' },
      };
      await page.route('**/graphql', (route) =>
        route.fulfill({ json: { data: null, errors: [error] } }),
      );
      await page
        .getByRole('button', { name: /^Retry the job/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Sign in again' }).waitFor();
    },
  },
];
