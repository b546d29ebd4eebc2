import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Padlink, type ToldLink, type ToldSale, webhooks } from '../../client/src/index.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { startReceiver } from '../harness/start-receiver.ts';
import { stepOverMidnight } from '../harness/step-over-midnight.ts';
import { useApp } from '../harness/use-app.ts';

const SONG = 'The song, note by note.';
const CARD = { cardNumber: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123' };
/** All that is told of a sale and of a link, and nothing else. */
const SALE: Record<keyof ToldSale, unknown> = {
  id: expect.any(String),
  linkId: expect.any(String),
  title: 'The song',
  currency: 'usd',
  gross: 499,
  fee: expect.any(Number),
  net: expect.any(Number),
  tax: 0,
  paidAt: expect.any(String),
  test: true,
  gift: false,
};
const LINK: Record<keyof ToldLink, unknown> = {
  id: expect.any(String),
  type: 'file',
  title: 'The song',
  price: 499,
  currency: 'usd',
  free: false,
  unlisted: false,
  version: 1,
  state: 'on_sale',
};

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describeOnSqliteFirst('the client', (database) => {
  // The day does not end meanwhile.
  const ahead = stepOverMidnight();
  const app = useApp({
    database,
    env: { WEBHOOK_ALLOW_PRIVATE: 'true' },
    overrides: { now: () => Date.now() + ahead },
  });
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let shop: Padlink;
  let hookSecret = '';
  let key = '';

  beforeAll(async () => {
    receiver = await startReceiver();
    const account = new Padlink({ url: app.origin, token: await signUp('ada@example.com') });
    const { createWebhook, createSecretKey } = await account.graphql<{
      createWebhook: { secret: string };
      createSecretKey: { secret: string };
    }>(
      `mutation ($url: String!) {
        createWebhook(url: $url) { secret }
        createSecretKey(name: "Program", scopes: ["read", "sell", "refund"]) { secret }
      }`,
      { url: receiver.url },
    );
    hookSecret = createWebhook.secret;
    key = createSecretKey.secret;
    shop = new Padlink({ url: app.origin, key });
  });
  afterAll(() => receiver?.stop());

  /** @returns the token of the new account's session */
  async function signUp(email: string): Promise<string> {
    const post = async (path: string, body: object) => {
      const answer = await fetch(`${app.origin}/api/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: app.origin },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(200);
      return await answer.json();
    };
    const name = { name: 'Ada', firstName: 'Ada' };
    await post('sign-up/email', { ...name, email, password: 'Correct-horse-7' });
    const otp = await eventually(async () => {
      const [mail] = await (await fetch(`${app.origin}/mailbox.json`)).json();
      return (/\b\d{6}\b/.exec(mail.text) as RegExpExecArray)[0];
    });
    return (await post('email-otp/verify-email', { email, otp })).token;
  }

  /** Whoever has the address of the hosted page, and a card. */
  async function pay(url: string): Promise<void> {
    const body = new URLSearchParams({ ...CARD, email: 'visitor@example.com' });
    const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
    expect(answer.status).toBe(303);
  }

  async function sellSong(price = 499) {
    const { key } = await shop.files.upload(new Blob([SONG]), { name: 'song.txt' });
    return shop.links.create({ type: 'file', key, price, title: 'The song' });
  }

  /** @returns the claim of whoever bought it, who has it then */
  async function buy(id: string): Promise<string | null> {
    const visitor = new Padlink({ url: app.origin });
    const { url, claim } = await visitor.checkout.create(id);
    await pay(url);
    const content = await eventually(() => visitor.checkout.contentOf(id, { claim }));
    expect(await (await fetch(content)).text()).toBe(SONG);
    return claim;
  }

  /** What the receiver was told of a link and its sales, each message verified. */
  async function toldOf(linkId: string) {
    const events = await Promise.all(
      receiver.taken.map(({ headers, body }) => webhooks.verify(headers, body, hookSecret)),
    );
    return events.filter(({ data }) =>
      'sale' in data ? data.sale.linkId === linkId : 'link' in data && data.link.id === linkId,
    );
  }

  test('sells a file, buys it, refunds the sale and is told of both', async () => {
    const progress: number[] = [];
    const { key, size } = await shop.files.upload(new Blob([SONG]), {
      name: 'Lieder/Ein Lied – 100%.txt',
      onProgress: (sent) => progress.push(sent),
    });
    expect({ size, progress }).toEqual({ size: SONG.length, progress: [0, SONG.length] });
    const made = await shop.links.create({ type: 'file', key, price: 499, title: 'The song' });
    expect(made.files).toMatchObject([{ name: 'Lieder/Ein Lied – 100%.txt', size: SONG.length }]);
    expect((await fetch(shop.links.pageOf(made))).status).toBe(200);

    const visitor = new Padlink({ url: app.origin });
    const offer = await visitor.offers.get(made.id);
    expect(offer).toMatchObject({ title: 'The song', amount: 499, available: true });
    const { url, claim } = await visitor.checkout.create(made.id);
    const locked = visitor.checkout.contentOf(made.id, { claim });
    await expect(locked).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
    await pay(url);
    const content = await eventually(() => visitor.checkout.contentOf(made.id, { claim }));
    expect(await (await fetch(content)).text()).toBe(SONG);

    const sale = await eventually(async () => {
      for await (const one of shop.sales.list()) if (one.linkId === made.id) return one;
      throw new Error('It is not sold yet.');
    });
    expect(sale).toMatchObject({ title: 'The song', gross: 499, state: 'active', refundable: 499 });
    const quote = await shop.refunds.quote({ sale: sale.id });
    expect(quote).toMatchObject({ amount: 499, whole: true });
    const refund = { sale: sale.id, reason: 'The wrong song.' };
    expect((await shop.refunds.create(refund)).refunds).toMatchObject([{ amount: 499 }]);

    const told = await eventually(async () => {
      const events = await toldOf(made.id);
      expect(events).toMatchObject([
        { type: 'link.created', data: { link: LINK } },
        { type: 'sale.created', data: { sale: { ...SALE, net: sale.net } } },
        { type: 'sale.refunded', data: { sale: SALE, refund: { amount: 499, currency: 'usd' } } },
      ]);
      return events;
    });
    expect(new Set(told.map(({ id }) => id)).size).toBe(3);
    const [link, bought] = told.map(({ data }) => Object.values(data)[0]);
    expect({ link, bought }).toEqual({ link: LINK, bought: SALE });
  });

  test('changes, lists, deletes and restores links', async () => {
    const made = await shop.links.create({
      type: 'link',
      url: 'https://example.com/a',
      price: 500,
    });
    const changed = await shop.links.update(made.id, { price: 700, unlisted: true });
    expect(changed).toMatchObject({ price: 700, unlisted: true, url: 'https://example.com/a' });
    expect(await shop.links.get(made.id)).toEqual(changed);
    expect(await shop.links.get('00000000')).toBe(null);
    const ids = (await all(shop.links.list({ search: 'song' }))).map(({ id }) => id);
    expect(ids).not.toContain(made.id);
    await shop.links.delete(made.id);
    expect(await all(shop.links.listDeleted())).toMatchObject([{ id: made.id }]);
    expect((await shop.links.restore(made.id)).deletedAt).toBe(null);

    const picture = await (await fetch(`${app.origin}/icon-192.png`)).blob();
    const cover = await shop.links.setCover(made.id, picture);
    expect((await shop.links.get(made.id))?.cover).toEqual(cover);
    await shop.links.removeCover(made.id);
    expect((await shop.links.get(made.id))?.cover).toBe(null);
  });

  test('lists page after page', { tags: 'long' }, async () => {
    const url = 'https://example.com/many';
    for (let index = 0; index < 51; index += 1) {
      await shop.links.create({ type: 'link', url, price: 500, title: `Manifold ${index}` });
      // Those of one millisecond are in the order of their ids.
      await sleep(1);
    }
    const listed = await all(shop.links.list({ search: 'manifold', sort: 'oldest' }));
    expect(listed.map(({ title }) => title)).toEqual(
      Array.from({ length: 51 }, (_, index) => `Manifold ${index}`),
    );
  });

  test('reads and deletes files, and reads money and where buyers came from', async () => {
    const { id, key } = await sellSong(1000);
    await buy(id);
    expect(await (await fetch(await shop.files.urlOf(key ?? ''))).text()).toBe(SONG);
    const unsold = await shop.files.upload(new Blob([SONG]), { name: 'unsold.txt' });
    const listKeys = async () => (await all(shop.files.list())).map((file) => file.key);
    expect(await listKeys()).toEqual(expect.arrayContaining([key, unsold.key]));
    await shop.files.delete(unsold.key);
    expect(await listKeys()).not.toContain(unsold.key);
    await expect(shop.files.delete(key ?? '')).rejects.toMatchObject({
      name: 'PadlinkError',
      code: 'FILE_IN_USE',
      status: 409,
      requestId: expect.any(String),
    });

    const [{ net } = { net: 0 }] = await all(shop.sales.list({ sort: 'dearest' }));
    expect((await shop.money.get()).balance).toBe(net);
    expect(await all(shop.money.payouts())).toEqual([]);
    expect(await shop.sales.countUndelivered()).toBe(0);
    expect(await shop.sales.byDay(1)).toMatchObject([{ net: expect.any(Number) }]);
    const sources = await shop.sales.bySource({ days: 1, linkId: id });
    expect(sources).toMatchObject([{ source: 'direct', sales: 1, net }]);
  });

  test('says what is wrong by code and status, whoever finds it', async () => {
    const free = shop.links.create({ type: 'link', url: 'https://example.com', price: 0 });
    await expect(free).rejects.toMatchObject({ code: 'INVALID_PRICE', status: 400 });
    const stranger = new Padlink({ url: app.origin, key: 'sk_padlink_wrong' });
    await expect(stranger.sales.list().next()).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      status: 401,
      message: expect.stringMatching(/\.$/),
    });
    const none = new Padlink({ url: app.origin }).offers.get('00000000');
    await expect(none).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    const given = () => new Padlink({ url: 'pay.example.com' });
    expect(given).toThrow(/address of the shop/);
    expect(() => new Padlink({ url: app.origin, key: 'sk_\n' })).toThrow(/characters/);
  });

  const sizes = [
    ['a file', (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes])],
    ['a stream', (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes]).stream()],
    ['an iterable', (bytes: Uint8Array<ArrayBuffer>) => halves(bytes)],
  ] as const;

  test.each(sizes)('goes on where the connection broke, with %s', async (_what, dataOf) => {
    const bytes = crypto.getRandomValues(new Uint8Array(50_000));
    let patches = 0;
    const fragile: typeof fetch = async (url, init) => {
      if (init?.method !== 'PATCH' || ++patches > 1) return fetch(url, init);
      const body = await new Response(init.body).arrayBuffer();
      await fetch(url, { ...init, body: body.slice(0, 20_000) });
      throw new TypeError('fetch failed');
    };
    const broken = new Padlink({ url: app.origin, key, fetch: fragile });
    const progress: number[] = [];
    const upload = await broken.files.upload(dataOf(bytes), {
      name: 'random.bin',
      size: bytes.length,
      onProgress: (sent) => progress.push(sent),
    });
    expect({ patches, progress }).toEqual({ patches: 2, progress: [0, 20_000, 50_000] });
    const stored = await fetch(await shop.files.urlOf(upload.key));
    expect(new Uint8Array(await stored.arrayBuffer())).toEqual(bytes);
  });

  test('verifies the license of a program that was sold', async () => {
    const { id: link } = await sellSong();
    await shop.links.update(link, { licenses: 'generated', devices: 1 });
    await buy(link);
    const { listLicenseKeys } = await shop.graphql<{
      listLicenseKeys: { items: [{ key: string }] };
    }>('query ($id: ID!) { listLicenseKeys(linkId: $id) { items { key } } }', { id: link });
    const [{ key }] = listLicenseKeys.items;
    const program = new Padlink({ url: app.origin });
    const active = { valid: true, link, activations: 1, maxActivations: 1, test: true };
    const check = { link, key, activate: 'Laptop' };
    expect(await program.licenses.verify(check)).toMatchObject(active);
    expect(await program.licenses.verify({ ...check, activate: 'Desk' })).toEqual({
      valid: false,
      reason: 'too-many-activations',
    });
    const device = { link, key, device: 'Laptop' };
    expect(await program.licenses.deactivate(device)).toMatchObject({ activations: 0 });
    const unknown = program.licenses.verify({ link, key: '' });
    await expect(unknown).rejects.toMatchObject({ code: 'INVALID_INPUT', status: 400 });
  });
});

async function* halves(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, bytes.length / 2);
  yield bytes.subarray(bytes.length / 2);
}
