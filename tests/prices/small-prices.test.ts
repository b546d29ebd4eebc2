import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkOutCart, postForm, sessionOf } from '../factories/cart-steps.ts';
import {
  askGraphql,
  createLink,
  graphql,
  sellFile,
  signUp,
  UPDATE_LINK,
  updateLink,
} from '../factories/factories.ts';
import {
  buyOnce,
  expectBooks,
  readWholeBalance,
  sellDisputed,
  sellOnce,
} from '../factories/money.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { useShop } from '../factories/use-shop.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { startStripeStandIn } from '../harness/stripe-stand-in.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);
const provider = await startStripeStandIn();
afterAll(provider.stop);

const CREATE_DISCOUNT = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
const CREATE =
  'mutation ($input: CreatePaywallLinkInput!) { createPaywallLink(input: $input) { id } }';

// Of a cent the platform's fee is all, and 30 cents are the provider's cost.
const SOLD = { provider: 29, platform_fee: 1, creator: 0, processing_cost: -30 };
const GIVEN_BACK = { ...SOLD, provider: 30, platform_fee: 0 };

describeOnSqliteFirst('a price from one cent on', (database) => {
  const { app, seller, newBuyer, begin } = useShop(database, sandboxPort);

  test('of a cent is paid, all of it the fee, and given back or disputed like any other', {
    tags: 'long',
  }, async () => {
    const { id, payment } = await sellOnce(seller, sandboxPort, { price: 1 });
    await expectBooks(app, id, SOLD);
    await stripe.refunds.create({ payment_intent: payment });
    await expectBooks(app, id, GIVEN_BACK);
    const other = await sellDisputed(seller, sandboxPort, { price: 1 });
    await expectBooks(app, other.id, {
      provider: 1530,
      platform_fee: 1,
      creator: -1,
      processing_cost: -30,
      dispute_fee: -1500,
    });
    expect(await readWholeBalance(seller)).toMatchObject({ balance: -1 });
    const table = await (await seller.fetch('/dashboard/sales.csv')).text();
    expect(table).toMatch(/,0\.01,0\.01,0\.00,0\.00,0\.01,-0\.01,usd,/);
  });

  test('of which the fee leaves one cent is given back in parts, by exact shares', async () => {
    const { id } = await sellFile(seller, { price: 33 });
    const { payment } = await buyOnce(seller, sandboxPort, id);
    const sold = { provider: -2, platform_fee: 32, creator: 1, processing_cost: -31 };
    await expectBooks(app, id, sold);
    await stripe.refunds.create({ payment_intent: payment, amount: 16 });
    await expectBooks(app, id, { ...sold, provider: 14, platform_fee: 16 });
    await stripe.refunds.create({ payment_intent: payment });
    await expectBooks(app, id, { ...sold, provider: 31, platform_fee: 0, creator: 0 });
  });

  test('of a cent may be set anew, of a bundle, named by the buyer and what a code leaves', async () => {
    const parts = [await sellFile(seller), await sellFile(seller)].map(({ id }) => id);
    expect(await updateLink(seller, { id: parts[0] ?? '', price: 1 })).toMatchObject({ price: 1 });
    const bundle = await createLink(seller, { type: 'bundle', title: 'Both', price: 1, parts });
    await buyOnce(seller, sandboxPort, bundle.id);
    await expectBooks(app, bundle.id, SOLD);
    await updateLink(seller, { id: bundle.id, price: 500, least: 1 });
    const namer = newBuyer();
    const named = await postJson(namer, '/prod/checkout', { paywallId: bundle.id, amount: '0.01' });
    const { url } = (await named.json()) as { url: string };
    expect((await payAt(namer, url)).status).toBe(303);
    const { id } = await createLink(seller, {
      type: 'link',
      url: 'https://example.com',
      price: 60,
    });
    await graphql(seller, CREATE_DISCOUNT, { input: { code: 'ALMOST', amount: 59, links: [id] } });
    const coded = await begin(newBuyer(), id, 'ALMOST');
    const { amount_total } = await stripe.checkout.sessions.retrieve(
      sessionOf(((await coded.json()) as { url: string }).url),
    );
    expect(amount_total).toBe(1);
  });

  test('of a cent is paid with others in a cart, whose fee leaves something together', {
    tags: 'long',
  }, async () => {
    const links = [await sellFile(seller, { price: 1 }), await sellFile(seller, { price: 99 })];
    const buyer = newBuyer();
    for (const { id } of links) await postForm(buyer, '/cart/add', { paywallId: id });
    await payAt(buyer, (await checkOutCart(buyer)).headers.get('location') ?? '');
    // The fee is 35 of 100 cents: by their prices 0.35 of the one, and 34.65 of the other.
    const [cheap, dear] = links.map(({ id }) => id);
    await expectBooks(app, cheap ?? '', {
      provider: -1,
      platform_fee: 0,
      creator: 1,
      processing_cost: 0,
    });
    await expectBooks(app, dear ?? '', {
      provider: -66,
      platform_fee: 35,
      creator: 64,
      processing_cost: -33,
    });
  });
});

