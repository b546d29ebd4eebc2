import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findBrowser, findWholeBrowser } from './harness/find-browser.ts';
import { skipWithout } from './harness/needs.ts';
import type { Person } from './person.ts';

export type PageOptions = {
  /** Whose cookies the browser has. */
  as?: Person;
  javaScript?: boolean;
  viewport?: { width: number; height: number };
  /** Errors of the page that this test provokes, each as a whole: see `describeError`. */
  expectedErrors?: RegExp;
  context?: BrowserContextOptions;
  /** Arguments that need a browser of their own. */
  browserArgs?: string[];
  /**
   * What people have instead of the headless shell, whose downloads and caches differ. Needs an
   * installed Chrome, without which the test is skipped; `.ci/run` sees to one.
   */
  wholeBrowser?: boolean;
  /** Of a whole browser. Off in tests otherwise: `page.goBack()` does not notice a page from there. */
  backForwardCache?: boolean;
};

const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
// Chromium's own sandbox does not work for root, which containers usually are.
const args = process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet;

/** Of a busy machine: twice as long as Playwright's own. */
const PATIENCE_MS = 60_000;

/** What Chromium writes when it closes the WebSocket of a page that it keeps. */
const CLOSED_BY_CACHE =
  /WebSocket connection to '\/graphql' failed: Page entered Back-Forward Cache\./;

/** They stay open for the next files of this process; Playwright closes them when it ends. */
const browsers = new Map<string, Promise<Browser>>();

function launch(options: PageOptions): Promise<Browser> {
  const { browserArgs = [], backForwardCache = false, wholeBrowser = backForwardCache } = options;
  const key = [...browserArgs, wholeBrowser, backForwardCache].join(' ');
  const found = wholeBrowser ? findWholeBrowser() : findBrowser();
  if (!found) return skipWithout('chrome');
  const { executablePath, env } = found;
  const launched =
    browsers.get(key) ??
    chromium.launch({
      timeout: PATIENCE_MS,
      executablePath,
      args: [...args, ...browserArgs],
      ignoreDefaultArgs: backForwardCache ? ['--disable-back-forward-cache'] : [],
      // Without a locale, Chromium opens no file whose name is not ASCII.
      env: { LANG: 'C.UTF-8', ...process.env, ...env },
    });
  browsers.set(key, launched);
  return launched;
}

/**
 * A message of the console on one line: "404 /p/00000000" of an answer, "net::ERR_FAILED /graphql"
 * where there was none, "TypeError: Failed to fetch" of an error that a script has written. What is
 * not the product's own keeps its origin.
 */
function describeError({ origin }: { origin: string }, text: string, address = ''): string {
  const loading = /^Failed to load resource: (?:the server responded with a status of )?(\S+)/;
  const [, status] = loading.exec(text) ?? [];
  const [line = ''] = (status ? `${status} ${address}` : text).split('\n');
  return line.replaceAll(origin, '').replaceAll(origin.replace(/^http/, 'ws'), '');
}

/**
 * A page of a visitor of its own (nothing shared with other pages), closed when the test ends.
 * An error in the page's console that the test did not expect fails the test.
 */
export async function openPage(app: { origin: string }, options: PageOptions = {}): Promise<Page> {
  const browser = await launch(options);
  const context = await browser.newContext({
    baseURL: app.origin,
    javaScriptEnabled: options.javaScript ?? true,
    viewport: options.viewport ?? { width: 1280, height: 800 },
    // It would fetch documents unseen by `page.route`.
    serviceWorkers: 'block',
    ...options.context,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const cookies = [...(options.as?.cookies ?? [])];
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: app.origin })));
  const errors: string[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    errors.push(describeError(app, message.text(), message.location().url));
  });
  context.on('weberror', (error) => {
    errors.push(describeError(app, String(error.error())));
  });
  const page = await context.newPage();
  onTestFinished(async () => {
    await context.close();
    const expected = [options.expectedErrors, options.backForwardCache ? CLOSED_BY_CACHE : null];
    const whole = expected.map((pattern) => pattern && new RegExp(`^(?:${pattern.source})$`));
    const unexpected = errors.filter((text) => !whole.some((pattern) => pattern?.test(text)));
    if (unexpected.length > 0) throw new Error(`Errors in the page: ${unexpected.join('\n')}`);
  });
  return page;
}
