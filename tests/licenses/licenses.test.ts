import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { recordPayout } from '../../server/books/ledger/balance.ts';
import { deleteAccount } from '../../server/people/accounts/delete-account.ts';
import { giveLicenseKeys } from '../../server/selling/purchases/give-license-keys.ts';
import { checkOutCart, postForm, sessionOf } from '../factories/cart-steps.ts';
import {
  askGraphql,
  createLink,
  graphql,
  publishableKey,
  readMail,
  readUserId,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { waitUntilIdle } from '../factories/money.ts';
import { CARDS, payAt } from '../factories/payment.ts';
import { deleteLink } from '../factories/stored-files.ts';
import { useShop } from '../factories/use-shop.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { letHappen, stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);
const MONTH_MS = 30 * 24 * 60 * 60_000;
const GENERATED = /^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){4}$/;
const SOLD_OUT = 'All copies are sold, or are being paid for.';
const ADD =
  'mutation ($linkId: ID!, $keys: String!) { addLicenseKeys(linkId: $linkId, keys: $keys) }';
const REMOVE =
  'mutation ($linkId: ID!, $ids: [ID!]!) { removeLicenseKeys(linkId: $linkId, ids: $ids) }';
const CLEAR = 'mutation ($id: ID!) { clearLicenseActivations(id: $id) }';
const LIST = `query ($linkId: ID!, $free: Boolean, $nextToken: String) {
  listLicenseKeys(linkId: $linkId, free: $free, nextToken: $nextToken) {
    items { id key purchaseId state devices } nextToken free owed
  }
}`;

interface Listed {
  id: string;
  key: string | null;
  purchaseId: string | null;
  state: string;
  devices: string[];
}
interface List {
  items: Listed[];
  nextToken: string | null;
  free: number;
  owed: number;
}
type Bought = { key: string | null; activations: number };

