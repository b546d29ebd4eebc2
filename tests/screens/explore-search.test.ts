import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink as putOnSale } from '../../server/catalog/links/create-link.ts';
import { createLink, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';
import { expectFocus, waitUntilAlive } from '../journeys/steps.ts';
import { pressBack, watchRestores } from './history.ts';

const titles = (page: Page) => page.getByRole('main').locator('.explore-title').allInnerTexts();
const shows = (page: Page, count: string) =>
  page.getByRole('status').getByText(count, { exact: true }).waitFor();

describe('the search of the explore page', () => {
  const app = useApp();

  beforeAll(async () => {
    const seller = await signUp(app);
    const offers = [
      ['Algebra, résumé', 150],
      ['Algebra in a week', 300],
      ['Guitar tabs', 900],
    ] as const;
    for (const [title, price] of offers) {
      await createLink(seller, { type: 'link', url: 'https://example.com/', title, price });
    }
  });

  test('is a plain form that finds, filters and sorts without JavaScript', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { javaScript: false });
    await page.goto('/explore');
    expect(await titles(page)).toEqual(['Guitar tabs', 'Algebra in a week', 'Algebra, résumé']);
    await page.getByLabel('Search links').fill('ALG');
    await page.getByLabel('Sort by').selectOption('Price, low to high');
    await page.getByLabel('Type').selectOption('Web addresses');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => titles(page)).toEqual(['Algebra, résumé', 'Algebra in a week']);
    expect(await page.getByLabel('Sort by').inputValue()).toBe('cheapest');
    await page.getByLabel('Price').selectOption('$2 to $5');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => titles(page)).toEqual(['Algebra in a week']);
    await page.getByLabel('Type').selectOption('Files');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No links found.', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Clear search and filters' }).click();
    await expect.poll(() => titles(page)).toHaveLength(3);
  });

  test('follows the typing without loading the page, keeps the focus and tells the count', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app);
    await page.goto('/explore');
    await waitUntilAlive(page);
    await page.evaluate(() => Object.assign(window, { stayed: true }));
    await page.getByLabel('Search links').pressSequentially('resume');
    await shows(page, '1 link');
    expect(await titles(page)).toEqual(['Algebra, résumé']);
    expect(new URL(page.url()).search).toBe('?q=resume');
    await page.getByLabel('Search links').fill('nowhere');
    await shows(page, 'No links found.');
    await page.getByLabel('Search links').fill('');
    await shows(page, '3 links');
    expect(new URL(page.url()).search).toBe('');
    await expectFocus(page.getByLabel('Search links'));
    expect(await page.evaluate(() => 'stayed' in window)).toBe(true);
  });

  test('applies a choice at once and keeps it over a reload', { tags: 'long' }, async () => {
    const page = await openPage(app);
    await page.goto('/explore?q=alg');
    await waitUntilAlive(page);
    await page.getByLabel('Price').selectOption('Under $2');
    await shows(page, '1 link');
    await page.reload();
    expect(await titles(page)).toEqual(['Algebra, résumé']);
    expect(await page.getByLabel('Price').inputValue()).toBe('under-2');
    expect(await page.getByLabel('Search links').inputValue()).toBe('alg');
  });

  test('that fails empties the list, and finds what was looked for when asked again', async () => {
    const page = await openPage(app, {
      expectedErrors: /net::ERR_FAILED \/graphql|TypeError: Failed to fetch/,
    });
    await page.goto('/explore');
    await waitUntilAlive(page);
    await page.route('**/graphql', (route) => route.abort());
    const fails = async (act: () => Promise<unknown>) => {
      const logged = page.waitForEvent('console', (message) => message.type() === 'error');
      await act();
      await logged;
      await shows(page, 'No links found.');
      await page.getByText('The links could not be loaded.', { exact: true }).waitFor();
      expect(await titles(page)).toEqual([]);
      expect(await page.getByRole('alert').count()).toBe(0);
    };
    await fails(() => page.getByLabel('Search links').fill('guitar tabs'));
    expect(new URL(page.url()).search).toBe('?q=guitar+tabs');
    expect(await page.getByText('A link must contain every word of the search.').count()).toBe(0);
    await fails(() => page.getByRole('link', { name: 'Try again' }).click());
    await fails(() => page.getByLabel('Type').selectOption('Files'));
    await page.unroute('**/graphql');
    await page.getByLabel('Type').selectOption('All types');
    await shows(page, '1 link');
    expect(await titles(page)).toEqual(['Guitar tabs']);
  });

  test('is not for search engines, which find the whole list', async () => {
    const read = async (path: string) => (await fetch(`${app.origin}${path}`)).text();
    const [whole, found] = [await read('/explore'), await read('/explore?q=alg')];
    expect(whole).not.toContain('name="robots"');
    expect(found).toContain('<meta content="noindex, follow" name="robots"/>');
    for (const page of [whole, found]) {
      expect(page).toContain(`<link href="${app.origin}/explore" rel="canonical"/>`);
    }
  });

  test('takes an address that nobody made for what it can mean', async () => {
    const page = await openPage(app, { javaScript: false });
    const query = `q=${'x'.repeat(150)}&sort=toString&price=constructor&type=__proto__`;
    const answer = await page.goto(`/explore?${query}`);
    expect(answer?.status()).toBe(200);
    await page.getByText('No links found.', { exact: true }).waitFor();
    expect(await page.getByLabel('Sort by').inputValue()).toBe('newest');
  });
});

