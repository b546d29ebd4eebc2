import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { useApp } from './use-app.ts';

/** What a page can be told apart by from one that nobody has used. */
async function lookAt(page: Page) {
  const cookies = await page.context().cookies();
  await page.goto('/terms');
  const found = await page.evaluate(async () => ({
    stored: [localStorage.length, sessionStorage.length],
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    name: window.name,
    history: history.length,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    isPrinted: matchMedia('print').matches,
    width: innerWidth,
    isOnline: navigator.onLine,
    isMarked: 'marked' in window,
    isCached: performance.getEntriesByType('resource').some((entry) => {
      const { transferSize, deliveryType } = entry as PerformanceResourceTiming & {
        deliveryType: string;
      };
      return transferSize === 0 || deliveryType === 'cache';
    }),
  }));
  return { cookies, ...found };
}

/** Leaves something behind wherever that can be done. */
async function litter(page: Page): Promise<void> {
  await page.context().addCookies([{ name: 'left', value: 'here', url: page.url() }]);
  await page.evaluate(async () => {
    localStorage.setItem('left', 'here');
    sessionStorage.setItem('left', 'here');
    indexedDB.open('left');
    await caches.open('left');
    window.name = 'left';
    history.pushState(null, '', '/terms?left');
  });
  const tools = await page.context().newCDPSession(page);
  await tools.send('Emulation.setUserAgentOverride', { userAgent: 'left' });
  await page.route('**/terms', (route) => route.abort());
  await page.context().route('**/privacy', (route) => route.abort());
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  await page.setViewportSize({ width: 375, height: 800 });
  await page.context().setOffline(true);
  page.on('request', () => {
    throw new Error('It is still listened to.');
  });
}

describe('a page that a test opens', () => {
  const app = useApp();
  const opened: Page[] = [];
  let fresh: Awaited<ReturnType<typeof lookAt>>;

  test('has nothing at first', async () => {
    const page = await openPage(app);
    opened.push(page);
    fresh = await lookAt(page);
    expect(fresh).toMatchObject({ cookies: [], stored: [0, 0], databases: 0, caches: 0, name: '' });
    await litter(page);
  });

  test('is the same one again, and has nothing that the test before has left', async () => {
    const page = await openPage(app);
    expect(page).toBe(opened.at(-1));
    expect(await lookAt(page)).toEqual(fresh);
    expect(await page.evaluate(() => navigator.userAgent)).not.toBe('left');
    await page.goto('/privacy');
    await page.addInitScript(() => Reflect.set(window, 'marked', true));
  });

  test('is another where the test before has left what cannot be taken away', async () => {
    const page = await openPage(app);
    expect(opened).not.toContain(page);
    opened.push(page);
    expect(await lookAt(page)).toEqual(fresh);
    await page.goto('about:blank');
  });

  test('is another where the test before has left it elsewhere', async () => {
    const page = await openPage(app);
    expect(opened).not.toContain(page);
    opened.push(page);
  });

  test('is another where other things are asked of it', async () => {
    expect(opened).not.toContain(await openPage(app, { viewport: { width: 375, height: 800 } }));
  });
});
