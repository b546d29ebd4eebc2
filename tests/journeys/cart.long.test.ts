import { createHash } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sellFile, signUp, updateLink } from '../factories/factories.ts';
import { openPage, type PageOptions } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { pressEnterOn } from './keyboard.ts';
import { hashDownload, payOnPage } from './steps.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const click = (_page: Page, element: Locator) => element.click();

const WAYS: [string, PageOptions, typeof click][] = [
  ['by keyboard', {}, pressEnterOn],
  ['without JavaScript', { javaScript: false }, click],
  ['on a phone', { viewport: { width: 375, height: 700 } }, click],
];

describe('a cart of three links', () => {
  const app = useApp();
  const links: { id: string; bytes: Uint8Array }[] = [];

  beforeAll(async () => {
    for (const title of ['Algebra', 'Geometry', 'Logic']) {
      const seller = await signUp(app);
      const link = await sellFile(seller, { price: 100, name: `${title}.pdf` });
      await updateLink(seller, { id: link.id, title });
      links.push(link);
      // Whose page offers a cart to whoever has none yet.
      if (title === 'Algebra') await sellFile(seller);
    }
  });

  test.each(WAYS)('is bought %s, and its files arrive', async (_way, options, press) => {
    const page = await openPage(app, options);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    for (const { id } of links) {
      await page.goto(`/p/${id}`);
      await press(page, button('Add to cart'));
      await page.waitForURL('/cart');
    }
    await press(page, button('Remove Logic'));
    await page.getByText('Paying once saves a fee:').waitFor();
    await page.goto(`/p/${links[2]?.id}`);
    await press(page, button('Add to cart'));
    await page.getByText('the sellers receive $2.55 instead of $1.95.').waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    await press(page, button('Check out'));
    await page.waitForURL(/\/sandbox\/checkout\//);
    await page.getByText('$3.00').first().waitFor();
    await payOnPage(page);
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    await page.getByRole('link', { name: /^Cart \d/ }).waitFor({ state: 'detached' });
    for (const [index, { bytes }] of links.entries()) {
      const name = ['Algebra', 'Geometry', 'Logic'][index];
      const started = page.waitForEvent('download');
      await press(page, page.getByRole('link', { name: new RegExp(`${name}\\.pdf`) }).first());
      expect(await hashDownload(await started)).toBe(hashOf(bytes));
    }
    await page.goto('/cart');
    await page.getByText('Your cart is empty.').waitFor();
  });
});
