import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, graphql, sellFile, signUp, updateLink } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';

const LOCKED = 'This content is locked behind a paywall. Click the button below to unlock access.';

describe('the paywall page', () => {
  const app = useApp();
  let creator: Person;
  let id: string;

  beforeAll(async () => {
    creator = await signUp(app, { firstName: 'Secretfirstname' });
    await graphql(creator, 'mutation { setSellerName(name: "Ada’s Study Packs") }');
    ({ id } = await sellFile(creator, { name: 'a.pdf', size: 1_400_000, price: 499 }));
    const description = 'First line\nsecond <b>line</b>';
    await updateLink(creator, { id, title: 'Organic chemistry study pack', description });
  });

  const unlock = (page: Page) => page.getByRole('button', { name: 'Unlock Now', exact: true });
  const words = (page: Page) => page.getByRole('article').textContent();

  test('has title, price and button on the first screen of a phone, and all words of the offer', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { viewport: { width: 375, height: 600 } });
    await page.goto(`/p/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Paywalled Content', exact: true }).waitFor();
    const title = page.getByRole('heading', { level: 2, name: 'Organic chemistry study pack' });
    const price = page.getByText('$4.99', { exact: true });
    for (const part of [title, price, unlock(page)]) {
      const box = await part.boundingBox();
      expect((box?.y ?? 600) + (box?.height ?? 0)).toBeLessThanOrEqual(600);
    }
    await page.getByText('by Ada’s Study Packs', { exact: true }).waitFor();
    await page.getByText('File, 1.4 MB', { exact: true }).waitFor();
    await page.getByText('No account needed · All sales final', { exact: true }).waitFor();
    expect(await words(page)).toContain('First line\nsecond <b>line</b>');
    expect(await page.content()).not.toContain('Secretfirstname');
  });

  test('scrolls in no direction but down on a phone of 320 pixels, however long the words are', async () => {
    const wide = { title: 'W'.repeat(120), description: 'w'.repeat(2_000), price: 99_999_999 };
    const link = await createLink(creator, { type: 'link', url: 'https://example.com/', ...wide });
    const page = await openPage(app, { viewport: { width: 320, height: 640 } });
    await page.goto(`/p/${link.id}`);
    await unlock(page).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  test('tells its owner that it is their link, to be copied, edited and previewed', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, {
      as: creator,
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await page.goto(`/p/${id}`);
    await waitUntilAlive(page);
    const bar = page.getByRole('complementary', { name: 'Your link', exact: true });
    // It is said for two seconds only.
    await Promise.all([
      bar.getByText('Copied', { exact: true }).waitFor(),
      bar.getByRole('button', { name: 'Copy' }).click(),
    ]);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${app.origin}/p/${id}`);
    const edit = bar.getByRole('link', { name: 'Edit', exact: true });
    expect(await edit.getAttribute('href')).toBe(`/dashboard?edit=${id}`);
    await page.getByText(LOCKED, { exact: true }).waitFor();
    await page.getByText('You created this link, so you unlock it without paying.').waitFor();
  });

  test.each([{ javaScript: true }, { javaScript: false }])(
    'the preview shows its owner what a buyer sees, and starts no checkout (%o)',
    { tags: 'long' },
    async ({ javaScript }) => {
      const guest = await openPage(app);
      await guest.goto(`/p/${id}`);
      const page = await openPage(app, { as: creator, javaScript });
      const checkouts: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('checkout')) checkouts.push(request.url());
      });
      await page.goto(`/p/${id}`);
      await page.getByRole('link', { name: 'Preview as a buyer' }).click();
      await page.getByText('This is what a buyer sees.').waitFor();
      expect(await words(page)).toBe(await words(guest));
      if (javaScript) await waitUntilAlive(page);
      await unlock(page).click();
      const answer = 'This is a preview: a buyer would now go to checkout.';
      await page.getByRole('status').getByText(answer).waitFor();
      expect(checkouts).toEqual([]);
      await page.getByRole('link', { name: 'Back to your link' }).click();
      await page.getByRole('complementary', { name: 'Your link', exact: true }).waitFor();
    },
  );

  test('the preview address shows to everybody else the page as it is', async () => {
    const stranger = await signUp(app);
    const page = await openPage(app, { as: stranger });
    await page.goto(`/p/${id}?preview=buyer`);
    expect(await page.getByText('This is what a buyer sees.').count()).toBe(0);
    await unlock(page).click();
    await page.waitForURL(/\/sandbox\/checkout\//);
  });

  test('the button is idle after Back from the checkout and after a reload', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app);
    await page.goto(`/p/${id}`);
    await unlock(page).click();
    await page.waitForURL(/\/sandbox\/checkout\//);
    await page.goBack();
    expect(await unlock(page).isEnabled()).toBe(true);
    await page.reload();
    expect(await unlock(page).isEnabled()).toBe(true);
    expect(await page.getByText('Unlocking...').count()).toBe(0);
  });
});