describeOnSqliteFirst('where Stripe charges cards', (database) => {
  const app = useApp({ database, env: provider.env, overrides: provider.overrides });
  const REASON = 'Cards cannot be charged less than $0.50.';
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  const sell = (price: number) =>
    createLink(seller, { type: 'link', url: 'https://example.com/', price });
  async function refusalOf(query: string, input: object) {
    const { errors } = await askGraphql(seller, query, { input });
    return `${errors?.[0]?.extensions?.code}: ${errors?.[0]?.message}`;
  }
  async function refusalAt(paywallId: string, more: object = {}) {
    const answer = await postJson(createPerson(app), '/prod/checkout', { paywallId, ...more });
    const { code, detail } = (await answer.json()) as { code: string; detail: string };
    return `${code}: ${detail}`;
  }

  test('a smaller price is refused with that reason, new and changed', async () => {
    const refused = `INVALID_PRICE: ${REASON}`;
    const file = { type: 'link', url: 'https://example.com/' };
    for (const price of [1, 49]) {
      expect(await refusalOf(CREATE, { ...file, price })).toBe(refused);
    }
    const { id } = await sell(50);
    expect(await refusalOf(UPDATE_LINK, { id, price: 49 })).toBe(refused);
    expect(await refusalOf(UPDATE_LINK, { id, least: 49, price: 500 })).toBe(refused);
    const parts = [id, (await sell(50)).id];
    const bundle = { type: 'bundle', title: 'Both', parts };
    expect(await refusalOf(CREATE, { ...bundle, price: 49 })).toBe(refused);
    expect(await checkOut(createPerson(app), id)).toMatch(/^http/);
  });

  test('no code and no buyer lowers a price below it', async () => {
    const { id } = await sell(100);
    await graphql(seller, CREATE_DISCOUNT, { input: { code: 'MOST', amount: 51, links: [id] } });
    expect(await refusalAt(id, { code: 'MOST' })).toMatch(/^DISCOUNT_REFUSED: .*than can be paid/);
    await updateLink(seller, { id, least: 0 });
    expect(await refusalAt(id, { amount: '0.49' })).toBe(
      'INVALID_PRICE: Name a price of $0.50 or more.',
    );
    expect(await readPage(createPerson(app), `/p/${id}`)).toContain(
      '$0.50 or more, or 0 to pay nothing.',
    );
  });

  test('a link that was priced in the sandbox is not sold until its price is enough', async () => {
    const { id } = await sell(100);
    const early = createPerson(app);
    await postForm(early, '/cart/add', { paywallId: id });
    await withDatabase(app, (db) =>
      db.updateTable('link').set({ price_cents: 1 }).where('id', '=', id).execute(),
    );
    const reason = 'This costs less than can be paid by card, so it cannot be bought.';
    expect(await refusalAt(id)).toBe(`INVALID_PRICE: ${reason} Nothing was charged.`);
    const isAvailable = async () =>
      (await readJson<{ available: boolean }>(await createPerson(app).fetch(`/p/${id}/offer.json`)))
        .available;
    expect(await isAvailable()).toBe(false);
    const buyer = createPerson(app);
    const added = await postForm(buyer, '/cart/add', { paywallId: id });
    expect(await added.text()).toContain(reason);
    expect(await readPage(early, '/cart')).toContain(reason);
    await updateLink(seller, { id, title: 'A title' });
    await updateLink(seller, { id, price: 50 });
    expect(await isAvailable()).toBe(true);
    expect(await checkOut(buyer, id)).toMatch(/^http/);
  });
});
