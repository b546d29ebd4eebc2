import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { signUp } from '../factories/factories.ts';
import { openPage, type PageOptions } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { useApp } from '../harness/use-app.ts';
import { pressBack } from './history.ts';
import { holdRequests } from './hold-requests.ts';
import { noteStatuses } from './note-statuses.ts';

describe('a page that takes its time to come', () => {
  const app = useApp();

  /** A page, and what spinners on it say while it is shown. */
  async function openNoting(path: string, options: PageOptions) {
    const page = await openPage(app, options);
    const shown = await noteStatuses(page, '[role=status]:has(.spinner)');
    await page.goto(path);
    // The script that announces comes after the first paint.
    await page.locator('html[data-awake]').waitFor();
    return { page, shown };
  }

  /** By the keyboard: a pointer over a link fetches its page ahead. */
  async function follow(page: Page, name: string) {
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name })
      .press('Enter', { noWaitAfter: true });
  }

  const waitFor = (shown: string[], text: string) =>
    eventually(async () => expect(shown).toContain(text));

  test('is announced by "Loading your dashboard..." until the dashboard is there', async () => {
    const { page, shown } = await openNoting('/explore', { as: await signUp(app) });
    const letThrough = await holdRequests(page, '**/dashboard');
    await follow(page, 'Dashboard');
    await waitFor(shown, '/explore Loading your dashboard...');
    letThrough();
    await page.waitForURL('/dashboard');
    await page.getByText('Welcome back').waitFor();
    expect(await page.getByText('Loading your dashboard...').count()).toBe(0);
  });

  test('is announced no more once the person has stopped it', async () => {
    const { page, shown } = await openNoting('/login', {});
    await holdRequests(page, '**/explore');
    await follow(page, 'Explore');
    await waitFor(shown, '/login Loading explore page...');
    const session = await page.context().newCDPSession(page);
    await session.send('Page.stopLoading');
    await page.getByText('Loading explore page...').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/login');
  });

  test('is announced by "Loading explore page..." and forgotten on the way back', async () => {
    const { page, shown } = await openNoting('/login', { backForwardCache: true });
    const letThrough = await holdRequests(page, '**/explore');
    await follow(page, 'Explore');
    await waitFor(shown, '/login Loading explore page...');
    letThrough();
    await page.waitForURL('/explore');
    await pressBack(page);
    await page.waitForURL('/login', { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.getByText('Loading explore page...').count()).toBe(0);
  });
});
