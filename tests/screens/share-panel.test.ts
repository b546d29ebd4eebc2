import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import QRCode from 'qrcode';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { expectFocus } from '../journeys/steps.ts';

const PIXELS = 1024;
const QUIET_ZONE = 4;

describe('the panel that hands a new link on', () => {
  const app = useApp();
  let creator: Person;

  beforeAll(async () => {
    creator = await signUp(app);
  });

  /** The upload page after a link was made. */
  async function makeLink(page: Page): Promise<string> {
    await page.goto('/upload');
    await page.getByRole('button', { name: 'or sell a web address' }).click();
    await page.getByLabel('Web address').fill('https://example.com/course');
    await page.getByLabel('Price (USD)').fill('4.99');
    await page.getByLabel('Title (optional)').fill('Tea & cake');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    return await page.getByLabel('Your paywall link:').inputValue();
  }

  test('has the focus, with the address selected in a field and copied at a press', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, {
      as: creator,
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    const address = await makeLink(page);
    await page
      .getByRole('status')
      .getByText('Upload successful. Paywall link created.', { exact: true })
      .waitFor();
    const heading = page.getByRole('heading', { name: 'Your paywall link:', exact: true });
    await expectFocus(heading);
    const field = page.getByLabel('Your paywall link:');
    const selected = await field.evaluate((input: HTMLInputElement) =>
      input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
    );
    expect(selected).toBe(address);
    await page.keyboard.press('Tab');
    await expectFocus(field);
    await page.keyboard.press('Tab');
    // It is said for two seconds only.
    await Promise.all([
      page.getByText('Copied', { exact: true }).waitFor(),
      page.locator('[aria-live]').getByText('Copied: your paywall link').waitFor(),
      page.keyboard.press('Enter'),
    ]);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  });

  test('leads to other sites, to a mail and to the buyer’s view, and to the sharing of a device that has one', async () => {
    const page = await openPage(app, { as: creator });
    await page.addInitScript(() => {
      navigator.share = async (data) => {
        document.title = JSON.stringify(data);
      };
    });
    const address = await makeLink(page);
    const written = encodeURIComponent(address);
    const ways = {
      'Send by WhatsApp': `https://wa.me/?text=Tea%20%26%20cake%0A${written}`,
      'Post on X': `https://x.com/intent/post?url=${written}&text=Tea%20%26%20cake`,
      'Send by email': `mailto:?subject=Tea%20%26%20cake&body=${written}`,
      'See it as a buyer': `/p/${address.slice(-8)}?preview=buyer`,
    };
    for (const [name, href] of Object.entries(ways)) {
      const way = page.getByRole('link', { name, exact: true });
      expect(await way.getAttribute('href')).toBe(href);
    }
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    expect(JSON.parse(await page.title())).toEqual({ url: address, title: 'Tea & cake' });
  });

  test('offers no sharing of the device where there is none', { tags: 'long' }, async () => {
    const page = await openPage(app, { as: creator });
    await page.addInitScript(() => {
      Reflect.deleteProperty(Navigator.prototype, 'share');
    });
    await makeLink(page);
    await page.getByRole('link', { name: 'Send by email' }).waitFor();
    expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
  });

  test('shows a QR code of the address, to be kept as SVG and as PNG', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: creator, context: { colorScheme: 'dark' } });
    const address = await makeLink(page);
    await page.getByAltText('QR code of your paywall link').waitFor();
    for (const kind of ['SVG', 'PNG']) {
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: `Download as ${kind}` }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(
        `padlink-${address.slice(-8)}.${kind.toLowerCase()}`,
      );
      await expectCode(await readFile(await download.path()), address);
    }
  });

  test('fits a phone of 320 pixels in both themes, without a fault for a screen reader', {
    tags: 'long',
  }, async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPage(app, {
        as: creator,
        viewport: { width: 320, height: 700 },
        context: { colorScheme, reducedMotion: 'reduce' },
      });
      await makeLink(page);
      await page.getByAltText('QR code of your paywall link').waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id }) => id)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    }
  });

  test('goes back to an empty form that keeps the price', { tags: 'long' }, async () => {
    const page = await openPage(app, { as: creator });
    await makeLink(page);
    await page.getByRole('button', { name: 'Upload another file' }).click();
    const field = page.getByLabel('Web address');
    await field.waitFor();
    await expectFocus(field);
    expect(await field.inputValue()).toBe('');
    expect(await page.getByLabel('Title (optional)').inputValue()).toBe('');
    expect(await page.getByLabel('Price (USD)').inputValue()).toBe('4.99');
    await page.getByText('You receive $4.44.').waitFor();
  });
});

/** Compares a picture with the modules of the code of an address and their white quiet zone. */
async function expectCode(picture: Buffer, address: string): Promise<void> {
  const image = sharp(picture).resize(PIXELS, PIXELS, { kernel: 'nearest' }).greyscale();
  const { data } = await image.raw().toBuffer({ resolveWithObject: true });
  const isDark = (x: number, y: number) =>
    (data[Math.round(y) * PIXELS + Math.round(x)] ?? 0) < 128;
  const firstDark = data.findIndex((shade) => shade < 128);
  const edge = firstDark % PIXELS;
  const { modules } = QRCode.create(address, { errorCorrectionLevel: 'M' });
  const scale = (PIXELS - 2 * edge) / modules.size;
  expect(edge).toBeGreaterThanOrEqual(Math.floor(QUIET_ZONE * scale));
  const read: boolean[] = [];
  for (let y = 0; y < modules.size; y += 1) {
    for (let x = 0; x < modules.size; x += 1) {
      read.push(isDark(edge + (x + 0.5) * scale, edge + (y + 0.5) * scale));
    }
  }
  expect(read).toEqual(Array.from(modules.data, Boolean));
}
