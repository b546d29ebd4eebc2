import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PASSWORD, readCode, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { signOutOnPage, waitUntilAlive } from '../journeys/steps.ts';

const counters = ['Users Signed Up', 'Links Monetized', 'Payouts Made'];
const cards = [
  'Students Sell Study Packs',
  'Writers Share Premium Insights',
  'Producers Sell Project Files',
  'Coaches Share Toolkits',
];

/** What each counter shows, in the order of `counters`. */
function readCounters(page: Page): Promise<string[]> {
  return page
    .getByRole('region', { name: 'Padlink in numbers' })
    .locator('dd')
    .evaluateAll((all) => all.map((counter) => counter.textContent));
}

const readDelays = (page: Page) =>
  page.getByRole('heading', { level: 3 }).evaluateAll((all) =>
    all.map((heading) => {
      const { animationDelay, animationName } = getComputedStyle(heading.closest('li') ?? heading);
      return `${animationName} ${animationDelay}`;
    }),
  );

describe('the landing page', () => {
  const app = useApp();

  test('has its name, its words and its tagline in this order', { tags: 'long' }, async () => {
    const page = await openPage(app);
    await page.goto('/');
    expect(await page.title()).toContain('Padlink');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Padlink');
    const words = await page.getByRole('main').textContent();
    const order = [
      'Padlink',
      'Upload. Share. Earn.',
      'Share your knowledge, documents and resources — and get paid through secure links.',
      'Start earning',
    ].map((text) => words?.indexOf(text) ?? -1);
    expect(order.every((place) => place >= 0)).toBe(true);
    expect(order).toEqual([...order].sort((one, other) => one - other));
  });

  test('tells other sites its name, its words and an image that is there', async () => {
    const page = await openPage(app, { javaScript: false });
    await page.goto('/');
    const read = (property: string) =>
      page.locator(`meta[property="${property}"]`).getAttribute('content');
    expect(await read('og:title')).toBe('Padlink: Upload. Share. Earn.');
    expect(await read('og:url')).toBe(`${app.origin}/`);
    const image = await fetch((await read('og:image')) ?? '');
    expect(image.headers.get('content-type')).toBe('image/png');
  });

  test('has a single "Start earning" button, which leads to /upload', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: await signUp(app) });
    await page.goto('/');
    const button = page.getByRole('link', { name: 'Start earning', exact: true });
    expect(await page.getByText('Start earning').count()).toBe(1);
    expect(await button.getAttribute('href')).toBe('/upload');
    await button.click();
    await page.getByRole('heading', { name: 'Upload a File' }).waitFor();
  });

  test('leads who has no account from "Start earning" by a new one to the upload page', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app);
    await page.goto('/');
    await page.getByRole('link', { name: 'Start earning', exact: true }).click();
    await page.waitForURL('/login?next=%2Fupload&from=landing');
    await page.getByRole('heading', { name: 'Create your account' }).waitFor();
    const tab = page.getByRole('link', { name: 'Create account', exact: true });
    expect(await tab.getAttribute('aria-current')).toBe('true');
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    await page.getByLabel('First Name').fill('Grace');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Code').fill(await readCode(app, email));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('/upload');
    await page.getByRole('heading', { name: 'Upload a File' }).waitFor();
  });

  test('alone leads to a new account: whoever opens the upload page itself is asked to sign in', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { javaScript: false });
    const shown = page.getByRole('heading', { level: 1 });
    await page.goto('/upload');
    await page.waitForURL('/login?next=%2Fupload');
    expect(await shown.textContent()).toBe('Sign in');
    await page.goto('/explore');
    await page.goto('/upload', { referer: `${app.origin}/explore` });
    expect(await shown.textContent()).toBe('Sign in');
    await page.goto('/upload', { referer: 'https://example.com/' });
    expect(await shown.textContent()).toBe('Sign in');
    await page.goto('/');
    await page.getByRole('link', { name: 'Start earning', exact: true }).click();
    await page.waitForURL('/login?next=%2Fupload&from=landing');
    expect(await shown.textContent()).toBe('Create your account');
  });

  test('leads a browser that was signed in before from "Start earning" to signing in', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: await signUp(app) });
    await signOutOnPage(page);
    await page.getByRole('link', { name: 'Start earning', exact: true }).click();
    await page.waitForURL('/login?next=%2Fupload&from=landing');
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Create account', exact: true }).click();
    await page.getByLabel('First Name').waitFor();
    await page.reload();
    await page.getByLabel('First Name').waitFor();
  });

  test('shows four cards in order under "Earn With What You Know", each with a description', async () => {
    const page = await openPage(app);
    await page.goto('/');
    await page.getByRole('heading', { level: 2, name: 'Earn With What You Know' }).waitFor();
    const titles = page.getByRole('main').getByRole('heading', { level: 3 });
    expect(await titles.allTextContents()).toEqual(cards);
    for (const title of cards) {
      const card = page.getByRole('listitem').filter({ hasText: title });
      expect(await card.getByRole('paragraph').textContent()).toMatch(/^.{20,}\.$/);
    }
  });

  describe('with time stopped', () => {
    /** A page on a low screen, whose counters are out of view, with a clock that stands still. */
    async function openStopped(): Promise<Page> {
      const page = await openPage(app, { viewport: { width: 1280, height: 400 } });
      await page.clock.install({ time: 0 });
      // It waits for the browser to be idle, by a clock that is about to stand still.
      const waking = page.waitForResponse('**/assets/landing.page-*.js');
      await page.goto('/');
      await waking;
      // Far ahead: what has passed already is refused.
      await page.clock.pauseAt(600_000);
      await waitUntilAlive(page);
      await page.waitForFunction(
        () => document.querySelectorAll('[data-in-view=false]').length === 4,
      );
      // A whole number of frames, which the stopped clock has every 16 ms.
      await page.clock.runFor(96);
      return page;
    }

    async function showCounters(page: Page): Promise<void> {
      await page.getByText('Payouts Made').scrollIntoViewIfNeeded();
      await page.waitForFunction(
        () => document.querySelectorAll('dd[data-in-view=true]').length === 3,
      );
    }

    test('counters stand at zero until they are seen, whatever time passes', async () => {
      const page = await openStopped();
      expect(await page.locator('dt').allTextContents()).toEqual(counters);
      expect(await readCounters(page)).toEqual(['0', '0', '0']);
      await page.clock.runFor(10_000);
      expect(await readCounters(page)).toEqual(['0', '0', '0']);
    });

    test('counters run for 2 seconds once they are seen, and show a "+" only at the end', async () => {
      const page = await openStopped();
      await showCounters(page);
      // The last frames until then: after 992 and after 1,984 milliseconds.
      await page.clock.runFor(1000);
      expect(await readCounters(page)).toEqual(['496', '1240', '248']);
      await page.clock.runFor(999);
      expect(await readCounters(page)).toEqual(['992', '2480', '496']);
      await page.clock.runFor(1);
      expect(await readCounters(page)).toEqual(['1000+', '2500+', '500+']);
    });

    test('counters do not run again after scrolling away and back', { tags: 'long' }, async () => {
      const page = await openStopped();
      await showCounters(page);
      await page.clock.runFor(2100);
      await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
      await page.clock.runFor(500);
      await showCounters(page);
      for (const milliseconds of [16, 500, 500]) {
        await page.clock.runFor(milliseconds);
        expect(await readCounters(page)).toEqual(['1000+', '2500+', '500+']);
      }
    });
  });

  test('cards enter 0.1 second times their position after they are seen', async () => {
    const page = await openPage(app, { viewport: { width: 1280, height: 400 } });
    await page.goto('/');
    await waitUntilAlive(page);
    await page.waitForFunction(() => document.querySelector('ul[data-in-view=false]'));
    const first = page.getByRole('listitem').filter({ hasText: cards[0] });
    expect(await first.evaluate((card) => getComputedStyle(card).opacity)).toBe('0');
    await first.scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector('ul[data-in-view=true]'));
    expect(await readDelays(page)).toEqual([
      'enter 0.1s',
      'enter 0.2s',
      'enter 0.3s',
      'enter 0.4s',
    ]);
  });

  test('with reduced motion the counters have their final values and the cards no delay', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, {
      viewport: { width: 1280, height: 400 },
      context: { reducedMotion: 'reduce' },
    });
    await page.goto('/');
    await waitUntilAlive(page);
    await page.waitForFunction(() => document.querySelector('ul[data-in-view=false]'));
    expect(await readCounters(page)).toEqual(['1000+', '2500+', '500+']);
    await page.getByText('Coaches Share Toolkits').scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector('ul[data-in-view=true]'));
    expect((await readDelays(page)).map((delay) => delay.split(' ')[1])).toEqual(
      Array(4).fill('0s'),
    );
    expect(await readCounters(page)).toEqual(['1000+', '2500+', '500+']);
  });

  test('without JavaScript everything on the page can be read', async () => {
    const page = await openPage(app, { javaScript: false });
    await page.goto('/');
    expect(await readCounters(page)).toEqual(['1000+', '2500+', '500+']);
    const costs = page.getByRole('region', { name: 'What It Costs' }).getByRole('row');
    expect(await costs.allTextContents()).toEqual([
      'PriceFeeYou receive',
      '$1.00$0.35$0.65',
      '$3.00$0.45$2.55',
      '$5.00$0.55$4.45',
    ]);
    await page.getByText('It stays pending for 7 days').waitFor();
    for (const title of cards) {
      const card = page.getByRole('listitem').filter({ hasText: title });
      expect(await card.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
    }
  });
});

describe('the landing page of an operator with other numbers', () => {
  const app = useApp({ env: { LANDING_COUNTERS: '12,34,5' } });

  test('counts up to those', { tags: 'long' }, async () => {
    const page = await openPage(app, { context: { reducedMotion: 'reduce' } });
    await page.goto('/');
    await waitUntilAlive(page);
    expect(await readCounters(page)).toEqual(['12+', '34+', '5+']);
  });
});
