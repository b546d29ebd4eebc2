import { waitUntilAlive } from '../journeys/steps.ts';
import type { State } from './state.ts';

export const CHOICE_STATES: State[] = [
  { name: 'paywall-choices', visit: ({ links }) => ({ path: `/p/${links.choice}` }) },
  {
    name: 'paywall-choices-owned',
    visit: ({ links, buyer }) => ({ path: `/p/${links.choice}`, person: buyer }),
  },
  {
    name: 'choices',
    visit: ({ links, creator }) => ({
      path: `/dashboard/choices?link=${links.untitled}`,
      person: creator,
    }),
    async arrange(page) {
      await waitUntilAlive(page);
      await page.getByRole('checkbox').nth(1).check();
    },
  },
  {
    name: 'choices-edited',
    visit: ({ links, creator }) => ({
      path: `/dashboard/choices?link=${links.choice}`,
      person: creator,
    }),
  },
  {
    name: 'choices-refused',
    visit: ({ links, creator }) => ({
      path: `/dashboard/choices?link=${links.choice}`,
      person: creator,
    }),
    async arrange(page) {
      await waitUntilAlive(page);
      await page.getByRole('textbox').first().fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Give each choice a name.').waitFor();
    },
  },
  {
    name: 'choices-unknown',
    visit: ({ creator }) => ({ path: '/dashboard/choices?link=00000000', person: creator }),
    expectedErrors: /404 \/dashboard\/choices\?link=0{8}/,
  },
];
