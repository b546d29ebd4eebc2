import { waitUntilAlive } from '../journeys/steps.ts';
import type { Scene } from './scene.ts';
import type { State } from './state.ts';

const visit = (link: keyof Scene['links'], more = '') => ({
  visit: ({ creator, links }: Scene) => ({
    path: `/dashboard/licenses?link=${links[link]}${more}`,
    person: creator,
  }),
});

export const LICENSES_STATES: State[] = [
  { name: 'licenses', ...visit('licensed') },
  { name: 'licenses-owed', ...visit('owedLicense') },
  { name: 'licenses-none', ...visit('file') },
  { name: 'licenses-unsold', ...visit('owedLicense', '&show=unsold') },
  {
    name: 'licenses-refused',
    ...visit('owedLicense'),
    async arrange(page) {
      await waitUntilAlive(page);
      await page.getByRole('textbox', { name: 'Your keys' }).fill('short');
      await page.getByRole('button', { name: 'Add keys' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'licenses-clearing',
    ...visit('licensed'),
    async arrange(page) {
      await waitUntilAlive(page);
      await page.getByRole('button', { name: /^Clear devices: / }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'licenses-failed',
    // There is no such link.
    visit: ({ creator }) => ({ path: '/dashboard/licenses?link=00000000', person: creator }),
    expectedErrors: /404 \/dashboard\/licenses\?link=00000000/,
  },
];
