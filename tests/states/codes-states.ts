import type { Page } from 'playwright-core';
import { waitUntilAlive } from '../journeys/steps.ts';
import type { State } from './state.ts';

export const CODES_STATES: State[] = [
  { name: 'codes', visit: ({ creator }) => ({ path: '/dashboard/codes', person: creator }) },
  { name: 'codes-none', visit: ({ newcomer }) => ({ path: '/dashboard/codes', person: newcomer }) },
  {
    name: 'codes-refused',
    visit: ({ creator }) => ({ path: '/dashboard/codes', person: creator }),
    expectedErrors: /400/,
    async arrange(page) {
      await openForm(page, 'New code');
      await page.getByRole('button', { name: 'Create code' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'codes-gift-refused',
    visit: ({ creator }) => ({ path: '/dashboard/codes', person: creator }),
    expectedErrors: /400/,
    async arrange(page) {
      await openForm(page, 'Give a link to someone');
      await page.getByRole('button', { name: 'Give the link' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'codes-ending',
    visit: ({ creator }) => ({ path: '/dashboard/codes', person: creator }),
    async arrange(page) {
      await waitUntilAlive(page);
      await page.getByRole('button', { name: 'End the code SPRING-10' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'sources', visit: ({ creator }) => ({ path: '/dashboard/sources', person: creator }) },
  {
    name: 'sources-none',
    visit: ({ newcomer }) => ({ path: '/dashboard/sources?days=7', person: newcomer }),
  },
  {
    name: 'codes-failed',
    // The server cannot load what is asked for: no list has such a page.
    visit: ({ creator }) => ({ path: '/dashboard/codes?after=nonsense', person: creator }),
    expectedErrors: /400 \/dashboard\/codes\?after=nonsense/,
  },
];

async function openForm(page: Page, words: string): Promise<void> {
  await waitUntilAlive(page);
  await page.getByText(words).click();
}
