import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, graphql, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';

const ADDRESS = { type: 'link', url: 'https://example.com/' };
const NEWEST_FIRST = [
  'French set',
  'English set',
  'Drawing set',
  'Chemistry set',
  'Biology notes',
  'Algebra notes',
];

describe('the list on the dashboard', () => {
  const app = useApp();
  let creator: Person;
  let gone: { id: string };

  beforeAll(async () => {
    creator = await signUp(app);
    for (const [title, price] of [
      ['Algebra notes', 300],
      ['Biology notes', 900],
      ['Chemistry set', 600],
      ['Drawing set', 700],
      ['English set', 800],
      ['French set', 500],
    ] as const) {
      await createLink(creator, { ...ADDRESS, title, price });
    }
    gone = await createLink(creator, { ...ADDRESS, title: 'Old room', price: 1000 });
    const buyer = createPerson(app);
    await payFor(buyer, gone.id);
    await waitUntilUnlocked(buyer, gone.id);
    await graphql(creator, 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }', {
      id: gone.id,
    });
  });

  const titlesOn = (page: Page) =>
    page.getByRole('main').getByRole('listitem').locator('p:first-child').allTextContents();

  test('is searched and sorted by real addresses, also without JavaScript', async () => {
    const page = await openPage(app, { as: creator, javaScript: false });
    await page.goto('/dashboard?days=7');
    expect(await titlesOn(page)).toEqual(NEWEST_FIRST);
    await page.getByLabel('Search your links').fill('notes');
    await page.getByLabel('Sort by').selectOption('Price, low to high');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.waitForURL('/dashboard?days=7&q=notes&sort=cheapest');
    expect(await titlesOn(page)).toEqual(['Algebra notes', 'Biology notes']);
    expect(await page.getByLabel('Search your links').inputValue()).toBe('notes');
    await page.getByRole('link', { name: '90 days', exact: true }).click();
    await page.waitForURL('/dashboard?days=90&q=notes&sort=cheapest');
    expect(await titlesOn(page)).toEqual(['Algebra notes', 'Biology notes']);
  });

  test('is sorted anew when another order is chosen', async () => {
    const page = await openPage(app, { as: creator });
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    await page.getByLabel('Sort by').selectOption('Price, high to low');
    await page.waitForURL(/sort=dearest/);
    expect(await titlesOn(page)).toEqual([
      'Biology notes',
      'English set',
      'Drawing set',
      'Chemistry set',
      'French set',
      'Algebra notes',
    ]);
  });

  test('says so when nothing holds the words, and leads back to all links', async () => {
    const page = await openPage(app, { as: creator });
    await page.goto('/dashboard?q=geology');
    await page.getByText('None of your links contains “geology”.').waitFor();
    await page.getByRole('link', { name: 'Show all links' }).click();
    await page.waitForURL('/dashboard');
    expect(await titlesOn(page)).toHaveLength(6);
  });

  test('shows deleted links with their sales to their owner, who can restore them', async () => {
    const page = await openPage(app, { as: creator });
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Show deleted links' }).click();
    await page.waitForURL('/dashboard?show=deleted');
    const row = page.getByRole('main').getByRole('listitem');
    expect(await row.count()).toBe(1);
    await row.getByRole('paragraph').getByText('Old room', { exact: true }).waitFor();
    await row.getByText(new RegExp(`^${gone.id}, deleted on `)).waitFor();
    await row.getByText('1 sale', { exact: true }).waitFor();
    expect(await row.getByRole('link').count()).toBe(0);
    await waitUntilAlive(page);
    await row.getByRole('button', { name: 'Restore Old room' }).click();
    await page.getByRole('status').getByText('Old room was restored.').waitFor();
    expect(await row.count()).toBe(0);
    await page.getByRole('link', { name: 'Back to your links' }).click();
    await page.waitForURL('/dashboard');
    expect(await titlesOn(page)).toContain('Old room');
  });

  test('is not searched or sorted while it holds five links or fewer', async () => {
    const owner = await signUp(app);
    for (let count = 1; count <= 5; count++) await createLink(owner, ADDRESS);
    const page = await openPage(app, { as: owner });
    await page.goto('/dashboard');
    expect(await titlesOn(page)).toHaveLength(5);
    expect(await page.getByRole('search').count()).toBe(0);
    await createLink(owner, ADDRESS);
    await page.reload();
    await page.getByRole('search').waitFor();
  });

  test('leads who has no links through three steps to the first one', async () => {
    const page = await openPage(app, { as: await signUp(app) });
    await page.goto('/dashboard');
    await page.getByText('No paywall links yet.', { exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(3);
    await page.getByRole('main').getByRole('link', { name: 'Upload a File' }).click();
    await page.waitForURL('/upload');
  });
});
