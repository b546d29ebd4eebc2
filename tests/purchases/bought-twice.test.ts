import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { checkOutCart, postForm } from '../factories/cart-steps.ts';
import {
  createLink,
  graphql,
  publishableKey,
  readMail,
  seeLink,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { expectBooks, waitUntilIdle } from '../factories/money.ts';
import { CARDS, payAt } from '../factories/payment.ts';
import { useShop } from '../factories/use-shop.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { type Person, postJson, readJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);
const DAY_MS = 24 * 60 * 60 * 1000;
const SAID = /You already bought this on .+ with this address\./;
const DISCOUNT = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
const newEmail = () => `Ann.${randomBytes(6).toString('hex')}@example.com`;

interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

describeOnBothDatabases('what one address buys twice', (database) => {
  const { app, clock, seller, newBuyer, checkOut } = useShop(database, sandboxPort);
  // The sandbox opens no checkout that ends a day from its own time.
  beforeEach(() => {
    clock.ahead = 0;
  });

  /** Pays for it in a browser of its own. Returns where the buyer is led then. */
  async function buy(id: string, email: string, buyer: Person = newBuyer()) {
    const paid = await payAt(buyer, await checkOut(buyer, id), CARDS.pays, email);
    expect(paid.status).toBe(303);
    await waitUntilUnlocked(buyer, id);
    return { buyer, success: paid.headers.get('location') ?? '' };
  }
  /** In two browsers. Returns both purchases, and where the second can be given back. */
  async function buyTwice(id: string, email = newEmail()) {
    const [first, second] = [await buy(id, email), await buy(id, email)];
    await settle();
    const [path = ''] = await returnsOf(email);
    return { email, first, second, path };
  }
  const settle = () =>
    withDatabase(app, (db) => waitUntilIdle(db, sandboxPort, () => Date.now() + clock.ahead));
  const mailsTo = async (email: string) =>
    (await readJson<Mail[]>(await fetch(`${app.origin}/mailbox.json`))).filter(
      ({ to }) => to === email,
    );
  /** The addresses at which purchases of an address can be given back, the newest first. */
  const returnsOf = async (email: string) =>
    (await mailsTo(email)).flatMap(({ text }) => text.match(/\/returns\/\S+/g) ?? []);
  const press = (person: Person, path: string) => person.fetch(path, { method: 'POST' });
  const refundsOf = async (success: string) => {
    const session = new URL(success).searchParams.get('session_id') ?? '';
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
    return (await stripe.refunds.list({ payment_intent: String(payment_intent) })).data;
  };

  test('is said in the second receipt, and goes back at the press of its button', async () => {
    const { id } = await sellFile(seller, { price: 1000 });
    await updateLink(seller, { id, title: 'Notes on optics' });
    const email = newEmail();
    const [first, second] = [await buy(id, email), await buy(id, email.toUpperCase())];
    await settle();
    expect((await mailsTo(email)).some(({ text }) => SAID.test(text))).toBe(false);
    const receipt = await readMail(app, email.toUpperCase(), /^Your purchase: Notes on optics$/);
    expect(receipt.text).toMatch(SAID);
    expect(receipt.text).toContain('$10.00 is refunded to you, and the first one stays yours.');
    expect(receipt.html).toContain('Give this purchase back');
    const [path = ''] = await returnsOf(email.toUpperCase());

    // Where the mail was opened. A look, as mail scanners take it, changes nothing.
    const reader = newBuyer();
    expect(await readPage(reader, path)).toContain('Give this purchase back');
    await settle();
    expect(await refundsOf(second.success)).toEqual([]);
    const pressed = await press(reader, path);
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, path]);
    await eventually(async () =>
      expect(await seeLink(second.buyer, id)).toMatchObject({ unlocked: false }),
    );
    expect(await readPage(reader, path)).toContain('Your first purchase stays yours.');
    for (const person of [first.buyer, reader]) {
      expect(await seeLink(person, id)).toMatchObject({ unlocked: true });
    }
    // Pressed again it does nothing, also for others who got the link from them.
    const friend = newBuyer();
    for (const person of [reader, friend]) {
      expect((await press(person, path)).status).toBe(303);
    }
    expect(await seeLink(friend, id)).toMatchObject({ unlocked: false });
    await settle();
    expect(await refundsOf(second.success)).toMatchObject([{ amount: 1000, status: 'succeeded' }]);
    expect(await refundsOf(first.success)).toEqual([]);
    await expectBooks(app, id, {
      provider: -882,
      platform_fee: 80,
      creator: 920,
      processing_cost: -118,
    });

    const told = await readMail(app, email.toUpperCase(), /^Your refund/);
    expect(told.text).toContain('which you bought twice, is being refunded to you.');
    const why = 'The buyer had bought it before, and gave the second purchase back.';
    const sold = await readMail(app, (seller as Person & { email: string }).email, /^A sale was/);
    expect(sold.text).toContain(why);
    expect(sold.text).toContain('The buyer keeps access.');
    expect(sold.text).not.toContain(email);
    type Listed = { listSales: { items: { linkId: string; refunds: object[] }[] } };
    const { listSales } = await graphql<Listed>(
      seller,
      '{ listSales { items { linkId refunds { amount state reason by } } } }',
    );
    expect(listSales.items.filter(({ linkId }) => linkId === id)).toMatchObject([
      { refunds: [{ amount: 1000, state: 'succeeded', reason: why, by: 'buyer' }] },
      { refunds: [] },
    ]);
  });

  test('goes back once, however many press at once', async () => {
    const { id } = await sellFile(seller, { price: 1000 });
    const { second, path } = await buyTwice(id);
    const answers = await Promise.all([1, 2, 3].map(() => press(newBuyer(), path)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    await settle();
    expect(await refundsOf(second.success)).toMatchObject([{ amount: 1000 }]);
  });

  test('goes back for a day', async () => {
    const { id } = await sellFile(seller);
    const { email, second, path } = await buyTwice(id);
    const { buyer, success } = second;
    clock.ahead += DAY_MS - 60_000;
    expect(await readPage(newBuyer(), path)).toContain('Give this purchase back');
    clock.ahead += 60_001;
    const over = 'The 24 hours for giving back your second purchase';
    expect(await readPage(newBuyer(), path)).toContain(over);
    const late = newBuyer();
    const refused = await press(late, path);
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(over)]);
    expect(await seeLink(late, id)).toMatchObject({ unlocked: false });
    // A receipt that is sent again says nothing of it any more.
    const held = await graphql<{ listPurchases: { items: { id: string }[] } }>(
      buyer,
      '{ listPurchases { items { id } } }',
      {},
      await publishableKey(app),
    );
    await postForm(buyer, '/purchases/receipt', { id: held.listPurchases.items[0]?.id ?? '' });
    await settle();
    expect((await mailsTo(email)).length).toBe(3);
    expect(await returnsOf(email)).toHaveLength(1);
    expect(await refundsOf(success)).toEqual([]);
  });

  test('is another link, another address, or a gift, of which nothing is said', async () => {
    const [one, two] = [await sellFile(seller), await sellFile(seller)];
    const [email, other] = [newEmail(), newEmail()];
    await buy(one.id, email);
    await buy(two.id, email);
    await buy(one.id, other);
    const give = async (from: string, to: string) => {
      const giver = newBuyer();
      const gift = { email: to };
      const begun = await postJson(giver, '/prod/checkout', { paywallId: one.id, gift });
      const { url } = await readJson<{ url: string }>(begun);
      expect((await payAt(giver, url, CARDS.pays, from)).status).toBe(303);
    };
    // By who has it, and to who has it; and what was only given before is no purchase of theirs.
    await give(email, newEmail());
    await give(newEmail(), other);
    const given = newEmail();
    await give(newEmail(), given);
    await buy(one.id, given);
    await settle();
    for (const address of [email, other, given]) {
      expect(await returnsOf(address), address).toEqual([]);
    }
  });

  test('stays where the first does not stand any more', async () => {
    const { id } = await sellFile(seller, { price: 1000 });
    const { email, first, second, path } = await buyTwice(id);
    const [{ payment_intent }] = [
      await stripe.checkout.sessions.retrieve(
        new URL(first.success).searchParams.get('session_id') ?? '',
      ),
    ];
    await stripe.refunds.create({ payment_intent: String(payment_intent) });
    await eventually(async () =>
      expect(await seeLink(first.buyer, id)).toMatchObject({ unlocked: false }),
    );
    const kept = 'no longer gives access, so this one stays yours.';
    expect(await readPage(newBuyer(), path)).toContain(kept);
    const refused = await press(newBuyer(), path);
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(kept)]);
    expect(await seeLink(second.buyer, id)).toMatchObject({ unlocked: true });
    expect(await refundsOf(second.success)).toEqual([]);
    // Bought anew after that, it is no second purchase of what was given back.
    await buy(id, email);
    await settle();
    expect(await returnsOf(email)).toHaveLength(2);
  });

  test('is kept where the first one is refunded at the same moment', async () => {
    const { id } = await sellFile(seller, { price: 1000 });
    const { first, second, path } = await buyTwice(id);
    const pressed = await withDatabase(app, async (db) => {
      const held = await db.startTransaction().execute();
      const { id: purchaseId } = await held
        .selectFrom('purchase')
        .where('link_id', '=', id)
        .orderBy('settled_at')
        .limit(1)
        .select('id')
        .$if(database === 'postgres', (query) => query.forUpdate())
        .executeTakeFirstOrThrow();
      const refund = { id: randomUUID(), purchase_id: purchaseId, amount_cents: 1000 };
      const by = { state: 'requested', reason: 'As agreed.', requested_by: 'creator' } as const;
      await held
        .insertInto('refund')
        .values({ ...refund, ...by, created_at: Date.now() })
        .execute();
      const answer = press(newBuyer(), path);
      if (database === 'postgres') {
        const waiting = sql`select pid from pg_stat_activity
          where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
        await eventually(async () => expect((await waiting.execute(db)).rows).toHaveLength(1));
      }
      await held.commit().execute();
      return answer;
    });
    expect(pressed.status).toBe(409);
    expect(await pressed.text()).toContain('no longer gives access, so this one stays yours.');
    expect(await seeLink(second.buyer, id)).toMatchObject({ unlocked: true });
    expect(await refundsOf(second.success)).toEqual([]);
    expect(await refundsOf(first.success)).toEqual([]);
  });

  test('is no bundle that has grown since, of which nothing is said', async () => {
    const [one, two, three] = [
      await sellFile(seller),
      await sellFile(seller),
      await sellFile(seller),
    ];
    const parts = [one.id, two.id];
    const { id } = await createLink(seller, { type: 'bundle', price: 900, title: 'All', parts });
    const email = newEmail();
    await buy(id, email);
    await updateLink(seller, { id, parts: [...parts, three.id] });
    await buy(id, email);
    await settle();
    expect(await returnsOf(email)).toEqual([]);
    // It is the same as the one before it.
    await buy(id, email);
    await settle();
    expect(await returnsOf(email)).toHaveLength(1);
  });

  test('holds none of a link’s copies and codes once it went back', async () => {
    const { id } = await sellFile(seller, { price: 1000 });
    await updateLink(seller, { id, copies: 2 });
    const input = { code: `ONCE-${id}`, percent: 50, uses: 2 };
    await graphql(seller, DISCOUNT, { input });
    const email = newEmail();
    const buyByCode = async () => {
      const buyer = newBuyer();
      const begun = await postJson(buyer, '/prod/checkout', { paywallId: id, code: input.code });
      expect(begun.status).toBe(200);
      const { url } = await readJson<{ url: string }>(begun);
      expect((await payAt(buyer, url, CARDS.pays, email)).status).toBe(303);
      await waitUntilUnlocked(buyer, id);
      await settle();
    };
    await buyByCode();
    await buyByCode();
    expect(await readPage(newBuyer(), `/p/${id}`)).toContain('All copies are sold');
    const [path = ''] = await returnsOf(email);
    expect((await press(newBuyer(), path)).status).toBe(303);
    await settle();
    await buyByCode();
    expect(await readPage(newBuyer(), `/p/${id}`)).toContain('All copies are sold');
  });

  test('is one line of a cart, and goes back alone', async () => {
    const [one, two] = [
      await sellFile(seller, { price: 1000 }),
      await createLink(seller, { type: 'link', url: 'https://example.com/', price: 500 }),
    ];
    const email = newEmail();
    await buy(one.id, email);
    const buyer = newBuyer();
    for (const { id } of [one, two]) await postForm(buyer, '/cart/add', { paywallId: id });
    const page = (await checkOutCart(buyer)).headers.get('location') ?? '';
    expect((await payAt(buyer, page, CARDS.pays, email)).status).toBe(303);
    await waitUntilUnlocked(buyer, two.id);
    await settle();
    const receipt = await readMail(app, email, /^Your purchases: 2 items$/);
    expect(receipt.text.match(new RegExp(SAID, 'g'))).toHaveLength(1);
    expect(receipt.text).toContain('$10.00 is refunded to you');
    const [path = '', ...others] = await returnsOf(email);
    expect(others).toEqual([]);
    expect((await press(newBuyer(), path)).status).toBe(303);
    await eventually(async () =>
      expect(await seeLink(buyer, one.id)).toMatchObject({ unlocked: false }),
    );
    expect(await seeLink(buyer, two.id)).toMatchObject({ unlocked: true });
    await settle();
    const states = await withDatabase(app, (db) =>
      db
        .selectFrom('refund')
        .innerJoin('purchase', 'purchase.id', 'refund.purchase_id')
        .where('link_id', 'in', [one.id, two.id])
        .select(['link_id', 'amount_cents', 'requested_by'])
        .execute(),
    );
    expect(states).toEqual([{ link_id: one.id, amount_cents: 1000, requested_by: 'buyer' }]);
  });

  test('is said after the payment to whom it is no news, and to nobody who typed an address', async () => {
    const { id } = await sellFile(seller);
    const account = await signUp(app);
    await buy(id, account.email);
    const stranger = await buy(id, account.email);
    expect(await readPage(stranger.buyer, stranger.success)).not.toContain('You already bought');
    const { success } = await buy(id, account.email.toUpperCase(), account);
    const page = await (await account.fetch(success)).text();
    expect(page).toContain('You already bought this on');
    const [path = ''] = /\/returns\/[\w.-]+/.exec(page) ?? [];
    expect(await readPage(newBuyer(), path)).toContain('Give this purchase back');
    // Who has another address learns nothing of this one.
    const other = await signUp(app);
    const typed = await buy(id, account.email, other);
    expect(await (await other.fetch(typed.success)).text()).not.toContain('/returns/');
  });

  test('goes back three times a day for one mailbox', async () => {
    const email = newEmail();
    const paths: string[] = [];
    for (let number = 0; number < 4; number += 1) {
      const { id } = await createLink(seller, {
        type: 'link',
        url: 'https://example.com/',
        price: 100,
      });
      await buy(id, email);
      await buy(id, email);
    }
    await settle();
    paths.push(...(await returnsOf(email)));
    expect(paths).toHaveLength(4);
    const answers: number[] = [];
    for (const path of paths) answers.push((await press(newBuyer(), path)).status);
    expect(answers).toEqual([303, 303, 303, 429]);
    clock.ahead += 60_000;
    expect(await readPage(newBuyer(), paths[3] ?? '')).toContain('Give this purchase back');
  });

  test('stays where it brought a license key of the seller’s own list, which a refund cannot take back', async () => {
    const add = 'mutation ($id: ID!, $keys: String!) { addLicenseKeys(linkId: $id, keys: $keys) }';
    for (const [licenses, offers] of [
      ['list', 0],
      ['generated', 1],
    ] as const) {
      const { id } = await sellFile(seller);
      await updateLink(seller, { id, licenses });
      await graphql(seller, add, { id, keys: `first-key-of-${id}\nsecond-key-of-${id}` });
      const { email } = await buyTwice(id);
      expect(await returnsOf(email)).toHaveLength(offers);
    }
  });

  test('is given back by a link from the receipt alone', async () => {
    const { id } = await sellFile(seller);
    const { email, path } = await buyTwice(id);
    const person = newBuyer();
    for (const wrong of [
      path.slice(0, -1),
      '/returns/x',
      path.replace('/returns/', '/returns/A'),
    ]) {
      expect((await person.fetch(wrong)).status).toBe(404);
      expect((await press(person, wrong)).status).toBe(404);
    }
    const [personal = ''] =
      (await mailsTo(email)).map(({ text }) => /\/access\/\S+/.exec(text)?.[0] ?? '') ?? [];
    expect((await press(person, personal.replace('/access/', '/returns/'))).status).toBe(404);
    expect(person.cookies.size).toBe(0);
  });
});
