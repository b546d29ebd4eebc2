import type { State } from './state.ts';

/** The server cannot load what is asked for: no list has such a page. */
const FAILING = '/explore?after=nonsense';

export const EXPLORE_STATES: State[] = [
  { name: 'explore', visit: () => ({ path: '/explore' }) },
  { name: 'explore-empty', visit: ({ bare }) => ({ path: `${bare.origin}/explore` }) },
  { name: 'explore-nothing', visit: () => ({ path: '/explore?q=nowhere+else&price=over-5' }) },
  {
    name: 'explore-failed',
    visit: () => ({ path: FAILING }),
    expectedErrors: /400 \/explore\?after=nonsense/,
  },
  {
    name: 'explore-loading',
    visit: () => ({ path: FAILING }),
    async arrange(page) {
      await page.route('**/graphql', () => {});
      await page.getByRole('link', { name: 'Try again' }).click();
      await page.getByText('Loading explore page...').first().waitFor();
    },
    expectedErrors: /400 \/explore\?after=nonsense/,
  },
];
