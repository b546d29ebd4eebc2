import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sellFile, signUp } from '../factories/factories.ts';
import { CARDS } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { expectLeft, payOnPage, unlockOnPage, waitForSuccess } from './steps.ts';

/** What the browser writes of a card that was declined, or waits for a confirmation. */
const DECLINED = /402 \/sandbox\/checkout\/cs_test_\w+(\/confirm)?/;

describe('the checkout', () => {
  const app = useApp();
  let sold: Awaited<ReturnType<typeof sellFile>>;
  let link: string;

  beforeAll(async () => {
    sold = await sellFile(await signUp(app));
    link = `/p/${sold.id}`;
  });

  /** The next download brings what was sold. */
  async function expectBytes(page: Page): Promise<void> {
    const download = await page.waitForEvent('download');
    expect(download.suggestedFilename()).toBe('notes.pdf');
    expect((await readFile(await download.path())).equals(sold.bytes)).toBe(true);
  }

  test('shows a declined card and lets the visitor try another', { tags: 'long' }, async () => {
    const visitor = await openPage(app, { expectedErrors: DECLINED });
    await unlockOnPage(visitor, link);
    await payOnPage(visitor, CARDS.declines);
    await visitor
      .getByRole('alert')
      .getByText(/declined/i)
      .waitFor();
    const downloading = visitor.waitForEvent('download');
    await payOnPage(visitor);
    await waitForSuccess(visitor);
    expect((await downloading).suggestedFilename()).toBe('notes.pdf');
  });

  test('asks for a confirmation, and pays once it is given', async () => {
    const visitor = await openPage(app, { expectedErrors: DECLINED });
    await unlockOnPage(visitor, link);
    await payOnPage(visitor, CARDS.asksForConfirmation);
    await visitor.getByRole('button', { name: /fail/i }).click();
    await visitor.getByRole('alert').waitFor();
    await payOnPage(visitor, CARDS.asksForConfirmation);
    await visitor.getByRole('button', { name: /complete/i }).click();
    await visitor.getByRole('heading', { name: 'Payment Successful' }).waitFor();
  });

  test.each([true, false])(
    'that is left leads back to the link, which says that nothing was charged (JavaScript: %s)',
    { tags: 'long' },
    async (javaScript) => {
      const visitor = await openPage(app, { javaScript, expectedErrors: DECLINED });
      await unlockOnPage(visitor, link);
      await payOnPage(visitor, CARDS.declines);
      await visitor.getByRole('alert').waitFor();
      await visitor.getByRole('link', { name: /back/i }).click();
      await visitor.waitForURL(link);
      await expectLeft(visitor);
      await visitor.getByText('This content is locked behind a paywall.').waitFor();
      const button = visitor.getByRole('button', { name: 'Unlock Now' });
      expect(await button.isEnabled()).toBe(true);
      await button.click();
      await visitor.waitForURL(/\/sandbox\/checkout\//);
    },
  );

  test('can be reached, paid and downloaded from without JavaScript', {
    tags: 'long',
  }, async () => {
    const visitor = await openPage(app, { javaScript: false });
    await unlockOnPage(visitor, link);
    const begunByItself = expectBytes(visitor);
    await payOnPage(visitor);
    await waitForSuccess(visitor);
    await visitor.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    await begunByItself;
    const asked = expectBytes(visitor);
    await visitor.getByRole('link', { name: 'notes.pdf' }).click();
    await asked;
    await visitor.goto(link);
    const askedLater = expectBytes(visitor);
    await visitor.getByRole('button', { name: 'Download', exact: true }).click();
    await askedLater;
  });

  test('begins again after the way back in the browser: the button works once more', {
    tags: 'long',
  }, async () => {
    const visitor = await openPage(app);
    await unlockOnPage(visitor, link);
    await visitor.goBack();
    await visitor.getByRole('button', { name: 'Unlock Now' }).click();
    await visitor.waitForURL(/\/sandbox\/checkout\//);
  });

  test('and its success page in another browser send the buyer to the mailed link', {
    tags: 'long',
  }, async () => {
    const visitor = await openPage(app);
    await unlockOnPage(visitor, link);
    await payOnPage(visitor);
    await waitForSuccess(visitor);
    const elsewhere = await openPage(app);
    const downloads: unknown[] = [];
    elsewhere.on('download', (download) => downloads.push(download));
    await elsewhere.goto(visitor.url());
    await elsewhere
      .getByText(/e-?mail/i)
      .first()
      .waitFor();
    expect(downloads).toEqual([]);
    await elsewhere.goto(link);
    await elsewhere.getByText('This content is locked behind a paywall.').waitFor();
  });
});
