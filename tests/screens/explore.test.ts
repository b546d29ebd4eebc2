import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createLink, graphql, sellFile, signUp, updateLink } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';
import { holdRequests } from './hold-requests.ts';

const rows = (page: Page) => page.getByRole('main').getByRole('listitem');
const row = (page: Page, id: string) =>
  rows(page).filter({ has: page.locator(`a[href="/p/${id}"]`) });

describe('the explore page', () => {
  const app = useApp();

  async function openExplore(): Promise<Page> {
    const page = await openPage(app);
    await page.goto('/explore');
    return page;
  }

  test('has its texts and lists the links of all creators with prices to two decimals', async () => {
    const [one, other] = [await signUp(app), await signUp(app)];
    const cheap = await sellFile(one, { price: 100 });
    const dear = await sellFile(other, { price: 1999 });
    const page = await openExplore();
    expect(await page.title()).toBe('Explore Paywall Links · Padlink');
    await page.getByRole('heading', { level: 1, name: 'Explore Paywall Links' }).waitFor();
    await page.getByText('Browse all links ever created.', { exact: true }).waitFor();
    await row(page, cheap.id).getByText('$1.00', { exact: true }).waitFor();
    await row(page, dear.id).getByText('$19.99', { exact: true }).waitFor();
    await row(page, dear.id).getByRole('link').click();
    await page.waitForURL(`/p/${dear.id}`);
  });

  test('shows the title of a link where it has one', { tags: 'long' }, async () => {
    const seller = await signUp(app);
    const url = 'https://example.com/';
    const { id } = await createLink(seller, { type: 'link', url, title: 'Algebra in a week' });
    const page = await openExplore();
    await row(page, id).getByText('Algebra in a week', { exact: true }).waitFor();
  });

  test('shows a paused link as paused and no deleted one', async () => {
    const seller = await signUp(app);
    const [onSale, paused, deleted] = [
      await sellFile(seller),
      await sellFile(seller),
      await sellFile(seller),
    ];
    await updateLink(seller, { id: paused.id, paused: true });
    await graphql(seller, `mutation { deletePaywallLink(input: { id: "${deleted.id}" }) { id } }`);
    const page = await openExplore();
    await row(page, paused.id).getByText('Paused', { exact: true }).waitFor();
    expect(await row(page, onSale.id).getByText('Paused').count()).toBe(0);
    expect(await row(page, deleted.id).count()).toBe(0);
  });

  test('says "Loading explore page..." while the next page comes', async () => {
    const seller = await signUp(app);
    for (let count = 0; count < 51; count++) {
      await createLink(seller, { type: 'link', url: 'https://example.com/' });
    }
    const page = await openExplore();
    await waitUntilAlive(page);
    const letThrough = await holdRequests(page, '**/graphql');
    await page.getByRole('link', { name: 'Show more links' }).scrollIntoViewIfNeeded();
    await page.getByRole('status').getByText('Loading explore page...', { exact: true }).waitFor();
    letThrough();
    await rows(page).nth(50).waitFor();
    await page.getByText('Loading explore page...').waitFor({ state: 'detached' });
  });

  test('says "Loading explore page..." while it is loaded again', { tags: 'long' }, async () => {
    const { id } = await sellFile(await signUp(app));
    const page = await openPage(app, { expectedErrors: /400 \/explore\?after=nonsense/ });
    // No page of this list: the server cannot load what is asked for.
    await page.goto('/explore?after=nonsense');
    await page.getByText('The links could not be loaded.', { exact: true }).waitFor();
    await page.getByText('No links found.', { exact: true }).waitFor();
    await waitUntilAlive(page);
    const letThrough = await holdRequests(page, '**/graphql');
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('status').getByText('Loading explore page...', { exact: true }).waitFor();
    expect(await page.getByText('No links found.').count()).toBe(0);
    letThrough();
    await row(page, id).waitFor();
  });
});

describe('the explore page without any link', () => {
  const app = useApp();

  test('says "No links found."', async () => {
    const page = await openPage(app);
    await page.goto('/explore');
    await page.getByText('No links found.', { exact: true }).waitFor();
    expect(await rows(page).count()).toBe(0);
  });
});
