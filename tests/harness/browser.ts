import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import { onTestFinished } from 'vitest';
import { PATIENCE_MS } from './eventually.ts';
import { findBrowser, findWholeBrowser } from './find-browser.ts';
import { skipWithout } from './needs.ts';
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

/** What Chromium writes when it closes the WebSocket of a page that it keeps. */
const CLOSED_BY_CACHE =
  /WebSocket connection to '\/graphql' failed: Page entered Back-Forward Cache\./;

/**
 * What it tells of a cross-fade that it gives up by itself, as it does where the machine is busy: at
 * times before any script of the page can keep it from being told.
 */
const NO_TRANSITION = /(Abort|InvalidState)Error: Transition was .+/;

/**
 * An empty document of the product's origin, which the browser answers itself. With the pages' opener
 * policy: a document without it is given a process of its own, and so is the next page.
 */
const NOWHERE = {
  path: '/nowhere',
  answer: {
    contentType: 'text/html',
    headers: { 'cross-origin-opener-policy': 'same-origin' },
    body: '<!doctype html><link rel="icon" href="data:,">',
  },
};

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

/** A page alone in its context, of one test at a time. */
type Kept = {
  /** Pages of the same one differ in nothing once they are empty. */
  key: string;
  context: BrowserContext;
  page: Page;
  tools: CDPSession;
  errors: string[];
  /** Those that a test has opened: what they change holds until they end. */
  sessions: CDPSession[];
  /** Whether a test has left what nothing takes away again. */
  isMarked(): boolean;
};

/** As many as a test usually opens, all of one product: emptied, for the tests that follow. */
const SPARES = 2;
const spares: Kept[] = [];

/** What tests listen to. */
const HEARD = ['console', 'dialog', 'request', 'requestfailed', 'requestfinished', 'response'];

/** What stays in a page or its context for good. */
const LASTING = [
  ...['addInitScript', 'exposeFunction', 'exposeBinding', 'routeWebSocket'],
  ...['setExtraHTTPHeaders', 'setDefaultTimeout', 'setDefaultNavigationTimeout'],
  ...['grantPermissions', 'setGeolocation', 'addLocatorHandler', 'install', 'setFixedTime'],
];

async function start(app: { origin: string }, options: PageOptions, key: string): Promise<Kept> {
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
  const errors = collectErrors(context, app);
  const page = await context.newPage();
  const newSession = context.newCDPSession.bind(context);
  const tools = await newSession(page);
  const sessions: CDPSession[] = [];
  context.newCDPSession = async (target) => {
    const session = await newSession(target);
    sessions.push(session);
    return session;
  };
  let isMarked = false;
  const mark = () => {
    isMarked = true;
  };
  // Another origin keeps what only it can be asked to forget.
  page.on('framenavigated', (frame) => {
    const isOwn = ['about:', `${app.origin}/`].some((start) => frame.url().startsWith(start));
    if (!isOwn) mark();
  });
  context.on('page', mark);
  for (const owner of [page, context, context.clock]) tellOfCalls(owner, LASTING, mark);
  return { key, context, page, tools, sessions, errors, isMarked: () => isMarked };
}

function tellOfCalls(owner: object, names: string[], tell: () => void): void {
  for (const name of names) {
    const method = Reflect.get(owner, name);
    if (typeof method !== 'function') continue;
    Reflect.set(owner, name, (...given: unknown[]) => {
      tell();
      return Reflect.apply(method, owner, given);
    });
  }
}

async function bringCookies(context: BrowserContext, { origin }: { origin: string }, as?: Person) {
  const cookies = [...(as?.cookies ?? [])];
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: origin })));
}

