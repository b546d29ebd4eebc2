import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage } from '../browser.ts';
import { createLink, graphql, sellFile, signUp } from '../factories.ts';
import { waitUntilAlive } from '../journeys/steps.ts';
import type { Person } from '../person.ts';
import { useApp } from '../use-app.ts';
import { exhaustCheckouts } from './exhaust-checkouts.ts';
import { startProviderProxy } from './provider-proxy.ts';
import { runSql } from './run-sql.ts';
import { takeTableAway } from './take-table-away.ts';
import { expectRedAlert, expectUnlockError } from './unlock-error.ts';

const provider = await startProviderProxy();
afterAll(provider.stop);

describe('the paywall page', () => {
  const app = useApp(provider);
  let seller: Person;
  let link: string;

  beforeAll(async () => {
    seller = await signUp(app);
    link = `/p/${(await sellFile(seller)).id}`;
  });

  /** A visitor's page that React has taken over. */
  async function openLink(path: string, expectedErrors?: RegExp) {
    const page = await openPage(app, expectedErrors ? { expectedErrors } : {});
    await page.goto(path);
    await waitUntilAlive(page);
    return page;
  }

  const click = (page: Awaited<ReturnType<typeof openLink>>, name = 'Unlock Now') =>
    page.getByRole('button', { name, exact: true }).click();

  /** The message alone, and nothing that could be pressed. */
  async function expectUnknown(page: Awaited<ReturnType<typeof openLink>>) {
    await expectRedAlert(page, 'This paywall link does not exist.');
    await page.getByRole('heading', { name: 'Paywalled Content', exact: true }).waitFor();
    const offer = page.getByRole('region', { name: 'Offer', exact: true });
    expect(await offer.getByRole('button').or(offer.getByRole('link')).count()).toBe(0);
    expect(await offer.textContent()).toBe('This paywall link does not exist.');
  }

  const deleteLink = (id: string) =>
    graphql(seller, 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }', { id });

  test.each(['/p/00000000', '/p/not-an-id', '/p/%00', '/p/<i>'])(
    'says of %s that there is no such link',
    async (path) => {
      const page = await openPage(app, { expectedErrors: /404 \/p\/\S+/ });
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(404);
      expect(answer?.headers()['x-robots-tag']).toBe('noindex');
      await expectUnknown(page);
    },
  );

  test('says of a link that was deleted that there is no such link', async () => {
    const { id } = await sellFile(seller);
    await deleteLink(id);
    const page = await openPage(app, { expectedErrors: /404 \/p\/[0-9a-f]{8}/ });
    expect((await page.goto(`/p/${id}`))?.status()).toBe(404);
    await expectUnknown(page);
  });

  test('says of a link that was taken down that it was, and offers nothing', async () => {
    const { id } = await sellFile(seller);
    await runSql(app, `UPDATE link SET taken_down_at = 1 WHERE id = '${id}'`);
    const page = await openPage(app, { expectedErrors: /404 \/p\/[0-9a-f]{8}/ });
    expect((await page.goto(`/p/${id}`))?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Taken down', exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  });

  test('says so when the link is deleted while it is looked at', async () => {
    const { id } = await sellFile(seller);
    const page = await openLink(`/p/${id}`);
    await deleteLink(id);
    await click(page);
    await expectUnlockError(page, 'This paywall link does not exist.');
  });

  test('says that the provider gave no address to pay at, and goes on once it does', async () => {
    const page = await openLink(link);
    provider.fail('gives no url');
    await click(page);
    await expectUnlockError(page, 'Stripe URL not returned.');
    provider.fail('none');
    await click(page);
    await page.waitForURL(/\/sandbox\/checkout\//);
  });

  test('says that an error occurred while the provider is down, logs it, and goes on after it', async () => {
    const page = await openLink(
      link,
      /502 \/prod\/checkout|Error: Failed to create checkout session/,
    );
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    provider.fail('down');
    await click(page);
    await expectUnlockError(page, 'An error occurred while unlocking.');
    await page.getByText('Nothing was charged.').waitFor();
    expect(logged.join()).toContain('Failed to create checkout session');
    provider.fail('none');
    await click(page);
    await page.waitForURL(/\/sandbox\/checkout\//);
  });

  test('says that an error occurred after too many tries, and how long to wait', async () => {
    // While the app is started again, the page's live connection may be refused.
    const page = await openLink(
      link,
      /429 \/prod\/checkout|Error: Failed to create checkout session|WebSocket connection to '\/graphql' failed: .*net::ERR_CONNECTION_REFUSED/,
    );
    await exhaustCheckouts(page.request, link.slice('/p/'.length));
    await click(page);
    await expectUnlockError(page, 'An error occurred while unlocking.');
    await page.getByText(/Please try again in \d+ seconds/).waitFor();
    // The count is kept in memory.
    await app.restart();
    await click(page);
    await page.waitForURL(/\/sandbox\/checkout\//);
  });

  test('says that an error occurred while there is no network, and goes on once there is', async () => {
    const page = await openLink(
      link,
      /net::ERR_INTERNET_DISCONNECTED \/\S+|WebSocket connection to '\/graphql' failed: .+|TypeError: Failed to fetch/,
    );
    await page.context().setOffline(true);
    await click(page);
    await expectUnlockError(page, 'An error occurred while unlocking.');
    await page.getByText('Check your connection').waitFor();
    await page.context().setOffline(false);
    await click(page);
    await page.waitForURL(/\/sandbox\/checkout\//);
  });

  test('says that an error occurred when something in between answers in its place', async () => {
    const page = await openLink(
      link,
      /SyntaxError: Unexpected token '<', "<h1>Welcome<\/h1>" is not valid JSON/,
    );
    await page.route('**/prod/checkout', (route) => route.fulfill({ body: '<h1>Welcome</h1>' }));
    await click(page);
    await expectUnlockError(page, 'An error occurred while unlocking.');
  });

  test('says that an error occurred while the data layer fails, and goes on after it', async () => {
    const page = await openLink(
      link,
      /RequestError: Something went wrong on our side\. Please try again\./,
    );
    const bringBack = await takeTableAway(app, 'link');
    await click(page);
    await expectUnlockError(page, 'An error occurred while unlocking.');
    await bringBack();
    await click(page);
    await page.waitForURL(/\/sandbox\/checkout\//);
  });

  test('is shown calmly while the data layer fails, and whole when it is asked for again', async () => {
    // One that nobody has seen yet: a page that was just shown is kept for a moment.
    const { id } = await sellFile(seller);
    const bringBack = await takeTableAway(app, 'link');
    const page = await openPage(app, { expectedErrors: /500 \/p\/[0-9a-f]{8}/ });
    expect((await page.goto(`/p/${id}`))?.status()).toBe(500);
    await page.getByRole('heading', { name: 'Paywalled Content', exact: true }).waitFor();
    await page.getByText('This link cannot be shown at the moment. Please try again.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByText('An error occurred while unlocking.').count()).toBe(0);
    await page.getByRole('link', { name: 'Try again', exact: true }).click();
    await page.getByText('This link cannot be shown at the moment. Please try again.').waitFor();
    await bringBack();
    await page.getByRole('link', { name: 'Try again', exact: true }).click();
    await click(page);
    await page.waitForURL(/\/sandbox\/checkout\//);
  });

  const broken: [what: string, columns: string][] = [
    ['a file without a key', "type = 'file', key = NULL"],
    ['a web address without a url', "type = 'link', url = NULL"],
    ['a type that nobody knows', "type = 'video'"],
  ];

  test.each(broken)('says of %s that its data is invalid', async (_what, columns) => {
    const { id } = await createLink(seller, {
      type: 'link',
      url: `${app.origin}/terms`,
      unlocked: true,
    });
    await runSql(
      app,
      `PRAGMA ignore_check_constraints = ON; UPDATE link SET ${columns} WHERE id = '${id}'`,
    );
    const page = await openLink(`/p/${id}`);
    const label = columns.includes("type = 'link'") ? 'Open' : 'Download';
    await click(page, label);
    await expectUnlockError(page, 'Invalid paywall data.', label);
    await runSql(app, `UPDATE link SET type = 'link', url = '/privacy' WHERE id = '${id}'`);
    await click(page, label);
    await page.waitForURL('/privacy');
  });

  test('sells nothing whose data is invalid', async () => {
    const { id } = await sellFile(seller);
    await runSql(
      app,
      `PRAGMA ignore_check_constraints = ON; UPDATE link SET key = NULL WHERE id = '${id}'`,
    );
    const page = await openLink(
      `/p/${id}`,
      /500 \/prod\/checkout|Error: Failed to create checkout session/,
    );
    await click(page);
    await expectUnlockError(page, 'An error occurred while unlocking.');
    await page.getByText('Invalid paywall data.').waitFor();
  });
});

describe('the paywall page without a checkout endpoint', () => {
  const app = useApp({ env: { CHECKOUT_API_ENDPOINT: '' } });

  test.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('says that the endpoint is not configured, %s', async (_title, javaScript) => {
    const { id } = await sellFile(await signUp(app));
    const page = await openPage(app, { javaScript, expectedErrors: /503 \/prod\/checkout/ });
    await page.goto(`/p/${id}`);
    if (javaScript) await waitUntilAlive(page);
    await page.getByRole('button', { name: 'Unlock Now' }).click();
    await expectUnlockError(page, 'REST API endpoint not configured.');
  });
});
