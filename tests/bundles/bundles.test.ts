import { beforeAll, beforeEach, expect, test } from 'vitest';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { checkOutCart, postForm } from '../factories/cart-steps.ts';
import {
  askGraphql,
  createLink,
  graphql,
  publishableKey,
  readBalance,
  readMail,
  seeLink,
  sellFile,
  signUp,
  storageUrl,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { expectBooks, waitUntilIdle } from '../factories/money.ts';
import { BUYER_EMAIL, CARDS, checkOut, payAt, payFor } from '../factories/payment.ts';
import { deleteFile, deleteLink, RESTORE_LINK } from '../factories/stored-files.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { letHappen, stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);
const DAY_MS = 24 * 60 * 60 * 1000;

const PARTS = `query ($id: ID!) {
  getPaywallLink(id: $id) { type url key hold summary fileCount parts { id price unlocked summary } }
}`;

describeOnSqliteFirst('a bundle', (database) => {
  let ahead = 0;
  const app = useApp({
    database,
    env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort), OPERATOR_EMAILS: 'boss@x.org' },
    overrides: { now: () => Date.now() + ahead },
  });
  let seller: Person;

  beforeEach(() => {
    ahead = 0;
  });

  beforeAll(async () => {
    seller = await signUp(app);
  });

  const bundle = (parts: string[], input: Record<string, unknown> = {}) =>
    createLink(seller, { type: 'bundle', price: 900, title: 'Everything', parts, ...input });
  const sellAddress = (input: Record<string, unknown> = {}) =>
    createLink(seller, { type: 'link', url: 'https://example.com/notes', price: 400, ...input });

  /** A bundle of a file and a web address. */
  async function sellBundle(input: Record<string, unknown> = {}) {
    const file = await sellFile(seller, { price: 1000 });
    const address = await sellAddress();
    const { id } = await bundle([file.id, address.id], input);
    return { id, file, address };
  }

  async function look(person: Person, id: string) {
    const { getPaywallLink } = await graphql<{
      getPaywallLink: {
        type: string;
        url: string | null;
        key: string | null;
        hold: string | null;
        summary: string[];
        fileCount: number;
        parts: { id: string; price: number; unlocked: boolean; summary: string[] }[] | null;
      };
    }>(person, PARTS, { id }, await publishableKey(app));
    return getPaywallLink;
  }

  async function buy(id: string, card = CARDS.pays) {
    const buyer = createPerson(app);
    const answer = await payAt(buyer, await checkOut(buyer, id), card);
    const success = new URL(answer.headers.get('location') ?? '');
    const session = success.searchParams.get('session_id') ?? '';
    await waitUntilUnlocked(buyer, id);
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
    return { buyer, payment: String(payment_intent), success: success.pathname + success.search };
  }

  const isOpen = async (person: Person, id: string) =>
    (await seeLink(person, id))?.unlocked ?? false;
  const expectOpen = (person: Person, ids: string[], open: boolean[]) =>
    eventually(async () => {
      expect(await Promise.all(ids.map((id) => isOpen(person, id)))).toEqual(open);
    });
  const takeDown = (id: string) =>
    runCli(app.env, 'link', 'take-down', id, '--category', 'fraud', '--reason', 'It is a fraud.');
  const refuse = async (person: Person, id: string) => {
    const answer = await postJson(person, '/prod/checkout', { paywallId: id });
    const { code, detail } = (await answer.json()) as { code: string; detail: string };
    return { status: answer.status, code, detail };
  };

  test('is one sale of one link that opens its parts', async () => {
    const { id, file, address } = await sellBundle();
    const other = await sellFile(seller);
    const stranger = createPerson(app);
    expect(await look(stranger, id)).toMatchObject({
      type: 'bundle',
      url: null,
      key: null,
      hold: null,
      fileCount: 1,
      summary: ['Bundle of 2', 'File, 1.0 kB'],
      parts: [
        { id: file.id, price: 1000, unlocked: false },
        { id: address.id, price: 400, unlocked: false, summary: ['Web address'] },
      ],
    });
    expect((await stranger.fetch(`/p/${id}/card.png`)).status).toBe(200);
    const before = await readBalance(seller);
    const { buyer, success } = await buy(id);
    expect((await readBalance(seller)) - before).toBe(900 - 75);
    await expectOpen(buyer, [id, file.id, address.id, other.id], [true, true, true, false]);
    await expectOpen(stranger, [id, file.id, address.id], [false, false, false]);
    expect((await look(buyer, id)).url).toBe(`${app.origin}/p/${id}`);
    const { key } = (await seeLink(buyer, file.id)) ?? {};
    expect(await (await fetch(await storageUrl(buyer, key ?? ''))).bytes()).toEqual(file.bytes);
    const opened = await buyer.fetch(`/p/${address.id}/content`);
    expect(opened.headers.get('location')).toBe('https://example.com/notes');
    const content = await buyer.fetch(`/p/${id}/content`);
    expect([content.status, content.headers.get('location')]).toEqual([303, `/p/${id}`]);
    const thanks = await (await buyer.fetch(success)).text();
    expect(thanks).toContain('Your file is now unlocked and should be downloading.');
    expect(thanks).toContain(`/p/${id}`);
    const receipt = await (await buyer.fetch(`/p/${id}/receipt`)).text();
    expect(receipt).toContain('notes.pdf');
    expect(receipt).toContain('https://example.com/notes');
    const list = await (await buyer.fetch('/purchases')).text();
    expect(list).toContain(`/p/${id}`);
    expect(list).not.toContain(file.id);
    await expectBooks(app, id, {
      creator: 825,
      platform_fee: 75,
      processing_cost: -56,
      provider: -844,
    });
  });

  test('opens its parts by the personal link, on any device', async () => {
    const { id, file } = await sellBundle({ title: 'For all devices' });
    await buy(id);
    const { text } = await readMail(app, 'visitor@example.com', /For all devices/);
    const address = /\/access\/\S+/.exec(text)?.[0] ?? '';
    const phone = createPerson(app);
    await phone.fetch(address, { method: 'POST' });
    await expectOpen(phone, [id, file.id], [true, true]);
  });

  test.each([
    [[], /2 to 20 different links/],
    [['one'], /2 to 20 different links/],
    [['one', 'one'], /2 to 20 different links/],
    [['one', 'gone'], /no link with the ID/],
    [['one', 'foreign'], /no link with the ID/],
    [['one', 'bundle'], /is a bundle itself/],
  ])('is not made of %j', async (names, why) => {
    const stranger = await signUp(app);
    const one = await sellAddress();
    const gone = await sellAddress();
    await deleteLink(seller, gone.id);
    const foreign = await createLink(stranger, { type: 'link', url: 'https://example.com/' });
    const made = await sellBundle();
    const ids: Record<string, string> = {
      one: one.id,
      gone: gone.id,
      foreign: foreign.id,
      bundle: made.id,
    };
    const parts = names.map((name) => ids[name]);
    const input = { type: 'bundle', price: 900, parts };
    const create =
      'mutation ($input: CreatePaywallLinkInput!) { createPaywallLink(input: $input) { id } }';
    const update =
      'mutation ($input: UpdatePaywallLinkInput!) { updatePaywallLink(input: $input) { id } }';
    for (const [mutation, variables] of [
      [create, input],
      [update, { id: made.id, parts }],
    ] as const) {
      const { errors } = await askGraphql(seller, mutation, { input: variables });
      expect(errors?.[0]?.extensions?.code).toBe('INVALID_PARTS');
      expect(errors?.[0]?.message).toMatch(why);
    }
    expect((await look(createPerson(app), made.id)).parts).toHaveLength(2);
  });

  test('is never free, because nothing would say who has its parts', async () => {
    const { id } = await sellBundle();
    for (const input of [{ unlocked: true }, { least: 0 }]) {
      const update =
        'mutation ($input: UpdatePaywallLinkInput!) { updatePaywallLink(input: $input) { id } }';
      const { errors } = await askGraphql(seller, update, { input: { id, ...input } });
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining('cannot be free'),
        extensions: { code: 'INVALID_PRICE' },
      });
    }
    expect(await isOpen(createPerson(app), id)).toBe(false);
  });

  test('is refused to whoever has all parts, and says which of them they have', async () => {
    const { id, file, address } = await sellBundle();
    const buyer = createPerson(app);
    await payFor(buyer, file.id);
    await waitUntilUnlocked(buyer, file.id);
    const half = await look(buyer, id);
    expect(half.parts?.map(({ unlocked }) => unlocked)).toEqual([true, false]);
    expect(half.hold).toBeNull();
    await payFor(buyer, address.id);
    await waitUntilUnlocked(buyer, address.id);
    expect((await look(buyer, id)).hold).toBe('You have all parts of this bundle already.');
    expect(await refuse(buyer, id)).toMatchObject({
      status: 409,
      code: 'NOT_ON_SALE',
      detail: 'You have all parts of this bundle already. Nothing was charged.',
    });
    const added = await postForm(buyer, '/cart/add', { paywallId: id });
    expect(added.status).toBe(303);
    expect(await readPage(buyer, '/cart')).toContain('You have all parts of this bundle already.');
  });

  test('keeps for its buyers what was in it, whatever it sells later', async () => {
    const { id, file, address } = await sellBundle();
    const { buyer } = await buy(id);
    const third = await sellAddress({ price: 100 });
    await updateLink(seller, { id, parts: [third.id, address.id] });
    await updateLink(seller, { id: address.id, price: 4000 });
    await expectOpen(buyer, [id, file.id, address.id, third.id], [true, true, true, false]);
    expect((await look(buyer, id)).parts?.map((part) => part.id).sort()).toEqual(
      [file.id, address.id].sort(),
    );
    const { buyer: later } = await buy(id);
    await expectOpen(later, [id, file.id, address.id, third.id], [true, false, true, true]);
    expect((await look(later, id)).parts?.map((part) => part.id).sort()).toEqual(
      [third.id, address.id].sort(),
    );
  });

  test('brings a part as it was sold, and its later versions', async () => {
    const { id, file } = await sellBundle();
    const { buyer } = await buy(id);
    const oldKey = String((await seeLink(buyer, file.id))?.key);
    const bytes = new Uint8Array([7, 7, 7]);
    const { key } = await uploadFile(seller, { name: 'second.pdf', bytes });
    await updateLink(seller, { id: file.id, key });
    for (const one of [oldKey, key]) {
      expect((await fetch(await storageUrl(buyer, one))).status).toBe(200);
    }
    expect(await readPage(buyer, `/p/${file.id}`)).toContain('Version 2 is available');
    const { buyer: later } = await buy(id);
    expect((await seeLink(later, file.id))?.key).toBe(key);
    const answer = await later.fetch(`/storage/url?key=${encodeURIComponent(oldKey)}`, {
      headers: await publishableKey(app),
    });
    expect(answer.status).toBe(403);
  });

  test('is not sold while a part is deleted, and is with one that is paused', async () => {
    const { id, file, address } = await sellBundle();
    const { buyer } = await buy(id);
    const page = await checkOut(createPerson(app), id);
    await updateLink(seller, { id: address.id, paused: true });
    expect((await look(createPerson(app), id)).hold).toBeNull();
    const { buyer: later } = await buy(id);
    await expectOpen(later, [address.id], [true]);
    await deleteLink(seller, address.id);
    expect(await refuse(createPerson(app), id)).toMatchObject({
      status: 409,
      code: 'NOT_ON_SALE',
      detail: 'A part of this bundle is not on sale at the moment. Nothing was charged.',
    });
    const seen = await look(createPerson(app), id);
    expect(seen.hold).toBe('A part of this bundle is not on sale at the moment.');
    expect(seen.parts?.map((part) => part.id)).toEqual([file.id]);
    // A checkout that had begun ends; what was bought stays.
    await eventually(async () => {
      const { pathname } = new URL(page);
      const session = await stripe.checkout.sessions.retrieve(pathname.split('/').at(-1) ?? '');
      expect(session.status).toBe('expired');
    });
    await expectOpen(buyer, [id, file.id, address.id], [true, true, true]);
    await graphql(seller, RESTORE_LINK, { id: address.id });
    expect((await look(createPerson(app), id)).hold).toBeNull();
  });

  test('loses by a take-down what was taken down and nothing else', async () => {
    const { id, file, address } = await sellBundle();
    await updateLink(seller, { id: address.id, title: 'Lecture notes' });
    const { buyer } = await buy(id);
    expect((await takeDown(address.id)).status).toBe(0);
    await expectOpen(buyer, [id, file.id, address.id], [true, true, false]);
    expect((await look(buyer, id)).parts?.map((part) => part.id)).toEqual([file.id]);
    expect((await refuse(createPerson(app), id)).code).toBe('NOT_ON_SALE');
    const told = await readMail(app, BUYER_EMAIL, /^No longer available: Lecture notes$/);
    expect(told.text).toContain('We had to take Lecture notes down, a part of Everything,');
    expect(told.text).toContain('Everything else in the bundle stays yours.');

    const whole = await sellBundle();
    const { buyer: other } = await buy(whole.id);
    expect((await takeDown(whole.id)).status).toBe(0);
    await expectOpen(other, [whole.id, whole.file.id, whole.address.id], [false, true, true]);
  });

  test('is given back where a part was taken down in the moment of its payment', async () => {
    const { id, file, address } = await sellBundle();
    const buyer = createPerson(app);
    const page = await checkOut(buyer, id);
    // Its job has not ended the checkout yet.
    await withDatabase(app, (db) =>
      db.updateTable('link').set({ taken_down_at: 1 }).where('id', '=', address.id).execute(),
    );
    const answer = await payAt(buyer, page);
    const success = new URL(answer.headers.get('location') ?? '');
    const session = success.searchParams.get('session_id') ?? '';
    await eventually(async () => {
      const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
      const { data } = await stripe.refunds.list({ payment_intent: String(payment_intent) });
      expect(data.map(({ amount }) => amount)).toEqual([900]);
    });
    await expectOpen(buyer, [id, file.id], [false, false]);
  });

  test('closes with its payment, and leaves open what was bought alone', async () => {
    const { id, file, address } = await sellBundle();
    const { buyer, payment } = await buy(id);
    await payFor(createPerson(app), address.id);
    await letHappen(sandboxPort, 'disputes', { payment_intent: payment });
    await expectOpen(buyer, [id, file.id, address.id], [false, false, false]);
    expect((await refuse(buyer, file.id)).code).toBe('ACCESS_SUSPENDED');
    const { data } = await stripe.disputes.list({ payment_intent: payment });
    const evidence = { uncategorized_text: 'winning_evidence' };
    await stripe.disputes.update(data[0]?.id ?? '', { evidence, submit: true });
    await expectOpen(buyer, [id, file.id, address.id], [true, true, true]);

    const { buyer: second, payment: returned } = await buy(id);
    await stripe.refunds.create({ payment_intent: returned });
    await expectOpen(second, [id, file.id, address.id], [false, false, false]);
    await payFor(second, file.id);
    await expectOpen(second, [id, file.id, address.id], [false, true, false]);
    await withDatabase(app, async (db) => {
      await waitUntilIdle(db, sandboxPort);
      expect(await checkLedger(db)).toEqual([]);
    });
  });

  test('keeps the files of its parts for its buyers', async () => {
    const { id, file } = await sellBundle();
    const key = String(file.key);
    const page = await checkOut(createPerson(app), id);
    await deleteLink(seller, file.id);
    await eventually(async () => {
      const session = new URL(page).pathname.split('/').at(-1) ?? '';
      expect((await stripe.checkout.sessions.retrieve(session)).status).toBe('expired');
    });
    await graphql(seller, RESTORE_LINK, { id: file.id });
    const { buyer, payment } = await buy(id);
    await deleteLink(seller, file.id);
    ahead = 8 * DAY_MS;
    expect(await deleteFile(seller, key)).toMatchObject({ status: 409, code: 'FILE_IN_USE' });
    await stripe.refunds.create({ payment_intent: payment });
    await expectOpen(buyer, [id], [false]);
    // What else is told of the refund.
    await withDatabase(app, (db) => waitUntilIdle(db, sandboxPort, () => Date.now() + ahead));
    ahead += 59 * DAY_MS;
    expect(await deleteFile(seller, key)).toMatchObject({ status: 409, code: 'FILE_IN_USE' });
    ahead += 2 * DAY_MS;
    expect(await deleteFile(seller, key)).toMatchObject({ status: 204 });
  });

  test('is bought in a cart beside one of its parts', async () => {
    const { id, file } = await sellBundle();
    const other = await sellAddress();
    const buyer = createPerson(app);
    for (const paywallId of [id, other.id]) await postForm(buyer, '/cart/add', { paywallId });
    const answer = await checkOutCart(buyer);
    await payAt(buyer, answer.headers.get('location') ?? '');
    await expectOpen(buyer, [id, file.id, other.id], [true, true, true]);
    await withDatabase(app, async (db) => {
      await waitUntilIdle(db, sandboxPort);
      expect(await checkLedger(db)).toEqual([]);
    });
  });

  test('counts as arrived once every file of its parts was sent', async () => {
    const shared = await sellFile(seller, { size: 1_000 });
    const other = await uploadFile(seller, { name: 'other.bin', bytes: new Uint8Array(3_000) });
    // Both parts hold the file: it is one to download.
    const both = await createLink(seller, { key: other.key, files: [other.key, shared.key] });
    const { id } = await bundle([shared.id, both.id, (await sellAddress()).id]);
    const { buyer } = await buy(id);
    const progress = async (of = id) => {
      const { listSales } = await graphql<{
        listSales: {
          items: { link: string; delivery: { state: string; percent: number } | null }[];
        };
      }>(seller, 'query { listSales { items { link: linkId delivery { state percent } } } }');
      return listSales.items.find(({ link }) => link === of)?.delivery;
    };
    expect(await progress()).toEqual({ state: 'unopened', percent: 0 });
    await (await fetch(await storageUrl(buyer, shared.key))).bytes();
    await eventually(async () =>
      expect(await progress()).toEqual({ state: 'partly', percent: 25 }),
    );
    await (await fetch(await storageUrl(buyer, other.key))).bytes();
    await eventually(async () => expect(await progress()).toMatchObject({ state: 'delivered' }));
    const addresses = await createLink(seller, {
      type: 'bundle',
      price: 900,
      parts: [(await sellAddress()).id, (await sellAddress()).id],
    });
    await buy(addresses.id);
    expect(await progress(addresses.id)).toBeNull();
  });
});
