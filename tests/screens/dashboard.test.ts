import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, readBalance, sellFile, signUp } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';
import { holdRequests } from './hold-requests.ts';

describe('the dashboard', () => {
  const app = useApp();
  let creator: Person;

  beforeAll(async () => {
    creator = await signUp(app, { firstName: 'Grace' });
  });

  async function openDashboard(person = creator): Promise<Page> {
    const page = await openPage(app, { as: person });
    await page.goto('/dashboard');
    return page;
  }

  const rows = (page: Page) => page.getByRole('main').getByRole('listitem');

  test('greets its creator by first name and says what it is for', async () => {
    const page = await openDashboard();
    expect(await page.title()).toBe('Dashboard · Padlink');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Welcome back, Grace');
    await page.getByText('Manage your paywall links below.', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Your Paywall Links', exact: true }).waitFor();
  });

  test('shows a balance of zero and an empty list to a new creator', async () => {
    const page = await openDashboard(await signUp(app));
    await page.getByText('Balance: $0.00', { exact: true }).waitFor();
    await page.getByText('No paywall links yet.', { exact: true }).waitFor();
  });

  test('shows the balance in dollars, its cents divided by 100 with two decimals', {
    tags: 'long',
  }, async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller, { price: 1999 });
    await payFor(createPerson(app), id);
    const cents = await eventually(async () => {
      const balance = await readBalance(seller);
      if (balance === 0) throw new Error('The sale is not booked yet.');
      return balance;
    });
    // 19.99 less the fee of 5% and 30 cents.
    expect(cents).toBe(1869);
    const page = await openDashboard(seller);
    await page.getByText('Balance: $18.69', { exact: true }).waitFor();
  });

  test('lists each link as its address with its price, opening in a new tab', async () => {
    const seller = await signUp(app);
    const prices = [
      [100, '$1.00'],
      [499, '$4.99'],
      [123_450, '$1234.50'],
    ] as const;
    const page = await openDashboard(seller);
    for (const [price, shown] of prices) {
      const { id } = await sellFile(seller, { price });
      await page.reload();
      const row = rows(page).filter({ hasText: id });
      const link = row.getByRole('link', { name: `${app.origin}/p/${id}`, exact: true });
      expect(await link.getAttribute('target')).toBe('_blank');
      expect(await link.getAttribute('rel')).toContain('noopener');
      await row.getByText(shown, { exact: true }).waitFor();
    }
    expect(await rows(page).count()).toBe(prices.length);
    const opening = page.waitForEvent('popup');
    await page
      .getByRole('link', { name: /\/p\/[0-9a-f]{8}$/ })
      .first()
      .click();
    const tab = await opening;
    await tab.getByRole('heading', { name: 'Paywalled Content' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard');
  });

  test('lists only the links of its creator', { tags: 'long' }, async () => {
    const [one, other] = [await signUp(app), await signUp(app)];
    const mine = await sellFile(one);
    const theirs = await sellFile(other);
    const page = await openDashboard(one);
    await page.getByText(mine.id).waitFor();
    expect(await page.content()).not.toContain(theirs.id);
  });

  test('names a link without a title by its file or its address, for the owner alone', {
    tags: 'long',
  }, async () => {
    const seller = await signUp(app);
    const file = await sellFile(seller, { name: 'Exam answers — 2026.pdf' });
    const address = await createLink(seller, { type: 'link', url: 'https://example.com/room' });
    const page = await openDashboard(seller);
    for (const [id, name] of [
      [file.id, 'Exam answers — 2026.pdf'],
      [address.id, 'https://example.com/room'],
    ] as const) {
      await rows(page).filter({ hasText: id }).getByText(name, { exact: true }).waitFor();
    }
    const visitor = await openPage(app);
    for (const path of ['/explore', `/p/${file.id}`, `/p/${address.id}`]) {
      await visitor.goto(path);
      const html = await visitor.content();
      expect(html).not.toContain('Exam answers');
      expect(html).not.toContain('example.com/room');
    }
  });

  test('says "Loading your dashboard..." while the next page comes', { tags: 'long' }, async () => {
    const seller = await signUp(app);
    for (let count = 0; count < 51; count++) {
      await createLink(seller, { type: 'link', url: 'https://example.com/' });
    }
    const page = await openDashboard(seller);
    await waitUntilAlive(page);
    const letThrough = await holdRequests(page, '**/graphql');
    await page.getByRole('link', { name: 'Show older links' }).click();
    await page
      .getByRole('status')
      .getByText('Loading your dashboard...', { exact: true })
      .waitFor();
    expect(await rows(page).count()).toBe(50);
    letThrough();
    await rows(page).nth(50).waitFor();
    await page.getByText('Loading your dashboard...').waitFor({ state: 'detached' });
  });

  test('keeps its links and the balance when the next page fails to come, and logs it', {
    tags: 'long',
  }, async () => {
    const seller = await signUp(app);
    for (let count = 0; count < 51; count++) {
      await createLink(seller, { type: 'link', url: 'https://example.com/' });
    }
    const page = await openPage(app, {
      as: seller,
      expectedErrors: /net::ERR_FAILED \/graphql|TypeError: Failed to fetch/,
    });
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('link', { name: 'Show older links' }).click();
    await page.getByText('Your links could not be loaded.', { exact: true }).waitFor();
    expect(await rows(page).count()).toBe(50);
    await page.getByText('Balance: $0.00', { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unroute('**/graphql');
    await page.getByRole('link', { name: 'Try again' }).click();
    await rows(page).nth(50).waitFor();
  });

  test('says "Loading your dashboard..." and "Balance: $..." while it is loaded again', {
    tags: 'long',
  }, async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller);
    const page = await openPage(app, {
      as: seller,
      expectedErrors: /400 \/dashboard\?after=nonsense/,
    });
    // No page of this list: the server cannot load what is asked for.
    await page.goto('/dashboard?after=nonsense');
    await page.getByText('Your links could not be loaded.', { exact: true }).waitFor();
    await page.getByText('No paywall links yet.', { exact: true }).waitFor();
    await page.getByText('Balance: $0.00', { exact: true }).waitFor();
    await waitUntilAlive(page);
    const letThrough = await holdRequests(page, '**/graphql');
    await page.getByRole('link', { name: 'Try again' }).click();
    await page
      .getByRole('status')
      .getByText('Loading your dashboard...', { exact: true })
      .waitFor();
    await page.getByText('Balance: $...', { exact: true }).waitFor();
    expect(await page.getByText('No paywall links yet.').count()).toBe(0);
    letThrough();
    await page.getByText(`${app.origin}/p/${id}`).waitFor();
    await page.getByText('Balance: $0.00', { exact: true }).waitFor();
  });

  test('Sign Out ends the session and leads to the landing page', { tags: 'long' }, async () => {
    const person = await signUp(app);
    const page = await openDashboard(person);
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.waitForURL('/');
    await page.getByRole('link', { name: 'Login' }).waitFor();
    await page.goto('/dashboard');
    expect(new URL(page.url()).pathname).toBe('/login');
    expect((await person.fetch('/api/user-attributes')).status).toBe(401);
  });
});