describeOnBothDatabases('a license key', (database) => {
  const { app, seller, newBuyer, begin, checkOut } = useShop(database, sandboxPort);

  async function sell(input: Record<string, unknown> = { licenses: 'generated' }) {
    const { id } = await sellFile(seller);
    await updateLink(seller, { id, ...input });
    return id;
  }
  const add = async (linkId: string, keys: string[]) => {
    const variables = { linkId, keys: keys.join('\n') };
    return (await graphql<{ addLicenseKeys: number }>(seller, ADD, variables)).addLicenseKeys;
  };
  const list = async (linkId: string, free = false, nextToken: string | null = null) => {
    const { listLicenseKeys } = await graphql<{ listLicenseKeys: List }>(seller, LIST, {
      linkId,
      free,
      nextToken,
    });
    return listLicenseKeys;
  };
  /** As the page of its link asks for them. */
  async function keysOf(person: Person, id: string): Promise<Bought[]> {
    const { getPaywallLink } = await graphql<{ getPaywallLink: { licenseKeys: Bought[] } }>(
      person,
      'query ($id: ID!) { getPaywallLink(id: $id) { licenseKeys { key activations } } }',
      { id },
      await publishableKey(app),
    );
    return getPaywallLink.licenseKeys;
  }
  async function buy(id: string, buyer = newBuyer(), card = CARDS.pays) {
    const url = await checkOut(buyer, id);
    const paid = await payAt(buyer, url, card);
    expect(paid.status).toBe(303);
    await waitUntilUnlocked(buyer, id);
    const success = await readPage(buyer, paid.headers.get('location') ?? '');
    const [bought] = await keysOf(buyer, id);
    return { buyer, url, success, key: bought?.key ?? '' };
  }
  const paymentOf = async (url: string) => {
    const session = await stripe.checkout.sessions.retrieve(sessionOf(url));
    return String(session.payment_intent);
  };
  const settle = () => withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
  /** By a program, which is nobody: each from an address of its own unless given. */
  const ask = (body: object, path = '/licenses/verify', from = newBuyer()) =>
    postJson(from, path, body);
  const guess = (link: string, from: Person, times: number, path = '/licenses/verify') =>
    Promise.all(
      Array.from({ length: times }, (_, number) =>
        ask({ link, key: `guess-${number}`, device: 'Laptop' }, path, from),
      ),
    );
  const verify = async (link: string, key: string, activate?: string) =>
    readJson<Record<string, unknown>>(await ask({ link, key, activate }));

  const refusal = async (query: string, variables: object) =>
    (await askGraphql(seller, query, { ...variables })).errors?.[0]?.message;

  test('is made for each purchase, shown to whoever has it, and valid for its link alone', async () => {
    const id = await sell({ licenses: 'generated', devices: 2 });
    const other = await sell();
    const { buyer, success, key } = await buy(id);
    expect(key).toMatch(GENERATED);
    expect(success).toContain('Your license key');
    expect(success).not.toContain(key);
    const second = await buy(id);
    expect(second.key).toMatch(GENERATED);
    expect(second.key).not.toBe(key);
    const valid = { valid: true, link: id, activations: 0, maxActivations: 2, test: true };
    expect(await verify(id, key)).toEqual({ ...valid, purchasedAt: expect.any(String) });
    // As somebody copies it by hand.
    const typed = ` ${key.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
    expect(await verify(id, typed)).toMatchObject({ valid: true });
    const unknown = { valid: false, reason: 'unknown' };
    expect(await verify(other, key)).toEqual(unknown);
    expect(await verify('00000000', key)).toEqual(unknown);
    expect(await verify(id, key.slice(1))).toEqual(unknown);

    expect(await readPage(buyer, `/p/${id}`)).toContain(`Your license key ${key}`);
    expect(await readPage(createPerson(app), `/p/${id}`)).toContain('A license key');
    const { text, html } = await readMail(app, 'visitor@example.com', /./);
    expect(text).toContain(second.key);
    expect(html).toContain(second.key);
    for (const stranger of [createPerson(app), seller, second.buyer]) {
      expect(JSON.stringify(await keysOf(stranger, id))).not.toContain(key);
      for (const path of [`/p/${id}`, '/explore', `/p/${id}/offer.json`]) {
        expect(await (await stranger.fetch(path)).text()).not.toContain(key);
      }
    }
    const { items } = await list(id);
    expect(items.map((item) => item.key)).toEqual([second.key, key]);
    expect(items[0]).toMatchObject({ state: 'valid', devices: [] });
    await updateLink(seller, { id: other, unlocked: true });
    expect(await readPage(createPerson(app), `/p/${other}`)).not.toContain('A license key');
    // Who bought it without a key is promised none.
    const plain = await sell({});
    const early = await buy(plain);
    await updateLink(seller, { id: plain, licenses: 'generated' });
    const after = await readPage(early.buyer, `/success?session_id=${sessionOf(early.url)}`);
    expect(after).not.toContain('Your license key');
    // Later buyers get none; those who have one keep it.
    await updateLink(seller, { id, licenses: '' });
    expect((await buy(id)).key).toBe('');
    expect(await keysOf(buyer, id)).toEqual([{ key, activations: 0 }]);
    expect(await verify(id, key)).toMatchObject({ valid: true });
  });

  test('is activated on as many devices as it may be, also at once, and on each once', async () => {
    const id = await sell({ licenses: 'generated', devices: 3 });
    const { buyer, key } = await buy(id);
    const names = Array.from({ length: 12 }, (_, number) => `Laptop ${number % 6}`);
    const answers = await Promise.all(names.map((name) => verify(id, key, name)));
    const active = new Set(names.filter((_, place) => answers[place]?.valid));
    expect(active.size).toBe(3);
    const refused = answers.filter(({ valid }) => !valid);
    expect(refused).toHaveLength(6);
    for (const answer of refused) {
      expect(answer).toEqual({ valid: false, reason: 'too-many-activations' });
    }
    const [first = ''] = active;
    expect(await verify(id, key, ` ${first} `)).toMatchObject({ valid: true, activations: 3 });
    expect(await keysOf(buyer, id)).toEqual([{ key, activations: 3 }]);
    const free = { link: id, key, device: first };
    const freed = await readJson(await ask(free, '/licenses/deactivate'));
    expect(freed).toMatchObject({ valid: true, activations: 2 });
    expect(await verify(id, key, 'Phone')).toMatchObject({ valid: true, activations: 3 });
    const [listed] = (await list(id)).items;
    expect(listed?.devices).toContain('Phone');
    await graphql(seller, CLEAR, { id: listed?.id });
    expect(await verify(id, key)).toMatchObject({ activations: 0 });
    await updateLink(seller, { id, devices: 0 });
    for (const device of ['a', 'b', 'c', 'd']) await verify(id, key, device);
    expect(await verify(id, key)).toMatchObject({ activations: 4, maxActivations: null });
  });

  test('is worth what its purchase is: nothing once that is refunded or its dispute is lost', async () => {
    const id = await sell();
    const [refunded, won, lost] = [await buy(id), await buy(id), await buy(id)];
    await settle();
    await stripe.refunds.create({ payment_intent: await paymentOf(refunded.url) });
    await eventually(async () =>
      expect(await verify(id, refunded.key)).toEqual({ valid: false, reason: 'refunded' }),
    );
    expect(await keysOf(refunded.buyer, id)).toEqual([]);
    const disputes = [];
    for (const { url, key } of [won, lost]) {
      const intent = await paymentOf(url);
      const asked = { payment_intent: intent };
      disputes.push((await letHappen<{ id: string }>(sandboxPort, 'disputes', asked)).id);
      await eventually(async () =>
        expect(await verify(id, key)).toEqual({ valid: false, reason: 'suspended' }),
      );
    }
    for (const [place, evidence] of ['winning_evidence', 'losing_evidence'].entries()) {
      await stripe.disputes.update(disputes[place] ?? '', {
        evidence: { uncategorized_text: evidence },
        submit: true,
      });
    }
    await eventually(async () => expect(await verify(id, won.key)).toMatchObject({ valid: true }));
    await eventually(async () =>
      expect(await verify(id, lost.key)).toEqual({ valid: false, reason: 'refunded' }),
    );
    const states = (await list(id)).items.map(({ key, state }) => [key, state]);
    expect(Object.fromEntries(states)).toEqual({
      [refunded.key]: 'ended',
      [won.key]: 'valid',
      [lost.key]: 'ended',
    });
    await withDatabase(app, (db) =>
      db.updateTable('link').set({ taken_down_at: Date.now() }).where('id', '=', id).execute(),
    );
    expect(await verify(id, won.key)).toEqual({ valid: false, reason: 'taken-down' });
  });

  test("of the seller's own list is sold in its order and once, and the link until none is left", async () => {
    const id = await sell({ licenses: 'list' });
    const refusalOf = async (buyer: Person) =>
      ((await (await begin(buyer, id)).json()) as { detail: string }).detail;
    expect(await refusalOf(newBuyer())).toContain(SOLD_OUT);
    expect(await add(id, ['  first-key-1 ', 'second-key', '', 'first-key-1', 'Third-Key'])).toBe(3);
    expect(await add(id, ['second-key', 'fourth-key'])).toBe(1);
    expect((await list(id, true)).items.map(({ key, state }) => [key, state])).toEqual([
      ['fourth-key', 'free'],
      ['Third-Key', 'free'],
      ['second-key', 'free'],
      ['first-key-1', 'free'],
    ]);
    // Nobody has bought it.
    expect(await verify(id, 'first-key-1')).toEqual({ valid: false, reason: 'unknown' });
    const first = await buy(id);
    expect(first.key).toBe('first-key-1');
    expect(await verify(id, ' first-key-1')).toMatchObject({ valid: true });
    expect(await verify(id, 'FIRST-KEY-1')).toMatchObject({ valid: false });
    expect(await readPage(createPerson(app), `/p/${id}`)).not.toContain(SOLD_OUT);
    // Three at the checkout hold the rest; each may still go on.
    const buyers = [newBuyer(), newBuyer(), newBuyer()];
    const urls = await Promise.all(buyers.map((buyer) => checkOut(buyer, id)));
    expect(await refusalOf(newBuyer())).toContain(SOLD_OUT);
    expect(await readPage(createPerson(app), `/p/${id}`)).toContain(SOLD_OUT);
    expect(await readPage(createPerson(app), '/explore')).toContain('Sold out');
    expect(await checkOut(buyers[0] ?? seller, id)).toBe(urls[0]);
    await Promise.all(buyers.map((buyer, place) => payAt(buyer, urls[place] ?? '')));
    for (const buyer of buyers) await waitUntilUnlocked(buyer, id);
    const given = await Promise.all(buyers.map((buyer) => keysOf(buyer, id)));
    expect(
      given
        .flat()
        .map(({ key }) => key)
        .sort(),
    ).toEqual(['Third-Key', 'fourth-key', 'second-key']);
    expect(await list(id)).toMatchObject({ free: 0, owed: 0 });
    expect(await readPage(createPerson(app), `/p/${id}`)).toContain(SOLD_OUT);
    await add(id, ['fifth-key']);
    expect(await readPage(createPerson(app), `/p/${id}`)).not.toContain(SOLD_OUT);
  });

  test('is owed where the list ran out while somebody paid, and theirs as soon as there is one', async () => {
    const id = await sell({ licenses: 'list' });
    await add(id, ['only-key-1', 'only-key-2', 'only-key-3']);
    const [one, refunded, other] = [newBuyer(), newBuyer(), newBuyer()];
    const urls: string[] = [];
    for (const buyer of [one, refunded, other]) urls.push(await checkOut(buyer, id));
    const unsold = (await list(id, true)).items.filter(({ key }) => key !== 'only-key-1');
    await graphql(seller, REMOVE, { linkId: id, ids: unsold.map((key) => key.id) });
    const email = `owed-${database}@example.com`;
    for (const [place, buyer] of [one, refunded, other].entries()) {
      await payAt(buyer, urls[place] ?? '', CARDS.pays, email);
      await waitUntilUnlocked(buyer, id);
    }
    await settle();
    expect(await keysOf(other, id)).toEqual([{ key: null, activations: 0 }]);
    expect(await readPage(other, `/p/${id}`)).toContain(
      'The seller has run out of license keys. Yours will appear here',
    );
    const owed = await list(id);
    expect(owed).toMatchObject({ free: 0, owed: 2 });
    expect(owed.items[0]).toMatchObject({ key: null, state: 'owed' });
    await stripe.refunds.create({ payment_intent: await paymentOf(urls[1] ?? '') });
    await eventually(async () => expect((await list(id)).owed).toBe(1));
    // The seller looks for more, though no later buyer gets any.
    await updateLink(seller, { id, licenses: '' });
    expect(await add(id, ['late-key-1', 'late-key-2'])).toBe(2);
    expect(await keysOf(other, id)).toEqual([{ key: 'late-key-1', activations: 0 }]);
    expect(await keysOf(refunded, id)).toEqual([]);
    expect(await verify(id, 'late-key-1')).toMatchObject({ valid: true });
    expect(await list(id, true)).toMatchObject({
      items: [{ key: 'late-key-2' }],
      free: 1,
      owed: 0,
    });
    await eventually(async () =>
      expect((await readMail(app, email, /^Your purchase/)).text).toContain('late-key-1'),
    );
  });

  test('that nobody has bought can be removed, and those of a deleted link be looked after', async () => {
    const id = await sell({ licenses: 'list' });
    await add(id, ['sold-key', 'wrong-key', 'last-key']);
    const { key } = await buy(id);
    await verify(id, key, 'Laptop');
    const [sold] = (await list(id)).items;
    const idsOf = async (...keys: string[]) =>
      (await list(id, true)).items
        .filter((item) => keys.includes(item.key ?? ''))
        .map((item) => item.id);
    const ids = [sold?.id, ...(await idsOf('wrong-key'))];
    expect(await graphql(seller, REMOVE, { linkId: id, ids })).toEqual({ removeLicenseKeys: 1 });
    const gone = 'This license key has just been sold or removed.';
    expect(await refusal(REMOVE, { linkId: id, ids })).toBe(gone);
    // Of another link, too, only what is named.
    const other = await sell({ licenses: 'list' });
    expect(await refusal(REMOVE, { linkId: other, ids: await idsOf('last-key') })).toBe(gone);
    await deleteLink(seller, id);
    expect((await list(id)).items).toMatchObject([{ key: 'sold-key', devices: ['Laptop'] }]);
    await graphql(seller, CLEAR, { id: sold?.id });
    expect(await verify(id, key)).toMatchObject({ activations: 0 });
    await graphql(seller, REMOVE, { linkId: id, ids: await idsOf('last-key') });
    expect(await list(id, true)).toMatchObject({ items: [], free: 0 });
  });

  test('that a checkout promises is not lost by turning keys off: it ends', async () => {
    const id = await sell();
    const promised = await checkOut(newBuyer(), id);
    await updateLink(seller, { id, licenses: '' });
    const later = await checkOut(newBuyer(), id);
    await updateLink(seller, { id, title: 'Without keys' });
    await settle();
    const states = [promised, later].map(async (url) => {
      const { status } = await stripe.checkout.sessions.retrieve(sessionOf(url));
      return status;
    });
    expect(await Promise.all(states)).toEqual(['expired', 'open']);
  });

  test('is sold on one link of its seller, and kept unsold in a limited number', async () => {
    const [id, other] = [await sell({ licenses: 'list' }), await sell({ licenses: 'list' })];
    await updateLink(seller, { id: other, title: 'Studio' });
    await add(other, ['of-the-other']);
    expect(await refusal(ADD, { linkId: id, keys: 'of-this-one\nof-the-other' })).toBe(
      '“of-the-other” is already a key of “Studio”.',
    );
    expect((await list(id)).free).toBe(0);
    const fill = (linkId: string, to: number) =>
      withDatabase(app, (db) =>
        sql`insert into license_key (id, link_id, key, lookup, created_at)
          with recursive n (i) as (select 2 union all select i + 1 from n where i < ${sql.lit(to)})
          select ${linkId} || i, ${linkId}, 'filled-' || i, 'filled-' || i, 1 from n`.execute(db),
      );
    await fill(id, 10_000);
    expect(await refusal(ADD, { linkId: id, keys: 'one-too-many\ntwo-too-many' })).toBe(
      'A link keeps up to 10,000 unsold license keys.',
    );
    const free = await withDatabase(app, async (db) => {
      const owner = db.selectFrom('link').where('id', '=', id).select('owner_id');
      const { count } = await db
        .selectFrom('license_key')
        .innerJoin('link', 'link.id', 'license_key.link_id')
        .where('link.owner_id', '=', owner)
        .where('purchase_id', 'is', null)
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    });
    await fill(other, 100_000 - free);
    const third = await sell({ licenses: 'list' });
    expect(await refusal(ADD, { linkId: third, keys: 'a-key-too-many\nanother-one' })).toBe(
      'Your links together keep up to 100,000 unsold license keys.',
    );
    expect(await add(third, ['just-enough'])).toBe(1);
    await withDatabase(app, (db) =>
      db.deleteFrom('license_key').where('link_id', 'in', [id, other]).execute(),
    );
  });

  test('is not promised twice to one cart: not the last one of a part that two bundles share', async () => {
    const [part, one, other] = [await sell({ licenses: 'list' }), await sell({}), await sell({})];
    await add(part, ['shared-key-1']);
    const bundles: string[] = [];
    for (const parts of [
      [part, one],
      [part, other],
    ]) {
      const bundle = { type: 'bundle', title: 'Shared', price: 900, parts };
      bundles.push((await createLink(seller, bundle)).id);
    }
    const buyer = newBuyer();
    for (const paywallId of bundles) await postForm(buyer, '/cart/add', { paywallId });
    const refused = await checkOutCart(buyer);
    expect(await refused.text()).toContain(SOLD_OUT);
    await add(part, ['shared-key-2']);
    await payAt(buyer, (await checkOutCart(buyer)).headers.get('location') ?? '');
    for (const id of bundles) await waitUntilUnlocked(buyer, id);
    const keys = (await keysOf(buyer, part)).map(({ key }) => key);
    expect(keys.sort()).toEqual(['shared-key-1', 'shared-key-2']);
    expect(await readPage(buyer, `/p/${part}`)).toContain('Your license keys');
  });

  test('stays when its buyer’s account goes, without the names of their devices', async () => {
    const id = await sell();
    const { buyer, key } = await buy(id, await signUp(app));
    await verify(id, key, 'Ada’s laptop');
    await settle();
    await withDatabase(app, async (db) =>
      deleteAccount({ db, now: Date.now }, await readUserId(buyer)),
    );
    expect(await verify(id, key)).toMatchObject({ valid: true, activations: 0 });
  });

  test('stays with its buyer when its seller leaves, who takes the unsold ones along', async () => {
    const leaving = await signUp(app);
    const { id } = await sellFile(leaving);
    await updateLink(leaving, { id, licenses: 'list' });
    await graphql(leaving, ADD, { linkId: id, keys: 'sold-key-1\nunsold-key-1' });
    const { buyer, key } = await buy(id);
    await withDatabase(app, async (db) => {
      await waitUntilIdle(db, sandboxPort);
      const ownerId = await readUserId(leaving);
      const later = () => Date.now() + MONTH_MS;
      const paidOut = { ownerId, mode: 'test', amountCents: 445, reference: ownerId } as const;
      await recordPayout({ db, now: later, holdMs: 0 }, paidOut);
      await deleteAccount({ db, now: Date.now }, ownerId);
      const left = await db.selectFrom('license_key').where('link_id', '=', id).select('key');
      expect(await left.execute()).toEqual([{ key: 'sold-key-1' }]);
    });
    expect(await keysOf(buyer, id)).toEqual([{ key, activations: 0 }]);
    expect(await verify(id, key)).toMatchObject({ valid: true });
  });

  test('comes with each line of a cart and each part of a bundle, and with a gift to whom it is given', async () => {
    const [one, other, plain] = [await sell(), await sell({ licenses: 'list' }), await sell({})];
    await add(other, ['of-the-list-1', 'of-the-list-2']);
    const buyer = newBuyer();
    for (const id of [one, other, plain]) await postForm(buyer, '/cart/add', { paywallId: id });
    const checkout = (await checkOutCart(buyer)).headers.get('location') ?? '';
    await payAt(buyer, checkout);
    for (const id of [one, other, plain]) await waitUntilUnlocked(buyer, id);
    expect(await keysOf(buyer, other)).toEqual([{ key: 'of-the-list-1', activations: 0 }]);
    expect(await keysOf(buyer, plain)).toEqual([]);
    const [ofOne] = await keysOf(buyer, one);
    expect(ofOne?.key).toMatch(GENERATED);
    const { text } = await readMail(app, 'visitor@example.com', /Your purchases/);
    expect(text).toContain(ofOne?.key);
    expect(text).toContain('of-the-list-1');

    const bundle = { type: 'bundle', title: 'All', price: 900, parts: [other, plain] };
    const { id: all } = await createLink(seller, bundle);
    const ofBundle = newBuyer();
    await payAt(ofBundle, await checkOut(ofBundle, all));
    await waitUntilUnlocked(ofBundle, all);
    expect(await keysOf(ofBundle, other)).toEqual([{ key: 'of-the-list-2', activations: 0 }]);
    expect((await readMail(app, 'visitor@example.com', /All/)).text).toContain('of-the-list-2');
    expect(await readPage(ofBundle, `/p/${all}`)).toContain('License key: of-the-list-2');
    expect(await readPage(newBuyer(), `/p/${all}`)).not.toContain('License key:');
    // One part has run out.
    expect(((await (await begin(newBuyer(), all)).json()) as { detail: string }).detail).toContain(
      SOLD_OUT,
    );

    const [giver, ann] = [newBuyer(), newBuyer()];
    const gift = { email: `ann-${database}@example.com` };
    const { url } = await readJson<{ url: string }>(
      await postJson(giver, '/prod/checkout', { paywallId: one, gift }),
    );
    await payAt(giver, url, CARDS.pays, `giver-${database}@example.com`);
    await settle();
    expect(await keysOf(giver, one)).toEqual([]);
    const mails = [
      await readMail(app, `giver-${database}@example.com`),
      await readMail(app, gift.email, /gift for you/),
    ];
    const [given] = (await list(one)).items;
    for (const { text } of mails) expect(text).not.toContain(given?.key);
    const opened = /\/access\/\S+/.exec(mails[1]?.text ?? '')?.[0] ?? '';
    await ann.fetch(opened, { method: 'POST' });
    expect(await keysOf(ann, one)).toEqual([{ key: given?.key, activations: 0 }]);
  });

  test('is given once, however often and at once its payment is settled', async () => {
    const id = await sell({ licenses: 'list' });
    await add(id, ['settled-key-1', 'settled-key-2']);
    const buyer = newBuyer();
    const url = await checkOut(buyer, id);
    const session = sessionOf(url);
    await Promise.all([
      payAt(buyer, url),
      ...Array.from({ length: 5 }, () => buyer.fetch(`/success?session_id=${session}`)),
    ]);
    await waitUntilUnlocked(buyer, id);
    await settle();
    expect(await list(id)).toMatchObject({ free: 1, items: [{ key: 'settled-key-1' }] });
  });

  test('cannot be guessed, while right ones are answered as often as programs ask, beside whoever guesses', async () => {
    const id = await sell();
    const { key } = await buy(id);
    const program = newBuyer();
    for (let asked = 0; asked < 150; asked += 1) {
      const answer = await ask({ link: id, key }, '/licenses/verify', program);
      expect(answer.status).toBe(200);
    }
    const guesses = await guess(id, program, 120);
    expect(guesses.filter(({ status }) => status === 200)).toHaveLength(100);
    const limited = guesses.find(({ status }) => status === 429);
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited?.headers.get('content-type')).toContain('application/problem+json');
    expect(await limited?.json()).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    const origin = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };
    const wrong = { link: id, key: 'one-more-guess' };
    const shown = await postJson(program, '/licenses/verify', wrong, origin);
    expect([shown.status, shown.headers.get('access-control-allow-origin')]).toEqual([429, '*']);
    // As its buyer types it.
    const right = { link: id, key: key.toLowerCase() };
    const device = { ...right, device: 'Laptop' };
    for (const answer of [
      await ask(right, '/licenses/verify', program),
      await ask({ ...right, activate: 'Laptop' }, '/licenses/verify', program),
      await ask(device, '/licenses/deactivate', program),
    ]) {
      expect(await readJson(answer)).toMatchObject({ valid: true });
    }
    // A device that is freed is asked for once.
    const freed = await guess(id, newBuyer(), 100, '/licenses/deactivate');
    expect(freed.every(({ status }) => status === 200)).toBe(true);
  });

  test("of the seller's own list cannot be guessed, and who guesses at it is in nobody's way elsewhere", async () => {
    const id = await sell({ licenses: 'list' });
    const other = await sell({ licenses: 'list' });
    for (const link of [id, other]) await add(link, [`${link}-0001`]);
    const [{ key }, elsewhere] = [await buy(id), await buy(other)];
    const program = newBuyer();
    expect((await guess(id, program, 100)).every(({ status }) => status === 200)).toBe(true);
    // Or else what is right would still be told from what is not.
    for (const tried of [key, 'a-guess-too-many']) {
      const answer = await ask({ link: id, key: tried }, '/licenses/verify', program);
      expect(answer.status).toBe(429);
    }
    const right = { link: other, key: elsewhere.key };
    expect(await readJson(await ask(right, '/licenses/verify', program))).toMatchObject({
      valid: true,
    });
    expect(await verify(id, key)).toMatchObject({ valid: true });
  });

  test('cannot be activated and freed without end', { tags: 'long' }, async () => {
    const id = await sell({ licenses: 'generated', devices: 2 });
    const { key } = await buy(id);
    expect(await verify(id, key, 'Desktop')).toMatchObject({ activations: 1 });
    const program = newBuyer();
    const laptop = { link: id, key, device: 'Laptop' };
    const activate = () => ask({ link: id, key, activate: 'Laptop' }, '/licenses/verify', program);
    const free = () => ask(laptop, '/licenses/deactivate', program);
    await readJson(await activate());
    // What changes nothing is not counted.
    expect(await verify(id, key, 'Tablet')).toMatchObject({ reason: 'too-many-activations' });
    await readJson(await free());
    for (let changes = 3; changes < 1_999; changes += 2) {
      await readJson(await activate());
      await readJson(await free());
    }
    await readJson(await free());
    expect(await readJson(await activate())).toMatchObject({ activations: 2 });
    const refused = await free();
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await readJson(await activate())).toMatchObject({ activations: 2 });
    expect(await verify(id, key, 'Desktop')).toMatchObject({ activations: 2 });
    const another = (await buy(id)).key;
    expect(await verify(id, another, 'Laptop')).toMatchObject({ activations: 1 });
  });

  test('is told to programs of every origin, and says what is wrong with what they send', async () => {
    const id = await sell();
    const { key } = await buy(id);
    const origin = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };
    const answer = await postJson(newBuyer(), '/licenses/verify', { link: id, key }, origin);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('set-cookie')).toBeNull();
    // Without an origin it is answered before its route, in the same way.
    const early = await ask({ link: id, key });
    for (const name of ['content-type', 'cache-control', 'access-control-allow-origin']) {
      expect(early.headers.get(name)).toBe(answer.headers.get(name));
    }
    expect(await early.json()).toEqual(await answer.json());
    const before = await createPerson(app).fetch('/licenses/verify', { method: 'OPTIONS' });
    expect(before.status).toBe(204);
    expect(before.headers.get('access-control-allow-headers')).toBe('content-type');
    const bodies = [
      {},
      { link: id },
      { link: 'x', key },
      { link: id, key: '' },
      { link: id, key: 'x'.repeat(201) },
      { link: id, key: 7 },
      { link: id, key, activate: ' ' },
      { link: id, key, activate: 'x'.repeat(101) },
      // PostgreSQL cannot keep the first, and the second turns what a page says around.
      { link: id, key, activate: 'Laptop\0' },
      { link: id, key, activate: '\u202eLaptop' },
    ];
    for (const body of bodies) expect((await ask(body)).status).toBe(400);
    expect((await ask({ link: id, key }, '/licenses/deactivate')).status).toBe(400);

    const wrong = {
      '': 'Paste at least one license key.',
      'pasted\tfrom a table':
        'License keys cannot contain tabs or control characters. Paste only the keys, one per line.',
      short: 'A license key has 8 to 100 characters. This one does not: “short”.',
      [Array.from({ length: 501 }, (_, number) => `key-number-${number}`).join('\n')]:
        'Add up to 500 license keys at a time.',
    };
    for (const [keys, says] of Object.entries(wrong)) {
      expect(await refusal(ADD, { linkId: id, keys })).toBe(says);
    }
    const update =
      'mutation ($input: UpdatePaywallLinkInput!) { updatePaywallLink(input: $input) { id } }';
    expect(await refusal(update, { input: { id, licenses: 'some' } })).toContain("'generated'");
    expect(await refusal(update, { input: { id, devices: 1_001 } })).toBe(
      'The number of devices must be from 1 to 1,000.',
    );
  });
});

describe('two settlements at once', () => {
  const { app, seller, newBuyer, checkOut } = useShop('postgres', sandboxPort);

  test('take two license keys, neither waiting for the other, and none for what is taken down', async () => {
    const { id } = await sellFile(seller);
    await updateLink(seller, { id, licenses: 'list' });
    const keys = 'first-key-of-all\nsecond-key-of-all\nthird-key-of-all';
    await graphql(seller, ADD, { linkId: id, keys });
    const buyers = [newBuyer(), newBuyer(), newBuyer()];
    const urls = await Promise.all(buyers.map((buyer) => checkOut(buyer, id)));
    await withDatabase(app, async (db) => {
      const open = await db.selectFrom('purchase').where('link_id', '=', id).select('id').execute();
      const [one, other] = open.map(({ id: purchase_id }) => [
        { purchase_id, link_id: id, license_keys: 'list' as const },
      ]);
      const taken = () =>
        db.selectFrom('license_key').where('purchase_id', 'is not', null).select('key').execute();
      await db.transaction().execute(async (first) => {
        await giveLicenseKeys(first as never, one ?? [], 1);
        await db
          .transaction()
          .execute((second) => giveLicenseKeys(second as never, other ?? [], 1));
        expect(await taken()).toEqual([{ key: 'second-key-of-all' }]);
      });
      expect(await taken()).toHaveLength(2);
      await db.updateTable('license_key').set({ purchase_id: null, given_at: null }).execute();
      await db.updateTable('link').set({ taken_down_at: 1 }).where('id', '=', id).execute();
      await payAt(buyers[0] ?? seller, urls[0] ?? '');
      await waitUntilIdle(db, sandboxPort);
      expect(await taken()).toEqual([]);
      const settled = db.selectFrom('purchase').where('settled_at', 'is not', null).select('id');
      expect(await settled.execute()).toHaveLength(1);
    });
  });
});