describe('a long explore page', () => {
  const app = useApp();

  beforeAll(async () => {
    const input = { ownerId: 'ada', type: 'link', url: 'https://example.com/', price: 300 };
    await withDatabase(app, async (db) => {
      for (let time = 0; time < 255; time++) {
        await putOnSale(
          { db, minimumPriceCents: 1, providerMinimumCents: 1, now: () => time },
          input,
        );
      }
    });
  });

  const cards = (page: Page) => page.getByRole('main').getByRole('listitem');

  test('grows by three pages as it is scrolled, then asks, so that the footer can be reached', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app);
    await page.goto('/explore');
    await waitUntilAlive(page);
    for (const last of [99, 149, 199]) {
      await page
        .getByRole('link', { name: /Show more links|Terms/ })
        .last()
        .scrollIntoViewIfNeeded();
      await cards(page).nth(last).waitFor();
    }
    await page.getByRole('link', { name: 'Terms' }).scrollIntoViewIfNeeded();
    await page.getByRole('link', { name: 'Show more links' }).click();
    await cards(page).nth(249).waitFor();
    await expectFocus(cards(page).nth(200).getByRole('link'));
    await page.getByRole('link', { name: 'Show more links' }).click();
    await shows(page, '255 links');
    const ids = await cards(page)
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(new Set(ids).size).toBe(255);
  });

  test('keeps what it shows when more of it fails to come, and goes on from there', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, {
      expectedErrors: /net::ERR_FAILED \/graphql|TypeError: Failed to fetch/,
    });
    await page.goto('/explore');
    await waitUntilAlive(page);
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('link', { name: 'Show more links' }).scrollIntoViewIfNeeded();
    await page.getByText('The links could not be loaded.', { exact: true }).waitFor();
    expect(await cards(page).count()).toBe(50);
    expect(await page.getByText('No links found.').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unroute('**/graphql');
    await page.getByRole('link', { name: 'Try again' }).click();
    await cards(page).nth(99).waitFor();
  });

  test('leads on by real pages without JavaScript, with what was looked for, and back', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { javaScript: false });
    await page.goto('/explore?sort=oldest&price=2-to-5');
    const [first] = await titles(page);
    await page.getByRole('link', { name: 'Show more links' }).click();
    const back = page.getByRole('link', { name: 'Back to the first links' });
    await back.waitFor();
    const address = new URL(page.url()).searchParams;
    expect([address.get('sort'), address.get('price')]).toEqual(['oldest', '2-to-5']);
    expect(await titles(page)).not.toContain(first);
    await back.click();
    await expect.poll(async () => (await titles(page))[0]).toBe(first);
  });

  test('is as it was left when somebody comes back from a link', { tags: 'long' }, async () => {
    const page = await openPage(app, { backForwardCache: true });
    const restored = await watchRestores(page);
    await page.goto('/explore');
    await waitUntilAlive(page);
    await page.getByRole('link', { name: 'Show more links' }).scrollIntoViewIfNeeded();
    await cards(page).nth(80).scrollIntoViewIfNeeded();
    await cards(page).nth(80).getByRole('link').click();
    await page.getByRole('button', { name: 'Unlock Now' }).waitFor();
    await pressBack(page);
    await page.waitForURL('/explore', { waitUntil: 'commit' });
    await cards(page).nth(99).waitFor();
    expect(restored.at(-1)).toBe(true);
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(500);
  });
});
