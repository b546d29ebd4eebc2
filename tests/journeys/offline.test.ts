import { describe, expect, test } from 'vitest';
import { openPage, type PageOptions } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from './steps.ts';

describe('without a connection', () => {
  const app = useApp();

  /** A browser that has been here once, and so has what works without a connection. */
  async function openVisitor(options: PageOptions = {}) {
    const page = await openPage(app, { context: { serviceWorkers: 'allow' }, ...options });
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready);
    // Otherwise its scripts may still be on their way when the connection ends.
    await waitUntilAlive(page);
    return page;
  }

  test('a page says that the visitor is offline, and is shown once the connection is back', async () => {
    const page = await openVisitor({
      expectedErrors: /net::ERR_INTERNET_DISCONNECTED \/explore\?sort=price/,
    });
    await page.context().setOffline(true);
    await page.goto('/explore?sort=price');
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    expect(page.url()).toBe(`${app.origin}/explore?sort=price`);

    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try Again' }).click();
    await page.getByRole('heading', { name: 'Explore Paywall Links' }).waitFor();
  });

  test('the page that verifies signed receipts opens and works, once it was opened', {
    tags: 'long',
  }, async () => {
    const page = await openVisitor({ expectedErrors: /net::ERR_INTERNET_DISCONNECTED \/verify/ });
    await page.goto('/verify');
    const isKept = async () => (await caches.match('/verify')) !== undefined;
    await expect.poll(() => page.evaluate(isKept)).toBe(true);
    const browser = await page.context().newCDPSession(page);
    await browser.send('Network.clearBrowserCache');
    await page.context().setOffline(true);
    await page.goto('/verify?again');
    await waitUntilAlive(page);
    const letter = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear all') };
    await page.getByLabel('Choose the receipt').setInputFiles(letter);
    await page.getByText('This file is not a signed receipt').waitFor();
  });

  test('the service worker names the build, so that a new one replaces the page browsers keep', async () => {
    const answer = await fetch(`${app.origin}/service-worker.js`);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(await answer.text()).toMatch(/\n\/\/ Build [0-9a-f]{16}\n$/);
  });

  test('pages fetched ahead are still used by a browser that has the service worker', {
    tags: 'long',
  }, async () => {
    const page = await openVisitor();
    await page.reload();
    const prefetched = page.waitForRequest((request) => request.url().endsWith('/explore'));
    await page.getByRole('link', { name: 'Explore' }).hover();
    await prefetched;
    await page.getByRole('link', { name: 'Explore' }).click();
    await page.waitForURL('/explore');
    const delivery = await page.evaluate(
      () =>
        (
          performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming & {
            deliveryType: string;
          }
        ).deliveryType,
    );
    expect(delivery).toBe('navigational-prefetch');
  });
});
