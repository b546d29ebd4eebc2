import { beforeAll, describe, expect, test } from 'vitest';
import {
  createLink,
  graphql,
  publishableKey,
  readMail,
  sellFile,
  signUp,
} from '../factories/factories.ts';
import { BUYER_EMAIL, CARDS, checkOut, payAt, payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const ADDRESS = { type: 'link', url: 'https://example.com/' };
/** What a browser and the page itself write of a refused checkout. */
const REFUSED = /409 \/prod\/checkout|Error: Failed to create checkout session/;
const SUSPENDED = 'Your access is on hold while your bank reviews the dispute.';

describe('what the screens say of a link', () => {
  const app = useApp();
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  test('a free link says Free on the paywall and on explore, where others have a price', {
    tags: 'long',
  }, async () => {
    const { id } = await createLink(seller, { ...ADDRESS, unlocked: true, price: 700 });
    const page = await openPage(app);
    await page.goto('/explore');
    const link = page.locator(`a[href="/p/${id}"]`);
    const row = page.getByRole('listitem').filter({ has: link });
    await row.getByText('Free', { exact: true }).waitFor();
    expect(await row.getByText('$7.00').count()).toBe(0);
    await row.click();
    await page.getByRole('heading', { name: 'Paywalled Content' }).waitFor();
    await page.getByText('Free', { exact: true }).waitFor();
    expect(await page.content()).not.toContain('$7.00');
  });

  test('a free link says so beside its price to its owner, a bought one does not', {
    tags: 'long',
  }, async () => {
    const owner = await signUp(app);
    const free = await createLink(owner, { ...ADDRESS, unlocked: true, price: 700 });
    const sold = await sellFile(owner, { price: 800 });
    const page = await openPage(app, { as: owner });
    await page.goto('/dashboard');
    const row = (id: string) => page.getByRole('listitem').filter({ hasText: id });
    await row(free.id).getByText('$7.00', { exact: true }).waitFor();
    await row(free.id).getByText('Free', { exact: true }).waitFor();
    expect(await row(sold.id).getByText('Free', { exact: true }).count()).toBe(0);
  });

  test('a buyer whose payment is disputed reads that access rests, and is not asked to pay again', {
    tags: 'long',
  }, async () => {
    const { id } = await sellFile(seller, { name: 'notes.pdf' });
    const buyer = createPerson(app);
    await payAt(buyer, await checkOut(buyer, id), CARDS.isDisputed);
    const page = await openPage(app, { as: buyer });
    await page.goto(`/p/${id}`);
    await page.getByText(SUSPENDED, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Unlock Now' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText(SUSPENDED, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Unlock Now' }).count()).toBe(0);
    const stranger = await openPage(app);
    await stranger.goto(`/p/${id}`);
    await stranger.getByRole('button', { name: 'Unlock Now' }).waitFor();
    expect(await stranger.getByText(SUSPENDED).count()).toBe(0);
    const query = `{ getPaywallLink(id: "${id}") { suspended } }`;
    const key = await publishableKey(buyer);
    expect(await graphql(buyer, query, {}, key)).toEqual({ getPaywallLink: { suspended: true } });
    expect(await graphql(seller, query)).toEqual({ getPaywallLink: { suspended: false } });
  });

  test('a buyer whose payment is disputed is refused another checkout of the same, whatever page is still open', {
    tags: 'long',
  }, async () => {
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    const openPages = [];
    for (const javaScript of [true, false]) {
      const page = await openPage(app, { as: buyer, javaScript, expectedErrors: REFUSED });
      await page.goto(`/p/${id}`);
      openPages.push(page);
    }
    const hosted = await checkOut(buyer, id);
    await payAt(buyer, hosted, CARDS.isDisputed);
    const suspended = await openPage(app, { as: buyer });
    await suspended.goto(`/p/${id}`);
    await suspended.getByText(SUSPENDED, { exact: true }).waitFor();
    const refusal = await postJson(buyer, '/prod/checkout', { paywallId: id });
    expect(refusal.status).toBe(409);
    expect(await refusal.json()).toMatchObject({ code: 'ACCESS_SUSPENDED', detail: SUSPENDED });
    const cookies = [...buyer.cookies].map(([name, value]) => ({ name, value, url: app.origin }));
    for (const page of openPages) {
      await page.context().addCookies(cookies);
      await page.getByRole('button', { name: 'Unlock Now' }).click();
      await page.getByText(SUSPENDED, { exact: true }).waitFor();
    }
  });

  test('a link without a title has one name on explore, paywall, checkout and receipt', {
    tags: 'long',
  }, async () => {
    const { id } = await sellFile(seller);
    const name = `Paid link ${id}`;
    const buyer = createPerson(app);
    const page = await openPage(app, { as: buyer });
    await page.goto('/explore');
    await page.locator(`a[href="/p/${id}"]`).getByText(name, { exact: true }).click();
    await page.getByRole('heading', { name: 'Paywalled Content' }).waitFor();
    await page.getByText(name, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Unlock Now' }).click();
    await page.waitForURL(/\/sandbox\/checkout\//);
    await page.getByText(name, { exact: true }).first().waitFor();
    await payFor(buyer, id);
    await readMail(app, BUYER_EMAIL, new RegExp(`^Your purchase: ${name}$`));
  });

  test('in the sandbox the paywall says once that no real money moves, and promises no checkout by Stripe', async () => {
    const { id } = await sellFile(seller, { price: 499 });
    const page = await openPage(app);
    await page.goto(`/p/${id}`);
    expect(await page.getByText(/no real money/).allTextContents()).toEqual([
      'Sandbox: no real money moves',
    ]);
    const description = page.locator('meta[name="description"]');
    expect(await description.getAttribute('content')).toBe(
      'Unlock for $4.99. Test checkout: no real money moves, no account needed.',
    );
    expect(await page.content()).not.toContain('Secure checkout by Stripe');
  });
});
