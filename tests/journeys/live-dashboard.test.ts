import { beforeEach, describe, expect, test } from 'vitest';
import { createLink, graphql, sellFile, signUp, updateLink } from '../factories/factories.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { startApp } from '../harness/start-app.ts';
import { useApp } from '../harness/use-app.ts';
import { openLivePage, WHILE_AWAY, waitUntilAlive } from './steps.ts';

const ADDRESS = { type: 'link', url: 'https://example.com/' };
const DELETE = `mutation ($input: DeletePaywallLinkInput!) {
  deletePaywallLink(input: $input) { id }
}`;

/** New and changed links, deleted ones, the balance, and sales. */
const SUBSCRIPTIONS = 5;

describe('an open dashboard', () => {
  const app = useApp();
  let creator: Person;

  beforeEach(async () => {
    creator = await signUp(app);
  });

  test('shows new sales by a note and by the balance, in live regions', {
    tags: 'long',
  }, async () => {
    const { id } = await sellFile(creator, { price: 500 });
    const page = await openPage(app, { as: creator });
    await openLivePage(page, '/dashboard', SUBSCRIPTIONS);
    await page.getByText('Balance: $0.00').waitFor();
    const buyer = createPerson(app);
    await payAt(buyer, await checkOut(buyer, id));
    const balance = page.getByText('Balance: $4.45');
    await balance.waitFor();
    expect(await balance.getAttribute('aria-live')).toBe('polite');
    await page.getByLabel('Balance').getByText('$4.45', { exact: true }).waitFor();
    const sales = page.getByRole('region', { name: 'Sales by day', exact: true });
    await sales
      .getByText(/: 1 sale, \$4\.45$/)
      .first()
      .waitFor();
    const note = page.getByRole('status').filter({ hasText: 'Sold: ' });
    await note.getByText(/^Sold: .+, \$5\.00$/).waitFor();
    const { id: other } = await createLink(creator, { ...ADDRESS, title: 'Notes', price: 250 });
    await payAt(buyer, await checkOut(buyer, other));
    await note.getByText('Sold: Notes, $2.50').waitFor();
    await note.getByText('2 sales since you opened this page, $7.50 in total').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText(/^Sold: /).waitFor({ state: 'detached' });
  });

  test('shows a new link, its change and its end without being loaded again', async () => {
    const page = await openPage(app, { as: creator });
    await openLivePage(page, '/dashboard', SUBSCRIPTIONS);
    await page.getByText('No paywall links yet.').waitFor();
    const { id } = await createLink(creator, { ...ADDRESS, title: 'Lecture notes' });
    await page.getByText('Lecture notes', { exact: true }).waitFor();
    await page.getByRole('link', { name: `${app.origin}/p/${id}` }).waitFor();
    await updateLink(creator, { id, price: 1234, title: 'Better notes' });
    await page.getByText('Better notes', { exact: true }).waitFor();
    await page.getByText('$12.34').waitFor();
    await graphql(creator, DELETE, { input: { id } });
    await page.getByText('No paywall links yet.').waitFor();
  });

  test('shows nothing of other creators', { tags: 'long' }, async () => {
    const page = await openPage(app, { as: creator });
    await openLivePage(page, '/dashboard', SUBSCRIPTIONS);
    const other = await signUp(app);
    await createLink(other, { ...ADDRESS, title: 'Not mine' });
    await createLink(creator, { ...ADDRESS, title: 'Mine' });
    await page.getByText('Mine', { exact: true }).waitFor();
    expect(await page.getByText('Not mine').count()).toBe(0);
  });

  test('leads to the login page when one comes back to it after signing out elsewhere', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: creator });
    // A connected page finds out by itself, before anybody comes back.
    await page.routeWebSocket('**/graphql', () => {});
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    await creator.fetch('/api/auth/sign-out', { method: 'POST' });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    // The page looks who is signed in and reads its data: the second to be refused cuts the first short.
    await expect.poll(() => page.url()).toBe(`${app.origin}/login?next=%2Fdashboard`);
  });
});

test('a dashboard whose connection was lost shows afterwards what happened meanwhile', {
  tags: 'long',
}, async () => {
  const app = await startApp();
  try {
    const creator = await signUp(app);
    const page = await openPage(app, { as: creator, expectedErrors: WHILE_AWAY });
    await page.clock.install();
    const connection = await openLivePage(page, '/dashboard', SUBSCRIPTIONS);
    await Promise.all([connection.waitForEvent('close'), app.restart()]);
    await createLink(creator, { ...ADDRESS, title: 'Made meanwhile' });
    await page.clock.fastForward(5_000);
    await page.getByText('Made meanwhile', { exact: true }).waitFor();
  } finally {
    await app.stop();
  }
});
