import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { payOnPage, unlockOnPage } from './steps.ts';

describe('after the payment', () => {
  const app = useApp();
  let file: string;
  let address: string;

  beforeAll(async () => {
    const seller = await signUp(app);
    file = `/p/${(await sellFile(seller)).id}`;
    const terms = { type: 'link', url: `${app.origin}/terms` };
    address = `/p/${(await createLink(seller, terms)).id}`;
  });

  async function buy(page: Page, link: string): Promise<void> {
    await unlockOnPage(page, link);
    await payOnPage(page);
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
  }

  /** The download begins by itself: Back is pressed when it has. */
  async function buyFile(page: Page): Promise<void> {
    const downloading = page.waitForEvent('download');
    await buy(page, file);
    await downloading;
  }

  /**
   * As a person does, presses Back again where nothing came of it: while a browser puts in a page
   * that it kept, it has none attached for a moment.
   */
  async function stepBack(page: Page): Promise<void> {
    for (;;) {
      try {
        await page.goBack({ waitUntil: 'commit' });
        return;
      } catch (error) {
        if (!String(error).includes('Not attached to an active page')) throw error;
        await sleep(50);
      }
    }
  }

  /** Presses the browser's Back until the paywall page is there; never asked to pay on the way. */
  async function goBackTo(page: Page, link: string): Promise<void> {
    for (let steps = 0; steps < 4 && new URL(page.url()).pathname !== link; steps += 1) {
      await stepBack(page);
      expect(await page.getByRole('button', { name: 'Pay', exact: true }).count()).toBe(0);
    }
    await page.waitForURL(link);
    await page.getByText('This content is unlocked for you.').waitFor();
  }

  async function downloadAgain(page: Page): Promise<void> {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    expect((await downloading).suggestedFilename()).toBe('notes.pdf');
  }

  test('Back leads past the checkout to a page that is unlocked', async () => {
    const page = await openPage(app, { backForwardCache: false });
    await buyFile(page);
    await goBackTo(page, file);
    await downloadAgain(page);
  });

  test('and without JavaScript, where the checkout that is paid leads to the success page', async () => {
    const page = await openPage(app, { javaScript: false });
    await buyFile(page);
    // Its download begins again: it would overtake a step back that has just begun.
    const downloading = page.waitForEvent('download');
    await stepBack(page);
    expect(new URL(page.url()).pathname).toBe('/success');
    await downloading;
    await goBackTo(page, file);
    await downloadAgain(page);
  });

  test('a page that the browser kept as it was unlocks itself on the way back', async () => {
    const page = await openPage(app, { backForwardCache: true });
    await buyFile(page);
    for (let steps = 0; steps < 4 && new URL(page.url()).pathname !== file; steps += 1) {
      await stepBack(page);
    }
    await page.getByText('This content is unlocked for you.').waitFor();
  });

  test('Back from the content leads to where it can be opened again', async () => {
    const page = await openPage(app);
    await buy(page, address);
    await page.getByRole('link', { name: /open/i }).click();
    await page.waitForURL('/terms');
    await page.goBack();
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    await goBackTo(page, address);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.waitForURL('/terms');
  });

  test('and before it, loading any page again loses nothing', async () => {
    const page = await openPage(app);
    await page.goto(address);
    await page.reload();
    await unlockOnPage(page, address);
    await page.reload();
    await payOnPage(page);
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    await page.getByRole('link', { name: /open/i }).click();
    await page.waitForURL('/terms');
    await page.goto(address);
    await page.reload();
    await page.getByText('This content is unlocked for you.').waitFor();
  });
});
