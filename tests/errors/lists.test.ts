import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readBalance, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { spawnApp } from '../harness/spawn-app.ts';
import { useApp } from '../harness/use-app.ts';
import { takeTableAway } from './take-table-away.ts';

/** Pino's number of the level. */
const INFO = 30;

describeOnSqliteFirst('while the data layer fails', (database) => {
  const app = useApp({ database });
  let creator: Person;
  let link: { id: string };

  beforeAll(async () => {
    creator = await signUp(app);
    link = await sellFile(creator, { price: 1000 });
    const buyer = createPerson(app);
    await payFor(buyer, link.id);
    await waitUntilUnlocked(buyer, link.id);
  });

  /** An empty list as any other, and a quiet word beside it: a failure is only logged. */
  async function expectEmpty(page: Page, specified: string, hint: string): Promise<void> {
    await page.getByText(specified, { exact: true }).waitFor();
    await page.getByRole('status').getByText(hint, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Try again', exact: true }).waitFor();
    expect(await page.locator(`main a[href^="/p/"]`).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  }
  const expectNoLinks = (page: Page) =>
    expectEmpty(page, 'No paywall links yet.', 'Your links could not be loaded.');
  const expectNothingFound = (page: Page) =>
    expectEmpty(page, 'No links found.', 'The links could not be loaded.');

  test('the dashboard shows no links and a balance of 0, and loads both when asked again', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, {
      as: creator,
      expectedErrors:
        /500 \/dashboard|Error: The list could not be loaded|RequestError: Something went wrong on our side\. Please try again\./,
    });
    const [bringLinksBack, bringBalanceBack] = [
      await takeTableAway(app, 'link'),
      await takeTableAway(app, 'user_balance'),
    ];
    expect((await page.goto('/dashboard'))?.status()).toBe(500);
    await page.getByText('Balance: $0.00').waitFor();
    await expectNoLinks(page);
    const logged = page.waitForEvent('console', (message) => message.type() === 'error');
    await page.getByRole('link', { name: 'Try again' }).click();
    await logged;
    await expectNoLinks(page);
    await bringLinksBack();
    await bringBalanceBack();
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByText(`/p/${link.id}`).waitFor();
    await page.getByText('Balance: $9.20').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a balance that alone fails is 0, with the links beside it, until it is loaded again', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app, { as: creator });
    const bringBack = await takeTableAway(app, 'user_balance');
    expect((await page.goto('/dashboard'))?.status()).toBe(200);
    await page.getByText('Balance: $0.00').waitFor();
    await page.getByText(`/p/${link.id}`).waitFor();
    await page.getByText('Your balance could not be loaded.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await bringBack();
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByText('Balance: $9.20').waitFor();
    await page.getByText(`/p/${link.id}`).waitFor();
  });

  test('links that alone fail leave the balance standing', { tags: 'long' }, async () => {
    const page = await openPage(app, { as: creator, expectedErrors: /500 \/dashboard/ });
    const bringBack = await takeTableAway(app, 'link');
    await page.goto('/dashboard');
    await page.getByText('Balance: $9.20').waitFor();
    await expectNoLinks(page);
    await bringBack();
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByText(`/p/${link.id}`).waitFor();
  });

  test.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])(
    'explore shows an empty list, and loads it when asked again, %s',
    { tags: 'long' },
    async (_title, javaScript) => {
      const page = await openPage(app, {
        javaScript,
        expectedErrors:
          /500 \/explore|RequestError: Something went wrong on our side\. Please try again\./,
      });
      const bringBack = await takeTableAway(app, 'link');
      expect((await page.goto('/explore'))?.status()).toBe(500);
      await expectNothingFound(page);
      const logged = page.waitForEvent('console', (message) => message.type() === 'error');
      await page.getByRole('link', { name: 'Try again' }).click();
      await logged;
      await expectNothingFound(page);
      await bringBack();
      await page.getByRole('link', { name: 'Try again' }).click();
      await page.getByText('$10.00').waitFor();
      expect(await page.getByText(/No links found|could not be loaded/).count()).toBe(0);
    },
  );

  test('a page that needs to know who asks says that something went wrong, as a page', async () => {
    const page = await openPage(app, { as: creator, expectedErrors: /500 \/dashboard/ });
    const bringBack = await takeTableAway(app, 'session');
    expect((await page.goto('/dashboard'))?.status()).toBe(500);
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await bringBack();
    await page.reload();
    await page.getByText(`/p/${link.id}`).waitFor();
  });
});

describe('an account without a balance record', () => {
  const app = useApp();

  test('has a balance of 0', { tags: 'long' }, async () => {
    const creator = await signUp(app);
    expect(await readBalance(creator)).toBe(0);
    const page = await openPage(app, { as: creator });
    await page.goto('/dashboard');
    await page.getByText('Balance: $0.00').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

test('what a page could not load is logged by the server, with the cause', {
  tags: 'long',
}, async () => {
  const app = await spawnApp({ env: { LOG_LEVEL: 'error' } });
  onTestFinished(async () => {
    await app.stop();
  });
  const creator = await signUp(app);
  await takeTableAway(app, 'link');
  await takeTableAway(app, 'user_balance');
  const failures = {
    explore: { listPaywallLinks: 'link' },
    dashboard: { listPaywallLinks: 'link', getUserBalance: 'user_balance' },
  };
  for (const [page, failed] of Object.entries(failures)) {
    const before = app.output().length;
    const answer = await creator.fetch(`/${page}`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).toMatch(/inks could not be loaded\./);
    await eventually(() => {
      const logged = app.output().slice(before);
      for (const [field, table] of Object.entries(failed)) {
        expect(logged).toContain(`page ${page} could not load ${field}`);
        expect(logged).toContain(`no such table: ${table}`);
      }
    });
  }
});

test('a bad address that a visitor made up is no error in the log of the server', {
  tags: 'long',
}, async () => {
  const app = await spawnApp({ env: { LOG_LEVEL: 'debug' } });
  onTestFinished(async () => {
    await app.stop();
  });
  expect((await fetch(`${app.origin}/explore?after=zzz`)).status).toBe(400);
  await eventually(() => {
    const lines = app.output().split('\n');
    const line = lines.find((said) => said.includes('page explore could not load'));
    expect(JSON.parse(line ?? '{}').level).toBe(INFO);
  });
});
