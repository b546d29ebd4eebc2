import { waitUntilAlive } from '../journeys/steps.ts';
import type { State } from './state.ts';

export const BUNDLE_STATES: State[] = [
  { name: 'paywall-bundle', visit: ({ links }) => ({ path: `/p/${links.bundle}` }) },
  {
    name: 'paywall-bundle-part-owned',
    visit: ({ links, buyer }) => ({ path: `/p/${links.bundle}`, person: buyer }),
  },
  {
    name: 'paywall-bundle-bought',
    visit: ({ links, buyer }) => ({ path: `/p/${links.boughtBundle}`, person: buyer }),
  },
  {
    name: 'success-bundle',
    visit: ({ success, buyer }) => ({ path: success.bundle, person: buyer }),
  },
  {
    name: 'bundle',
    visit: ({ creator }) => ({ path: '/dashboard/bundle', person: creator }),
    async arrange(page) {
      await waitUntilAlive(page);
      const boxes = page.getByRole('checkbox');
      await boxes.nth(0).check();
      await boxes.nth(1).check();
    },
  },
  {
    name: 'bundle-refused',
    visit: ({ creator }) => ({ path: '/dashboard/bundle', person: creator }),
    async arrange(page) {
      await waitUntilAlive(page);
      await page.getByRole('button', { name: 'Create bundle' }).click();
      await page.getByText('Choose at least two links.').waitFor();
    },
  },
  {
    name: 'bundle-edited',
    visit: ({ links, creator }) => ({
      path: `/dashboard/bundle?edit=${links.bundle}`,
      person: creator,
    }),
  },
  {
    name: 'bundle-none',
    visit: ({ newcomer }) => ({ path: '/dashboard/bundle', person: newcomer }),
  },
  {
    name: 'bundle-unknown',
    visit: ({ links, creator }) => ({
      path: `/dashboard/bundle?edit=${links.file}`,
      person: creator,
    }),
    expectedErrors: /404 \/dashboard\/bundle\?edit=[0-9a-f]{8}/,
  },
];
