import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createLink,
  sellFile,
  signUp,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage, type PageOptions } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { openLivePage, waitUntilAlive } from '../journeys/steps.ts';
import { pressBack, watchRestores } from './history.ts';
import { holdRequests } from './hold-requests.ts';

describe('the paywall screen', () => {
  const app = useApp();
  let creator: Person;
  let sold: Awaited<ReturnType<typeof sellFile>>;

  beforeAll(async () => {
    creator = await signUp(app);
    sold = await sellFile(creator, { name: 'notes.pdf', price: 499 });
  });

  async function openPaywall(id: string, options: PageOptions = {}): Promise<Page> {
    const page = await openPage(app, options);
    await page.goto(`/p/${id}`);
    return page;
  }

  const unlock = (page: Page) => page.getByRole('button', { name: 'Unlock Now', exact: true });
  const download = (page: Page) => page.getByRole('button', { name: 'Download', exact: true });
  const busy = (page: Page) => page.getByRole('button', { name: 'Unlocking...', exact: true });

  test('says that the content is locked and offers to unlock it', { tags: 'long' }, async () => {
    const page = await openPaywall(sold.id);
    expect(await page.title()).toBe('Paywalled Content · Padlink');
    await page.getByRole('heading', { level: 1, name: 'Paywalled Content', exact: true }).waitFor();
    await page
      .getByText(
        'This content is locked behind a paywall. Click the button below to unlock access.',
        { exact: true },
      )
      .waitFor();
    await page.getByText('$4.99', { exact: true }).waitFor();
    expect(await unlock(page).isEnabled()).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('leads to the checkout from a page whose browser has been forgotten meanwhile', {
    tags: 'long',
  }, async () => {
    const buyer = createPerson(app);
    await payFor(buyer, sold.id);
    await waitUntilUnlocked(buyer, sold.id);
    const page = await openPage(app, { as: buyer });
    // A connected page finds out by itself.
    await page.routeWebSocket('**/graphql', () => {});
    await page.goto(`/p/${sold.id}`);
    await waitUntilAlive(page);
    await page.context().clearCookies();
    await download(page).click();
    await page.waitForURL(/\/sandbox\/checkout\//);
  });

  test('has the title of the link in its own title, and tells the file to nobody', {
    tags: 'long',
  }, async () => {
    const url = 'https://example.com/';
    const { id } = await createLink(creator, { type: 'link', url, title: 'Algebra in a week' });
    const page = await openPaywall(id);
    expect(await page.title()).toBe('Algebra in a week · Padlink');
    await page.goto(`/p/${sold.id}`);
    expect(await page.content()).not.toContain('notes.pdf');
  });

  test('the button is busy and disabled while the request runs, then idle again', async () => {
    const page = await openPaywall(sold.id, {
      expectedErrors: /net::ERR_FAILED \/graphql|TypeError: Failed to fetch/,
    });
    await waitUntilAlive(page);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      await promise;
      await route.abort();
    });
    await unlock(page).click();
    await busy(page).waitFor();
    expect(await busy(page).isDisabled()).toBe(true);
    expect(await unlock(page).count()).toBe(0);
    resolve();
    await unlock(page).waitFor();
    expect(await unlock(page).isEnabled()).toBe(true);
    expect(await busy(page).count()).toBe(0);
  });

  test('the button is idle again on the way back from the checkout', { tags: 'long' }, async () => {
    const page = await openPage(app, { backForwardCache: true });
    const restored = await watchRestores(page);
    await page.goto(`/p/${sold.id}`);
    await waitUntilAlive(page);
    await unlock(page).click();
    await page.waitForURL(/\/sandbox\/checkout\//);
    await pressBack(page);
    await page.waitForURL(`/p/${sold.id}`, { waitUntil: 'commit' });
    await unlock(page).waitFor();
    expect(restored.at(-1)).toBe(true);
    expect(await unlock(page).isEnabled()).toBe(true);
    await unlock(page).click();
    await page.waitForURL(/\/sandbox\/checkout\//);
  });

  test.each([
    ['it is alive', '**/assets/hydrate-page-*.js'],
    ['its script came', '**/assets/*.js'],
  ])(
    'a button pressed before %s says so and leads on as well, and is idle after the way back',
    { tags: 'long' },
    async (_when, scripts) => {
      const page = await openPage(app, { backForwardCache: true });
      const letThrough = await holdRequests(page, scripts);
      await page.addInitScript(keepWhatIsSaid);
      await page.goto(`/p/${sold.id}`, { waitUntil: 'commit' });
      await unlock(page).click();
      await page.waitForURL(/\/sandbox\/checkout\//);
      letThrough();
      await pressBack(page);
      await page.waitForURL(`/p/${sold.id}`, { waitUntil: 'commit' });
      await unlock(page).waitFor();
      expect(await unlock(page).isEnabled()).toBe(true);
      expect(await page.evaluate(() => sessionStorage.getItem('said'))).toBe('Unlocking...');
    },
  );

  test('a file that is unlocked is downloaded through a signed storage link', {
    tags: 'long',
  }, async () => {
    const buyer = createPerson(app);
    await payFor(buyer, sold.id);
    await waitUntilUnlocked(buyer, sold.id);
    const page = await openPaywall(sold.id, { as: buyer });
    const downloading = page.waitForEvent('download');
    expect(await unlock(page).count()).toBe(0);
    await download(page).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe('notes.pdf');
    expect(new URL(file.url()).pathname).toMatch(/^\/download\/[\w.-]{20,}/);
    expect((await readFile(await file.path())).equals(sold.bytes)).toBe(true);
    await download(page).waitFor();
    expect(await download(page).isEnabled()).toBe(true);
  });

  test('a web address that is unlocked is where the browser is led to', {
    tags: 'long',
  }, async () => {
    const { id } = await createLink(creator, { type: 'link', url: `${app.origin}/terms?bought` });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const page = await openPaywall(id, { as: buyer });
    expect(await unlock(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.waitForURL('/terms?bought');
  });

  const WAYS = [
    ['with JavaScript', true],
    ['without JavaScript', false],
  ] as const;
  const LOCKED =
    'This content is locked behind a paywall. Click the button below to unlock access.';

  async function expectSpecifiedWords(page: Page) {
    await page.getByRole('heading', { level: 1, name: 'Paywalled Content', exact: true }).waitFor();
    await page.getByText(LOCKED, { exact: true }).waitFor();
    await unlock(page).waitFor();
    expect(await download(page).count()).toBe(0);
  }

  /** A page that is about to be pressed, and every checkout that it asks for. */
  async function openReady(id: string, { javaScript, ...options }: PageOptions) {
    const page = await openPaywall(id, { javaScript, ...options });
    if (javaScript) await waitUntilAlive(page);
    const checkouts: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('checkout')) checkouts.push(request.url());
    });
    return { page, checkouts };
  }

  async function expectDelivery(page: Page, what: 'a file' | 'a web address') {
    const downloading = what === 'a file' ? page.waitForEvent('download') : null;
    await unlock(page).click();
    if (!downloading) return page.waitForURL('/terms?sold');
    const file = await downloading;
    expect(file.suggestedFilename()).toBe('own.pdf');
    expect(new URL(file.url()).pathname).toMatch(/^\/download\/[\w.-]{20,}/);
  }

  async function sell(what: 'a file' | 'a web address', unlocked: boolean): Promise<string> {
    const content =
      what === 'a file'
        ? { key: (await uploadFile(creator, { name: 'own.pdf', bytes: new Uint8Array(9) })).key }
        : { type: 'link', url: `${app.origin}/terms?sold` };
    return (await createLink(creator, { ...content, unlocked })).id;
  }

  describe.each(WAYS)('%s', (_way, javaScript) => {
    test.each(['a file', 'a web address'] as const)(
      'unlocks %s that is free at once, for a visitor, its owner and in its preview',
      async (what) => {
        const id = await sell(what, true);
        const owner = { as: creator, javaScript };
        for (const [path, options] of [
          [id, { javaScript }],
          [id, owner],
          [`${id}?preview=buyer`, owner],
        ] as const) {
          const { page, checkouts } = await openReady(path, options);
          await expectSpecifiedWords(page);
          await page.getByText('Free', { exact: true }).first().waitFor();
          await expectDelivery(page, what);
          expect(checkouts).toEqual([]);
        }
      },
    );

    test.each(['a file', 'a web address'] as const)(
      'lets the owner of %s unlock it without paying, also while it is paused',
      { tags: 'long' },
      async (what) => {
        const id = await sell(what, false);
        for (const paused of [false, true]) {
          await updateLink(creator, { id, paused });
          const { page, checkouts } = await openReady(id, { as: creator, javaScript });
          await expectSpecifiedWords(page);
          await page.getByRole('complementary', { name: 'Your link', exact: true }).waitFor();
          await expectDelivery(page, what);
          expect(checkouts).toEqual([]);
        }
      },
    );

    test('leads to the checkout if a free link has a price by the time it is pressed', {
      tags: 'long',
    }, async () => {
      const id = await sell('a file', true);
      const page = await openPage(app, { javaScript });
      // It does not hear of the price.
      await page.routeWebSocket('**/graphql', () => {});
      await page.goto(`/p/${id}`);
      if (javaScript) await waitUntilAlive(page);
      await updateLink(creator, { id, unlocked: false });
      await unlock(page).click();
      // Without JavaScript, by way of the page that says the price.
      if (!javaScript) {
        await page.getByText('$5.00', { exact: true }).waitFor();
        await unlock(page).click();
      }
      await page.waitForURL(/\/sandbox\/checkout\//);
    });
  });

  test('a free link, and one of the viewer’s own, say the same once they were asked for again', {
    tags: 'long',
  }, async () => {
    for (const [id, as] of [
      [await sell('a file', true), undefined],
      [await sell('a file', false), creator],
    ] as const) {
      const page = await openPage(app, as && { as });
      await openLivePage(page, `/p/${id}`);
      await updateLink(creator, { id, description: 'With solutions.' });
      await page.getByText('With solutions.', { exact: true }).waitFor();
      await expectSpecifiedWords(page);
      await expectDelivery(page, 'a file');
    }
  });
});

/** Runs in the page: keeps what the button says once its form was sent. */
function keepWhatIsSaid() {
  addEventListener('submit', ({ submitter }) => {
    setTimeout(() => sessionStorage.setItem('said', submitter?.textContent ?? ''));
  });
}
