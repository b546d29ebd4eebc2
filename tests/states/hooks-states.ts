import type { State } from './state.ts';

const visit: State['visit'] = ({ hooks }) => ({ path: hooks.path, person: hooks.owner });
const visitNew: State['visit'] = ({ newcomer }) => ({
  path: '/account/webhooks',
  person: newcomer,
});

export const HOOKS_STATES: State[] = [
  {
    name: 'webhooks',
    visit,
    async arrange(page) {
      await page.getByText('Message and answers').nth(1).click();
      await page.getByText('Internal Server Error').waitFor();
    },
  },
  {
    name: 'webhooks-deletion',
    visit,
    async arrange(page) {
      await page.getByRole('button', { name: /^Delete .*newsletter/ }).click();
      await page.getByRole('button', { name: 'Delete webhook' }).waitFor();
    },
  },
  {
    name: 'webhooks-error',
    visit: visitNew,
    async arrange(page) {
      await page.getByLabel('Web address').fill('http://shop.example/hooks');
      await page.getByRole('button', { name: 'Create webhook' }).click();
      await page.getByText('The address must begin with https://.').waitFor();
    },
  },
  {
    name: 'webhooks-new',
    visit: visitNew,
    async arrange(page) {
      await page.getByLabel('Web address').fill('https://shop.example/hooks');
      await page.getByRole('button', { name: 'Create webhook' }).click();
      await page.getByText('Copy it now: it will not be shown again.').waitFor();
    },
  },
];
