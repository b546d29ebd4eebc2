import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphql, sellFile, signUp, updateLink } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { exhaustCheckouts } from './exhaust-checkouts.ts';
import { startProviderProxy } from './provider-proxy.ts';
import { runSql } from './run-sql.ts';
import { takeTableAway } from './take-table-away.ts';
import { expectRedAlert, expectUnlockError } from './unlock-error.ts';

const provider = await startProviderProxy();
afterAll(provider.stop);

describe('the paywall page without JavaScript', () => {
  const app = useApp(provider);
  let seller: Person;
  let id: string;

  beforeAll(async () => {
    seller = await signUp(app);
    id = (await sellFile(seller)).id;
  });

  /** @param status of the answer that the browser writes of */
  const openQuietly = (status: number, at = '/prod/checkout') =>
    openPage(app, { javaScript: false, expectedErrors: new RegExp(`${status} ${at}`) });

  /** The answer to the form. */
  async function click(page: Page, name = 'Unlock Now'): Promise<Response | null> {
    const answered = page.waitForEvent('response', (answer) =>
      answer.request().isNavigationRequest(),
    );
    await page.getByRole('button', { name, exact: true }).click();
    return answered;
  }

  test('says so when the link was deleted while it was looked at', { tags: 'long' }, async () => {
    const link = await sellFile(seller);
    const page = await openQuietly(404);
    await page.goto(`/p/${link.id}`);
    const deletion = 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }';
    await graphql(seller, deletion, { id: link.id });
    for (const _tries of [1, 2]) {
      expect((await click(page))?.status()).toBe(404);
      await expectUnlockError(page, 'This paywall link does not exist.');
    }
  });

  test.each([
    ['gives no url', 'Stripe URL not returned.'],
    ['down', 'An error occurred while unlocking.'],
  ] as const)(
    'answers that the provider failed (%s), and goes on after it',
    { tags: 'long' },
    async (fault, message) => {
      const page = await openQuietly(502);
      await page.goto(`/p/${id}`);
      provider.fail(fault);
      expect((await click(page))?.status()).toBe(502);
      await expectUnlockError(page, message);
      provider.fail('none');
      await click(page);
      await page.waitForURL(/\/sandbox\/checkout\//);
    },
  );

  test('answers that an error occurred after too many tries, and how long to wait', {
    tags: 'long',
  }, async () => {
    const page = await openQuietly(429);
    await page.goto(`/p/${id}`);
    await exhaustCheckouts(page.request, id);
    const answer = await click(page);
    expect(answer?.status()).toBe(429);
    expect(Number((await answer?.allHeaders())?.['retry-after'])).toBeGreaterThan(0);
    await expectUnlockError(page, 'An error occurred while unlocking.');
    await page.getByText(/Please try again in \d+ seconds/).waitFor();
  });

  test('says of content that cannot be delivered that its data is invalid', async () => {
    const link = await sellFile(seller);
    const page = await openQuietly(500, '/p/[0-9a-f]{8}/content');
    await runSql(
      app,
      `PRAGMA ignore_check_constraints = ON;
       UPDATE link SET unlocked = 1, key = NULL WHERE id = '${link.id}'`,
    );
    await page.goto(`/p/${link.id}`);
    expect((await click(page))?.status()).toBe(500);
    await expectUnlockError(page, 'Invalid paywall data.');
    await runSql(
      app,
      `UPDATE link SET key = '${link.key?.replaceAll("'", "''")}' WHERE id = '${link.id}'`,
    );
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Unlock Now', exact: true }).click();
    expect((await downloading).suggestedFilename()).toBe('notes.pdf');
  });

  test('sells no link whose data is invalid', async () => {
    const link = await sellFile(seller);
    const page = await openQuietly(500);
    await page.goto(`/p/${link.id}`);
    await runSql(
      app,
      `PRAGMA ignore_check_constraints = ON; UPDATE link SET key = NULL WHERE id = '${link.id}'`,
    );
    expect((await click(page))?.status()).toBe(500);
    await expectUnlockError(page, 'An error occurred while unlocking.');
    await page.getByText('Invalid paywall data.').waitFor();
  });

  test('answers that an error occurred while the data layer fails, and goes on after it', {
    tags: 'long',
  }, async () => {
    const page = await openQuietly(500);
    await page.goto(`/p/${(await sellFile(seller)).id}`);
    const bringBack = await takeTableAway(app, 'link');
    for (const _tries of [1, 2]) {
      expect((await click(page))?.status()).toBe(500);
      await expectUnlockError(page, 'An error occurred while unlocking.');
      await page.getByText('Something went wrong on our side. Please try again.').waitFor();
    }
    await bringBack();
    await click(page);
    await page.waitForURL(/\/sandbox\/checkout\//);
  });

  test.each(['link', 'session'])(
    'answers that an error occurred while content cannot be found for want of the table %s',
    { tags: 'long' },
    async (table) => {
      const own = await sellFile(seller);
      const page = await openPage(app, {
        as: seller,
        javaScript: false,
        expectedErrors: /500 \/p\/[0-9a-f]{8}\/content/,
      });
      await page.goto(`/p/${own.id}`);
      const bringBack = await takeTableAway(app, table);
      expect((await click(page))?.status()).toBe(500);
      await expectUnlockError(page, 'An error occurred while unlocking.');
      await bringBack();
      await click(page);
      await page.waitForURL(`/p/${own.id}`);
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Unlock Now', exact: true }).click();
      expect((await downloading).suggestedFilename()).toBe('notes.pdf');
    },
  );

  test('says in red why a link that was paused while it was looked at is not sold', async () => {
    const link = await sellFile(seller);
    const page = await openQuietly(409);
    await page.goto(`/p/${link.id}`);
    await updateLink(seller, { id: link.id, paused: true });
    expect((await click(page))?.status()).toBe(409);
    await expectRedAlert(page, 'An error occurred while unlocking.');
    await page.getByText('The seller has paused this link. Please try again later.').waitFor();
    expect(await page.getByRole('button', { name: 'Unlock Now' }).count()).toBe(0);
  });
});

describe('without JavaScript', () => {
  const app = useApp();

  test('the upload page says that uploading needs it', async () => {
    const seller = await signUp(app);
    const page = await openPage(app, { as: seller, javaScript: false });
    await page.goto('/upload');
    await page.locator('noscript p', { hasText: 'Uploading requires JavaScript' }).waitFor();
  });
});
