import { randomBytes } from 'node:crypto';
import type { Page, Request, Response } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { signUpOnPage, waitUntilAlive } from '../journeys/steps.ts';

type Call = { query: string; variables: Record<string, unknown> };
type Listed = { listPaywallLinks: { items: object[] } };

/** The GraphQL request that `act` makes the page send, in which these words stand. */
async function callOf(page: Page, words: string, act: () => Promise<unknown>) {
  const isIt = (request: Request) =>
    request.url().endsWith('/graphql') && (request.postData() ?? '').includes(words);
  const [request] = await Promise.all([page.waitForRequest(isIt), act()]);
  const { query, variables } = request.postDataJSON() as Call;
  return { request, query: query.replace(/\s+/g, ' '), variables };
}

/** What the page is told in answer: the fields it reads. */
async function answerTo<Data>(request: Request): Promise<Data> {
  const answer = (await request.response()) as Response;
  return ((await answer.json()) as { data: Data }).data;
}

describe('the calls of the pages', () => {
  const app = useApp();
  let creator: Person;
  let sub: string;
  let oldest = '';

  beforeAll(async () => {
    creator = await signUp(app);
    sub = (await readJson<{ sub: string }>(await creator.fetch('/api/user-attributes'))).sub;
    // One more than a page of the list holds.
    for (let count = 0; count <= 50; count += 1) {
      const { id } = await createLink(creator, {
        type: 'link',
        url: `https://example.com/${count}`,
        price: 123,
      });
      oldest ||= id;
    }
  });

  const runtimeConfig = async () =>
    readJson<Record<string, string>>(await fetch(`${app.origin}/config.json`));

  test('the dashboard lists links whose owner equals the user’s id, and gets the balance by it: id, price and balance', async () => {
    const page = await openPage(app, { as: creator });
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    // The page asks by itself as well, for what its live connection may have missed.
    const { request, query, variables } = await callOf(page, '"after":"', () =>
      page.getByRole('link', { name: 'Show older links' }).click(),
    );
    expect(query).toContain('listPaywallLinks(filter: { owner: { eq: $owner } }');
    expect(query).toContain('getUserBalance(id: $user)');
    expect(variables).toMatchObject({ owner: sub, user: sub });
    // Nobody has bought anything: there is no record, but it was asked for.
    expect(query).toMatch(/getUserBalance\(id: \$user\) \{ balance /);
    expect(await answerTo<Listed>(request)).toMatchObject({
      listPaywallLinks: { items: [{ id: oldest, price: 123 }] },
      getUserBalance: null,
    });
  });

  test('explore lists links without a filter: id and price', { tags: 'long' }, async () => {
    const page = await openPage(app);
    await page.goto('/explore');
    await waitUntilAlive(page);
    const { request, query, variables } = await callOf(page, 'Explore', () =>
      page.getByRole('link', { name: 'Show more links' }).scrollIntoViewIfNeeded(),
    );
    expect(query).toContain('listPaywallLinks(');
    expect(variables).not.toHaveProperty('filter');
    expect(variables).not.toHaveProperty('search');
    expect(await answerTo<Listed>(request)).toMatchObject({
      listPaywallLinks: { items: [{ id: oldest, price: 123 }] },
    });
  });

  test('the paywall page gets unlocked, type, key and url, by the publishable key of every page', {
    tags: 'long',
  }, async () => {
    const { id } = await sellFile(creator);
    const page = await openPage(app);
    await page.goto(`/p/${id}`);
    await waitUntilAlive(page);
    const { query, variables, request } = await callOf(page, 'UnlockLink', () =>
      page.getByRole('button', { name: 'Unlock Now' }).click(),
    );
    expect(query).toContain('{ unlocked type key url }');
    expect(variables).toEqual({ id });
    const { apiKey } = await runtimeConfig();
    expect(request.headers()).toMatchObject({ 'x-api-key': apiKey });
    await page.waitForURL(/\/sandbox\/checkout\//);
  });

  test('the paywall page posts the paywallId to the prod stage of the checkout and follows the url of the answer', async () => {
    const { id } = await sellFile(creator);
    const page = await openPage(app);
    const { checkoutApiEndpoint } = await runtimeConfig();
    expect(checkoutApiEndpoint).toBe(`${app.origin}/prod/`);
    const posted: unknown[] = [];
    let answer: Record<string, string> = {};
    // Read on its way: the browser forgets an answer's body when it leaves the page.
    await page.route(`${checkoutApiEndpoint}checkout`, async (route) => {
      posted.push(route.request().method(), route.request().postDataJSON());
      const response = await route.fetch();
      answer = await response.json();
      await route.fulfill({ response });
    });
    await page.goto(`/p/${id}`);
    await waitUntilAlive(page);
    await page.getByRole('button', { name: 'Unlock Now' }).click();
    await page.waitForURL(/\/sandbox\/checkout\//);
    // Beside it, by which two first checkouts at once are known to be one visitor's.
    const key = expect.stringMatching(/^\d+(\.\d+){5}$/);
    expect(posted).toEqual(['POST', { paywallId: id, key }]);
    expect(answer).toEqual({ url: page.url() });
  });

  test.each([
    ['file', { url: null }],
    ['link', { key: null, url: 'https://example.com/sold' }],
  ])(
    'the paywall page of unlocked content is told its type and what it is: %s',
    { tags: 'long' },
    async (type, content) => {
      const { id } =
        type === 'file'
          ? await sellFile(creator)
          : await createLink(creator, { type: 'link', url: 'https://example.com/sold' });
      const buyer = createPerson(app);
      await payFor(buyer, id);
      await waitUntilUnlocked(buyer, id);
      const page = await openPage(app, { as: buyer });
      await page.goto(`/p/${id}`);
      await waitUntilAlive(page);
      // The content itself is of no interest here, and example.com out of reach.
      await page.route(`**/p/${id}/content`, (route) => route.fulfill({ status: 204 }));
      const label = type === 'file' ? 'Download' : 'Open';
      const { request } = await callOf(page, 'UnlockLink', () =>
        page.getByRole('button', { name: label, exact: true }).click(),
      );
      expect(await answerTo<object>(request)).toMatchObject({
        getPaywallLink: { unlocked: true, type, ...content },
      });
    },
  );

  test('the upload creates a link of type file with id, key, unlocked false, price and owner', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app);
    await signUpOnPage(page, app);
    const { sub: owner } = (await (await page.request.get('/api/user-attributes')).json()) as {
      sub: string;
    };
    await page.goto('/upload');
    await waitUntilAlive(page);
    await page
      .getByLabel('Choose File')
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: randomBytes(100) });
    await page.getByLabel('Price (USD)').fill('2.50');
    const { variables } = await callOf(page, 'CreatePaywallLink', () =>
      page.getByRole('button', { name: 'Upload', exact: true }).click(),
    );
    const { id } = variables.input as { id: string };
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(variables.input).toMatchObject({
      type: 'file',
      key: `public/${id}-notes.txt`,
      unlocked: false,
      price: 250,
      owner,
    });
    await page.getByText('Your paywall link:').waitFor();
  });
});
