import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sellFile, signUp } from '../factories/factories.ts';
import { deleteLink } from '../factories/stored-files.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { WHILE_AWAY, waitUntilAlive } from '../journeys/steps.ts';
import { exhaustCheckouts } from './exhaust-checkouts.ts';
import { startProviderProxy } from './provider-proxy.ts';
import { runSql } from './run-sql.ts';
import { takeTableAway } from './take-table-away.ts';
import { expectUnlockError } from './unlock-error.ts';

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

  /** The specified page, with the message that its button leads to, and a way out. */
  async function expectUnknown(page: Awaited<ReturnType<typeof openLink>>) {
    expect(await page.title()).toBe('Paywalled Content · Padlink');
    await page.getByRole('heading', { name: 'Paywalled Content', exact: true }).waitFor();
    await expectUnlockError(page, 'This paywall link does not exist.');
    const offer = page.getByRole('region', { name: 'Offer', exact: true });
    await offer
      .getByText(
        'This content is locked behind a paywall. Click the button below to unlock access.',
        { exact: true },
      )
      .waitFor();
    expect(await offer.getByRole('button').count()).toBe(1);
    expect(await offer.getByRole('textbox').count()).toBe(0);
    await offer.getByRole('link', { name: 'Explore other links', exact: true }).click();
    await page.waitForURL('/explore');
  }

  test.each(['/p/00000000', '/p/not-an-id', '/p/%00', '/p/<i>', '/p/00000000?gift='])(
    'says of %s that there is no such link',
    { tags: 'long' },
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
    await deleteLink(seller, id);
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

  test('says that an error occurred while the provider is down, logs it, and goes on after it', {
    tags: 'long',
  }, async () => {
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

  test('says that an error occurred after too many tries, and how long to wait', {
    tags: 'long',
  }, async () => {
    const page = await openLink(
      link,
      new RegExp(
        `429 /prod/checkout|Error: Failed to create checkout session|${WHILE_AWAY.source}`,
      ),
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

  test('says when to try again, and no longer speaks of the checkout that was left', async () => {
    const page = await openLink(
      link,
      /429 \/prod\/checkout|Error: Failed to create checkout session/,
    );
    await exhaustCheckouts(page.request, link.slice('/p/'.length));
    const left = page.getByText('You did not finish the checkout. Nothing was charged.');
    // Once the provider was heard, which a page waits for only so long.
    await eventually(async () => {
      await page.reload();
      expect(await left.count()).toBe(1);
    });
    await waitUntilAlive(page);
    await click(page);
    await expectUnlockError(page, 'An error occurred while unlocking.');
    await page.getByText(/^Too many attempts\. Please try again in \d+ seconds\.$/).waitFor();
    expect(await left.count()).toBe(0);
  });

  test('says that an error occurred while there is no network, and goes on once there is', {
    tags: 'long',
  }, async () => {
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

  test('says that an error occurred when something in between answers in its place', {
    tags: 'long',
  }, async () => {
    const page = await openLink(
      link,
      /SyntaxError: Unexpected token '<', "<h1>Welcome<\/h1>" is not valid JSON/,
    );
    await page.route('**/prod/checkout', (route) => route.fulfill({ body: '<h1>Welcome</h1>' }));
    await click(page);
    await expectUnlockError(page, 'An error occurred while unlocking.');
  });

  test('is shown calmly while the data layer fails, and whole when it is asked for again', {
    tags: 'long',
  }, async () => {
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

  test('sells nothing whose data is invalid', { tags: 'long' }, async () => {
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
