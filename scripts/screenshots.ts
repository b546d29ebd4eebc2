import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { signUp } from '../tests/factories.ts';
import { findBrowser } from '../tests/harness/find-browser.ts';
import { findFreePort } from '../tests/harness/free-port.ts';
import { checkOut, payFor } from '../tests/payment.ts';
import { createPerson, type Person } from '../tests/person.ts';
import { openShop, type Shop } from './demo/open-shop.ts';

process.env.NODE_ENV ??= 'production';
const { createApp } = await import('../server/app.ts');
const { readConfig } = await import('../server/config.ts');

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 375];

interface Shot {
  name: string;
  path: string;
  person?: Person;
}

/** Every route and state, in both themes at two widths, as PNG files in screenshots/. */
async function takeAll(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'padlink-screenshots-'));
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const app = createApp(readConfig({ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' }));
  mkdirSync('screenshots', { recursive: true });
  try {
    await app.start();
    const shop = await openShop({ origin });
    const { executablePath, env } = findBrowser();
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await chromium.launch({
      executablePath,
      args,
      env: { ...process.env, ...env },
    });
    for (const shot of await listShots(origin, shop)) {
      for (const theme of THEMES) {
        for (const width of WIDTHS) await take(browser, origin, shot, theme, width);
      }
    }
    await browser.close();
  } finally {
    await app.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function listShots(origin: string, { creators, linkIds, buyer }: Shop): Promise<Shot[]> {
  const [creator] = creators;
  const [linkId = ''] = linkIds;
  const newcomer = await signUp({ origin }, { firstName: 'Grace' });
  const visitor = createPerson({ origin });
  const success = new URL(await payFor(visitor, linkIds[3] ?? linkId));
  const checkout = new URL(await checkOut(createPerson({ origin }), linkId));
  const wanted = process.argv.slice(2);
  const shots: Shot[] = [
    { name: 'landing', path: '/' },
    { name: 'login', path: '/login' },
    { name: 'login-sign-up', path: '/login?mode=sign-up' },
    { name: 'dashboard', path: '/dashboard', person: creator },
    { name: 'dashboard-empty', path: '/dashboard', person: newcomer },
    { name: 'upload', path: '/upload', person: creator },
    { name: 'paywall', path: `/p/${linkId}` },
    { name: 'paywall-unlocked', path: `/p/${linkId}`, person: buyer },
    { name: 'paywall-owner', path: `/p/${linkId}`, person: creator },
    { name: 'paywall-unknown', path: '/p/00000000' },
    { name: 'checkout', path: checkout.pathname },
    { name: 'explore', path: '/explore' },
    { name: 'success', path: success.pathname + success.search, person: visitor },
    { name: 'success-elsewhere', path: success.pathname + success.search },
    { name: 'failed', path: `/failed?link=${linkId}` },
    { name: 'terms', path: '/terms' },
    { name: 'privacy', path: '/privacy' },
    { name: 'mailbox', path: '/mailbox' },
    { name: 'not-found', path: '/nowhere' },
  ];
  return wanted.length > 0 ? shots.filter(({ name }) => wanted.includes(name)) : shots;
}

async function take(
  browser: Browser,
  origin: string,
  { name, path, person }: Shot,
  colorScheme: (typeof THEMES)[number],
  width: number,
): Promise<void> {
  const context = await browser.newContext({
    baseURL: origin,
    colorScheme,
    viewport: { width, height: 800 },
    reducedMotion: 'reduce',
  });
  const cookies = [...(person?.cookies ?? [])].map(([key, value]) => ({
    name: key,
    value,
    url: origin,
  }));
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.goto(path);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({
    path: `screenshots/${name}-${width}-${colorScheme}.png`,
    fullPage: true,
  });
  await context.close();
}

await takeAll();
