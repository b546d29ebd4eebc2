import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Download, Locator, Page, WebSocket } from 'playwright-core';
import { expect } from 'vitest';
import { PASSWORD, readCode } from '../factories/factories.ts';
import { BUYER_EMAIL, CARDS } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';

/** Signs up through the form and confirms by the mailed code; ends on the dashboard. */
export async function signUpOnPage(
  page: Page,
  app: { origin: string },
  findCode: (email: string) => Promise<string> = (email) => readCode(app, email),
): Promise<void> {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  await askForAccount(page, email);
  await page.getByLabel('Code').fill(await findCode(email));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL('/dashboard');
}

/** Fills in the sign-up form; ends where the mailed code is asked for. */
export async function askForAccount(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await waitUntilAlive(page);
  // Typed before one sees that there is no account yet.
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Create account' }).click();
  await page.getByLabel('First Name').fill('Ada');
  expect(await page.getByLabel('Email').inputValue()).toBe(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Code').waitFor();
}

/** Gives address and password on the login page; what follows is the test's to wait for. */
export async function givePasswordOnPage(page: Page, email: string, next: string): Promise<void> {
  await page.goto(`/login?${new URLSearchParams({ next })}`);
  await waitUntilAlive(page);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function signOutOnPage(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('/');
}

/** Waits until React has taken over the page, which pages do at leisure. */
export async function waitUntilAlive(page: Page): Promise<void> {
  await page.mouse.move(10, 10);
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('content') ?? {}).some((key) => key.startsWith('__react')),
  );
}

/** Opens a page and waits until its live updates run: `subscriptions` of them. */
export async function openLivePage(
  page: Page,
  path: string,
  subscriptions = 1,
): Promise<WebSocket> {
  // The page that is left may open one as well, which ends with it.
  const connected = page.waitForEvent('websocket', async (socket) => {
    let running = 0;
    const subscribed = socket.waitForEvent('framereceived', ({ payload }) => {
      if (String(payload).includes('start_ack')) running += 1;
      return running === subscriptions;
    });
    return subscribed.then(
      () => true,
      () => false,
    );
  });
  await page.goto(path);
  return connected;
}

/**
 * What a browser writes of a live page whose server is away for a while: it looks for it, and asks for
 * the icon when it likes.
 */
export const WHILE_AWAY =
  /net::ERR_\w+ \/(graphql|assets\/padlink-[\w-]+\.svg)|WebSocket connection to '\/graphql' failed: .+/;

/** Lets the time of a page stand still, whose clock is installed. */
export async function stopTime(page: Page): Promise<void> {
  // A moment that has passed meanwhile is refused; but then time stands still already.
  await eventually(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000));
}

export function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((node) => node === document.activeElement);
}

/** Waits until it has the focus, which moves after what the page shows has changed. */
export async function expectFocus(element: Locator): Promise<void> {
  await expect.poll(() => isFocused(element)).toBe(true);
}

/** Uploads a file with a price through the form. Returns the path of the link that is shown. */
export async function sellOnPage(page: Page, file: string, dollars: string): Promise<string> {
  await page.goto('/upload');
  await page.getByLabel('Choose File').setInputFiles(file);
  await page.getByLabel('Price (USD)').fill(dollars);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByText('Your paywall link:').waitFor({ timeout: 120_000 });
  return new URL(await page.getByLabel('Your paywall link:').inputValue()).pathname;
}

/** Fills in the hosted checkout and pays. */
export async function payOnPage(page: Page, card = CARDS.pays): Promise<void> {
  await page.getByLabel('Email').fill(BUYER_EMAIL);
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Expiry').fill('12 / 34');
  await page.getByLabel('CVC').fill('123');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
}

/** The page there begins a download by itself, with which Chromium may leave out its load event. */
export async function waitForSuccess(page: Page): Promise<void> {
  await page.waitForURL(/\/success\?/, { waitUntil: 'commit' });
}

/** The page of a link tells that its checkout was left, once the provider was heard. */
export async function expectLeft(page: Page): Promise<void> {
  await eventually(async () => {
    const told = page.getByText('You did not finish the checkout. Nothing was charged.');
    if ((await told.count()) > 0) return;
    await page.reload();
    throw new Error('The page does not tell of it.');
  });
}

/** Opens a paywall page and goes on to the hosted checkout. */
export async function unlockOnPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('button', { name: 'Unlock Now' }).click();
  await page.waitForURL(/\/sandbox\/checkout\//);
}

/** Writes a file of random bytes. */
export async function writeRandomFile(path: string, bytes: number): Promise<void> {
  const piece = 1024 * 1024;
  await pipeline(function* () {
    for (let rest = bytes; rest > 0; rest -= piece) yield randomBytes(Math.min(piece, rest));
  }, createWriteStream(path));
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

export async function hashDownload(download: Download): Promise<string> {
  return await hashFile(await download.path());
}
