import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { runInNewContext } from 'node:vm';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readMail, sellFile, signUp } from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { hashDownload, payOnPage, unlockOnPage } from './steps.ts';

/** So much is not there in one gulp. `LARGE_DOWNLOAD_MIB` asks for more. */
const SIZE = Number(process.env.LARGE_DOWNLOAD_MIB ?? 20) * 1024 * 1024;

describe('a whole Chrome with the service worker', () => {
  const app = useApp();
  let link: string;
  let hash: string;
  let buyer: Person;

  beforeAll(async () => {
    const seller = await signUp(app);
    const { id, bytes } = await sellFile(seller, { name: 'film.bin', size: SIZE });
    link = `/p/${id}`;
    hash = createHash('sha256').update(bytes).digest('hex');
    buyer = createPerson(app);
    await payFor(buyer, id);
  });

  /** A visitor whose pages the service worker controls, and the requests that reach the server. */
  async function openVisitor(as?: Person) {
    const context = { serviceWorkers: 'allow' as const };
    const page = await openPage(app, { wholeBrowser: true, context, ...(as && { as }) });
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.goto(link);
    expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
    return { page, requests: noteRequests() };
  }

  function noteRequests() {
    const noted: string[] = [];
    const note = (message: unknown) => {
      const { url = '', method, socket } = (message as { request: IncomingMessage }).request;
      const what = /^\/(?:p\/.*\/content|download|sandbox\/checkout)/.exec(url)?.[0];
      if (what && socket.localPort === app.port) {
        noted.push(`${method} ${what.replace(link, '/p')}`);
      }
    };
    subscribe('http.server.request.start', note);
    onTestFinished(() => void unsubscribe('http.server.request.start', note));
    return noted;
  }

  /** The bytes come by one request: for another one of the same address Chrome would wait 20 s. */
  async function expectOneDownload(
    { page, requests }: Awaited<ReturnType<typeof openVisitor>>,
    press: () => Promise<void>,
  ) {
    requests.length = 0;
    const downloading = page.waitForEvent('download');
    await press();
    const download = await downloading;
    expect(await hashDownload(download)).toBe(hash);
    expect(requests.filter((what) => !what.includes('/sandbox/'))).toEqual([
      'GET /p/content',
      'GET /download',
    ]);
  }

  const press = (page: Page) => page.getByRole('button', { name: 'Download', exact: true }).click();

  test('asks once for the checkout, and once for what was paid on it', {
    tags: 'long',
  }, async () => {
    const visitor = await openVisitor();
    const { page, requests } = visitor;
    await unlockOnPage(page, link);
    expect(requests).toEqual(['GET /sandbox/checkout']);
    await expectOneDownload(visitor, () => payOnPage(page));
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
  });

  test('asks once for what is downloaded from the paywall page: by its button and by a row', {
    tags: 'long',
  }, async () => {
    const visitor = await openVisitor(buyer);
    const { page } = visitor;
    await expectOneDownload(visitor, () => press(page));
    await expectOneDownload(visitor, () => page.getByRole('link', { name: 'film.bin' }).click());
  });

  test('asks once for what is downloaded behind the personal link of a receipt', {
    tags: 'long',
  }, async () => {
    const { text } = await readMail(app, BUYER_EMAIL);
    const visitor = await openVisitor();
    const { page } = visitor;
    await page.goto(/\/access\/\S+/.exec(text)?.[0] ?? '');
    await page.getByRole('button', { name: 'Open your purchase' }).click();
    await page.waitForURL(link);
    await expectOneDownload(visitor, () => press(page));
  });

  test('does not wake the worker for what the browser asks for itself', {
    tags: 'long',
  }, async () => {
    const { page } = await openVisitor();
    const startOfWorker = () =>
      page.evaluate(() => {
        const [navigation] = performance.getEntriesByType('navigation');
        return (navigation as PerformanceNavigationTiming).workerStart;
      });
    expect(await startOfWorker()).toBeGreaterThan(0);
    await unlockOnPage(page, link);
    expect(await startOfWorker()).toBe(0);
  });

  test('without routes of its own lets the worker pass what the browser asks for itself', async () => {
    const script = await (await fetch(`${app.origin}/service-worker.js`)).text();
    // The scope of a browser that knows no routes: Firefox's and Safari's.
    const listeners: Record<string, (event: unknown) => void> = {};
    const scope = {
      addEventListener: (type: string, listener: (event: unknown) => void) => {
        listeners[type] = listener;
      },
      skipWaiting: async () => {},
    };
    const cache = { add: async () => {} };
    const caches = { open: async () => cache, match: async () => undefined };
    const load = async () => new Response();
    runInNewContext(script, { self: scope, caches, Request, Response, URL, fetch: load });
    const takes = (path: string, request = {}) => {
      let taken = false;
      const respondWith = () => {
        taken = true;
      };
      const url = app.origin + path;
      listeners.fetch?.({
        request: { mode: 'navigate', method: 'GET', url, ...request },
        respondWith,
      });
      return taken;
    };
    for (const path of ['/', link, '/explore?sort=price', '/p/content', '/downloads', '/success']) {
      expect(takes(path), path).toBe(true);
    }
    const own = [
      `${link}/content`,
      `${link}/content?file=1`,
      `${link}/receipt`,
      '/download/token/film.bin',
      '/sandbox/checkout/cs_test',
      '/api/auth/sign-out',
      '/storage/url?key=a',
      '/dashboard/sales.csv',
      '/logout',
    ];
    for (const path of own) expect(takes(path), path).toBe(false);
    expect(takes('/', { method: 'POST' })).toBe(false);
    // What a page is made of, the page alone asks for; but one is kept with all its parts.
    const part = (page: string) => ({ mode: 'cors', referrer: app.origin + page });
    expect(takes('/', { mode: 'cors' })).toBe(false);
    expect(takes('/assets/page.js', part('/explore?q=/verify'))).toBe(false);
    expect(takes('/assets/page.js', part('/verify?again'))).toBe(true);
  });

  test('that has a worker which asks ahead replaces it, and stops asking ahead', {
    tags: 'long',
  }, async () => {
    const { page } = await openVisitor();
    // A page without script, which registers no worker meanwhile that would take the new one's place.
    await page.goto('/robots.txt');
    const asksAhead = () =>
      page.evaluate(async () => {
        const { navigationPreload } = await navigator.serviceWorker.ready;
        return (await navigationPreload.getState()).enabled;
      });
    await page.evaluate(async () => {
      await (await navigator.serviceWorker.ready).navigationPreload.enable();
    });
    expect(await asksAhead()).toBe(true);
    // Another address is another worker, as after an update. The page stays open.
    const end = await page.evaluate(async () => {
      const { installing } = await navigator.serviceWorker.register('/service-worker.js?next');
      return await new Promise((resolve) => {
        const look = () => {
          if (['activated', 'redundant'].includes(installing?.state ?? ''))
            resolve(installing?.state);
        };
        installing?.addEventListener('statechange', look);
        look();
      });
    });
    expect(end).toBe('activated');
    expect(await asksAhead()).toBe(false);
  });
});
