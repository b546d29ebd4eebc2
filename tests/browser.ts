import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
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

const DESK = { width: 1280, height: 800 };

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

/** Of the pages of a context, each as a whole. */
function collectErrors(context: BrowserContext, app: { origin: string }): string[] {
  const errors: string[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    errors.push(describeError(app, message.text(), message.location().url));
  });
  context.on('weberror', (error) => {
    errors.push(describeError(app, String(error.error())));
  });
  return errors;
}

async function openContext(
  app: { origin: string },
  options: PageOptions,
): Promise<{ context: BrowserContext; errors: string[] }> {
  const browser = await launch(options);
  const context = await browser.newContext({
    baseURL: app.origin,
    javaScriptEnabled: options.javaScript ?? true,
    viewport: options.viewport ?? DESK,
    // It would fetch documents unseen by `page.route`.
    serviceWorkers: 'block',
    ...options.context,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return { context, errors: collectErrors(context, app) };
}

async function bringCookies(context: BrowserContext, { origin }: { origin: string }, as?: Person) {
  const cookies = [...(as?.cookies ?? [])];
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: origin })));
}

/** @throws for an error that the test did not expect */
function refuseErrors(errors: string[], options: PageOptions): void {
  const expected = [options.expectedErrors, options.backForwardCache ? CLOSED_BY_CACHE : null];
  const whole = expected.map((pattern) => pattern && new RegExp(`^(?:${pattern.source})$`));
  const unexpected = errors.filter((text) => !whole.some((pattern) => pattern?.test(text)));
  if (unexpected.length > 0) throw new Error(`Errors in the page: ${unexpected.join('\n')}`);
}

/**
 * A page of a visitor of its own (nothing shared with other pages), closed when the test ends.
 * An error in the page's console that the test did not expect fails the test.
 */
export async function openPage(app: { origin: string }, options: PageOptions = {}): Promise<Page> {
  const { context, errors } = await openContext(app, options);
  await bringCookies(context, app, options.as);
  const page = await context.newPage();
  onTestFinished(async () => {
    await context.close();
    refuseErrors(errors, options);
  });
  return page;
}

/**
 * For the surrounding `describe`: opens pages as `openPage` does, one at a time, but of one process.
 * Each finds nothing that an earlier one has left: a process of its own costs as much as a page.
 */
export function usePage(
  app: { origin: string },
  shared: Pick<PageOptions, 'viewport' | 'context'>,
): (own: Pick<PageOptions, 'as' | 'expectedErrors'>) => Promise<Page> {
  let open:
    | { context: BrowserContext; errors: string[]; page: Page; tools: CDPSession }
    | undefined;

  const close = async () => {
    const last = open;
    open = undefined;
    await last?.context.close();
  };
  afterAll(close);

  async function start() {
    const { context, errors } = await openContext(app, shared);
    const page = await context.newPage();
    const tools = await context.newCDPSession(page);
    // What is loaded late may move the page: fonts and scripts are to come anew each time.
    await tools.send('Network.enable');
    await tools.send('Network.setCacheDisabled', { cacheDisabled: true });
    return { context, errors, page, tools };
  }

  /** Whether nothing is left. */
  async function empty({ context, page, tools }: NonNullable<typeof open>): Promise<boolean> {
    const isOwn = new URL(page.url()).origin === app.origin && context.pages().length === 1;
    // Ends also what the test has held back, which would be sent when nothing holds it any more.
    await page.goto('about:blank');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    if (!isOwn) return false;
    await context.clearCookies();
    await page.goto('/healthz');
    await page.evaluate(() => sessionStorage.clear());
    await tools.send('Storage.clearDataForOrigin', { origin: app.origin, storageTypes: 'all' });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(shared.viewport ?? DESK);
    await page.mouse.move(0, 0);
    return true;
  }

  return async (own) => {
    open ??= await start();
    const current = open;
    await bringCookies(current.context, app, own.as);
    onTestFinished(async ({ task }) => {
      const isEmpty = task.result?.state !== 'fail' && (await empty(current));
      const errors = current.errors.splice(0);
      if (!isEmpty) await close();
      refuseErrors(errors, own);
    });
    return current.page;
  };
}
