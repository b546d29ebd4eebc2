import { beforeAll, expect, test } from 'vitest';
import {
  askGraphql,
  createLink,
  graphql,
  publishableKey,
  sellFile,
  signUp,
  UPDATE_LINK,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { expectBooks } from '../factories/money.ts';
import { payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPersonAt, type Person, postJson, readJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

describeOnSqliteFirst('a price that the buyer names', (database) => {
  const app = useApp({ database, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  let seller: Person;
  let addresses = 0;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  function newBuyer(): Person {
    addresses += 1;
    return createPersonAt(app, `198.51.100.${addresses}`);
  }
  const begin = (buyer: Person, paywallId: string, amount?: string, code?: string) =>
    postJson(buyer, '/prod/checkout', { paywallId, amount, code });
  const checkOut = async (buyer: Person, id: string, amount?: string) =>
    (await readJson<{ url: string }>(await begin(buyer, id, amount))).url;
  async function refusalOf(answer: Promise<Response>) {
    const { code, detail } = (await (await answer).json()) as Record<string, string>;
    return `${code}: ${detail}`;
  }
  const purchases = (link: string) =>
    withDatabase(app, (db) =>
      db
        .selectFrom('purchase')
        .where('link_id', '=', link)
        .orderBy('created_at')
        .select(['state', 'price_cents'])
        .execute(),
    );
  const seen = (path: string) => readPage(newBuyer(), path);

  test('is what they pay, from the smallest one on', async () => {
    const { id } = await sellFile(seller, { price: 500 });
    await updateLink(seller, { id, title: 'Algebra in a week', least: 200 });
    await graphql(seller, 'mutation { createDiscount(input: { code: "TENTH", percent: 10 }) }');
    const buyer = newBuyer();
    for (const amount of ['1.99', '0']) {
      const refusal = await refusalOf(begin(buyer, id, amount));
      expect(refusal).toBe('INVALID_PRICE: Name a price of $2.00 or more.');
    }
    for (const amount of ['much', '', '-5', '1e3', '2.001']) {
      expect(await refusalOf(begin(buyer, id, amount))).toMatch(/^INVALID_PRICE: Enter a price/);
    }
    expect(await refusalOf(begin(buyer, id, '5', 'TENTH'))).toMatch(/codes do not apply here/);
    const first = await checkOut(buyer, id, '2,50');
    expect(await checkOut(buyer, id, '2.50')).toBe(first);
    const url = await checkOut(buyer, id, '$12');
    expect(url).not.toBe(first);
    // Another suggestion changes nothing for who has named a price.
    await updateLink(seller, { id, price: 700 });
    expect((await payAt(buyer, url)).status).toBe(303);
    await waitUntilUnlocked(buyer, id);
    await expectBooks(app, id, {
      creator: 1110,
      platform_fee: 90,
      provider: -1135,
      processing_cost: -65,
    });
    const page = await seen(`/p/${id}`);
    for (const words of ['Your price (USD)', '$2.00 or more.']) {
      expect(page).toContain(words);
    }
    // Said by the field that it is named in.
    expect(page).not.toContain('From $2.00');
    expect(page).not.toContain('discount code');
    expect(await seen('/explore')).toContain('From $2.00');
    expect(await readPage(seller, '/dashboard')).toContain('From $2.00');
    expect(await (await newBuyer().fetch(`/p/${id}/offer.json`)).text()).toContain('From $2.00');
    const posted = await newBuyer().fetch('/prod/checkout', {
      method: 'POST',
      body: new URLSearchParams({ paywallId: id, amount: '1' }),
    });
    expect(posted.status).toBe(400);
    expect(await posted.text()).toContain('Name a price of $2.00 or more.');
    // What may have separators of thousands is no other price than was meant.
    for (const amount of ['1.234,50', '1,234.50', '1.234', '1,234']) {
      const doubtful = await newBuyer().fetch('/prod/checkout', {
        method: 'POST',
        body: new URLSearchParams({ paywallId: id, amount }),
      });
      expect(doubtful.status).toBe(400);
      expect(await doubtful.text()).toContain('Enter a price in dollars, such as 5 or 4.99.');
    }
    // Nobody pays less than it costs now, and nobody names the price any more.
    const leaving = newBuyer();
    await checkOut(leaving, id, '3');
    await updateLink(seller, { id, least: -1 });
    await eventually(async () =>
      expect((await purchases(id)).at(-1)).toEqual({ state: 'expired', price_cents: 300 }),
    );
    await checkOut(leaving, id, '3');
    expect((await purchases(id)).at(-1)).toEqual({ state: 'open', price_cents: 700 });
  });

  test('may be nothing, if its creator says so', async () => {
    const { id, bytes } = await sellFile(seller, { price: 500 });
    await updateLink(seller, { id, least: 0 });
    const buyer = newBuyer();
    const free = await buyer.fetch('/prod/checkout', {
      method: 'POST',
      body: new URLSearchParams({ paywallId: id, amount: '0' }),
    });
    expect(free.status).toBe(303);
    expect(free.headers.get('location')).toBe(`${app.origin}/p/${id}/content`);
    const content = await buyer.fetch(`/p/${id}/content`);
    const file = await buyer.fetch(content.headers.get('location') ?? '');
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
    expect(await purchases(id)).toEqual([]);
    const page = await seen(`/p/${id}`);
    for (const words of ['Your price (USD)', '$0.01 or more, or 0 to pay nothing.', 'Unlock Now']) {
      expect(page).toContain(words);
    }
    // Nobody gives away what costs nothing.
    expect(await seen(`/p/${id}?gift=`)).not.toContain('or 0 to pay nothing');
    expect((await payAt(buyer, await checkOut(buyer, id, '0.01'))).status).toBe(303);
    await eventually(async () => {
      const { getPaywallLink: link } = await graphql<{ getPaywallLink: unknown }>(
        buyer,
        'query ($id: ID!) { getPaywallLink(id: $id) { free least bought } }',
        { id },
        await publishableKey(app),
      );
      expect(link).toEqual({ free: true, least: 0, bought: [1] });
    });
    expect(await readPage(buyer, `/p/${id}`)).not.toContain('Your price (USD)');
    await updateLink(seller, { id, least: -1 });
    expect((await newBuyer().fetch(`/p/${id}/content`)).headers.get('location')).not.toMatch(
      /download/,
    );
  });

  test('is bounded by what makes sense', async () => {
    const { id } = await createLink(seller, { type: 'link', url: 'https://example.com' });
    const faults: [Record<string, unknown>, RegExp][] = [
      [{ least: 501 }, /above the suggested one/],
      [{ least: -2 }, /valid minimum price/],
      [{ least: 300, price: 200 }, /above the suggested one/],
    ];
    for (const [input, message] of faults) {
      const { errors } = await askGraphql(seller, UPDATE_LINK, { input: { id, ...input } });
      expect(errors?.[0]?.message).toMatch(message);
      expect(errors?.[0]?.extensions?.code).toBe('INVALID_PRICE');
    }
    await updateLink(seller, { id, least: 300 });
    const { errors } = await askGraphql(seller, UPDATE_LINK, { input: { id, price: 299 } });
    expect(errors?.[0]?.message).toMatch(/above the suggested one/);
  });
});