/** @throws for an error that the test did not expect */
function refuseErrors(errors: string[], options: PageOptions): void {
  const cache = options.backForwardCache ? CLOSED_BY_CACHE : null;
  const expected = [NO_TRANSITION, options.expectedErrors, cache];
  const whole = expected.map((pattern) => pattern && new RegExp(`^(?:${pattern.source})$`));
  const unexpected = errors.filter((text) => !whole.some((pattern) => pattern?.test(text)));
  if (unexpected.length > 0) throw new Error(`Errors in the page: ${unexpected.join('\n')}`);
}

function isPlain({ browserArgs, wholeBrowser, backForwardCache, context }: PageOptions): boolean {
  return !browserArgs && !wholeBrowser && !backForwardCache && !context?.serviceWorkers;
}

/** The page is as a new one then. @returns whether that could be done */
async function empty(app: { origin: string }, options: PageOptions, kept: Kept): Promise<boolean> {
  const { context, page, tools } = kept;
  const isOwn = page.url().startsWith(`${app.origin}/`) && context.pages().length === 1;
  if (!isOwn || !isPlain(options) || kept.isMarked()) return false;
  for (const event of HEARD) page.removeAllListeners(event);
  context.removeAllListeners('request');
  await Promise.all(kept.sessions.splice(0).map((session) => session.detach().catch(() => {})));
  page.on('dialog', (dialog) => dialog.accept());
  await context.setOffline(false);
  // Ends also what the test has held back, which would be sent when nothing holds it any more.
  await page.route(NOWHERE.path, (route) => route.fulfill(NOWHERE.answer));
  await page.goto(NOWHERE.path);
  page.removeAllListeners('dialog');
  await Promise.all([
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    context.clearCookies(),
    page.evaluate(() => {
      sessionStorage.clear();
      window.name = '';
    }),
    tools.send('Storage.clearDataForOrigin', { origin: app.origin, storageTypes: 'all' }),
    tools.send('Network.clearBrowserCache'),
    tools.send('Page.resetNavigationHistory'),
    page.emulateMedia({
      media: null,
      colorScheme: options.context?.colorScheme ?? 'light',
      reducedMotion: options.context?.reducedMotion ?? 'no-preference',
      forcedColors: options.context?.forcedColors ?? 'none',
      contrast: options.context?.contrast ?? 'no-preference',
    }),
    page.setViewportSize(options.viewport ?? DESK),
    page.mouse.move(0, 0),
  ]);
  // Off and on: only that ends what the process itself keeps of styles, images and scripts.
  await tools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await tools.send('Network.setCacheDisabled', { cacheDisabled: false });
  return true;
}

/** For a later test; one that is not needed any more is closed. */
async function keep(kept: Kept): Promise<void> {
  spares.push(kept);
  const left = spares.filter(({ key }) => key.split(' ')[0] !== kept.key.split(' ')[0]);
  left.push(...spares.filter((spare) => !left.includes(spare)).slice(0, -SPARES));
  for (const spare of left) {
    spares.splice(spares.indexOf(spare), 1);
    await spare.context.close();
  }
}

/**
 * A page of a visitor of its own (nothing shared with other pages), taken away when the test ends.
 * An error in the page's console that the test did not expect fails the test. It may be one that an
 * earlier test had, emptied: a process of its own costs as much as a page.
 */
export async function openPage(app: { origin: string }, options: PageOptions = {}): Promise<Page> {
  const { javaScript = true, viewport = DESK, context = {} } = options;
  const key = `${app.origin} ${JSON.stringify([javaScript, viewport, context])}`;
  const at = isPlain(options) ? spares.findIndex((spare) => spare.key === key) : -1;
  const [spare] = at < 0 ? [] : spares.splice(at, 1);
  const kept = spare ?? (await start(app, options, key));
  await bringCookies(kept.context, app, options.as);
  onTestFinished(async ({ task }) => {
    const isEmpty =
      task.result?.state !== 'fail' && (await empty(app, options, kept).catch(() => false));
    if (!isEmpty) await kept.context.close();
    const errors = kept.errors.splice(0);
    if (isEmpty) await keep(kept);
    refuseErrors(errors, options);
  });
  return kept.page;
}
