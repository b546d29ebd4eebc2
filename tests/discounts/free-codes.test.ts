import { expect, test } from 'vitest';
import { checkLedger, findOverdue } from '../../server/money/payments/check-ledger.ts';
import { followSettlement } from '../../server/money/payments/follow-settlement.ts';
import { selectPurchases } from '../../server/selling/purchases/queries.ts';
import { checkOutCart, postForm, sessionOf } from '../factories/cart-steps.ts';
import {
  createLink,
  graphql,
  readMail,
  seeLink,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { expectBooks, waitUntilIdle } from '../factories/money.ts';
import { payAt } from '../factories/payment.ts';
import { useShop } from '../factories/use-shop.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { type Person, postJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { runCli } from '../harness/run-command.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);
const CREATE = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
const FREE = { percent: 100 };

describeOnSqliteFirst('a code that takes off everything', (database) => {
  const { app, seller, newBuyer, begin, checkOut } = useShop(database, sandboxPort);

  const make = (input: Record<string, unknown>) => graphql(seller, CREATE, { input });
  const has = async (person: Person, id: string) =>
    (await person.fetch(`/p/${id}/content`)).headers.get('location')?.includes('/download/') ??
    false;

  const countGrants = (id: string) =>
    withDatabase(app, async (db) => {
      const grants = await db
        .selectFrom('access_grant')
        .where('link_id', '=', id)
        .select('id')
        .execute();
      return grants.length;
    });

  test('unlocks at once, with nothing at the provider, and leaves all books in order', async () => {
    const { id } = await sellFile(seller, { price: 300 });
    await make({ code: 'GIFT', ...FREE, links: [id], usesOfBuyer: 1 });
    const before = await stripe.checkout.sessions.list({ limit: 1 });
    const buyer = newBuyer();
    const page = await readPage(buyer, `/p/${id}?code=gift`);
    expect(page).toContain('$3.00 off the usual price of $3.00');
    expect(page).toMatch(/Free/);
    expect(page).not.toContain('All sales final');
    expect(await checkOut(buyer, id, 'gift')).toBe(`${app.origin}/p/${id}`);
    expect(await has(buyer, id)).toBe(true);
    expect(await has(newBuyer(), id)).toBe(false);
    // Asked for again, it is theirs already; nobody else uses it up.
    expect(await checkOut(buyer, id, 'gift')).toBe(`${app.origin}/p/${id}`);
    expect(await stripe.checkout.sessions.list({ limit: 1 })).toEqual(before);
    await expectBooks(app, id, { creator: 0, platform_fee: 0, provider: 0 });
    await withDatabase(app, async (db) => {
      await waitUntilIdle(db, sandboxPort);
      const overdue = await findOverdue(db, Date.now() + 2 * DAY_MS);
      expect(overdue.filter((one) => one.includes('Purchase'))).toEqual([]);
      expect(await checkLedger(db)).toEqual([]);
    });
    const reconciled = await runCli(app.env, 'reconcile');
    expect(reconciled, reconciled.stdout).toMatchObject({ status: 0 });
    const { listDiscounts } = await graphql<{ listDiscounts: { items: object[] } }>(
      seller,
      '{ listDiscounts { items { code percent paid open } } }',
    );
    expect(listDiscounts.items).toContainEqual({ code: 'GIFT', ...FREE, paid: 1, open: 0 });
    expect(await (await seller.fetch('/dashboard/sales.csv')).text()).toMatch(
      /,0\.00,0\.00,0\.00,.*,GIFT,\r\n/,
    );
  });

  test('has a plain form, sends a receipt to an account, and cannot be refunded', async () => {
    const { id } = await sellFile(seller, { price: 300 });
    await updateLink(seller, { id, title: 'A free hour' });
    await make({ code: 'HOUR', ...FREE, links: [id] });
    const buyer = await signUp(app);
    const unlocked = await postForm(buyer, '/prod/checkout', { paywallId: id, code: 'HOUR' });
    expect(unlocked.status).toBe(303);
    expect(unlocked.headers.get('location')).toBe(`${app.origin}/p/${id}`);
    expect((await readMail(app, buyer.email, /A free hour/)).text).toContain(
      'Free, with a discount code.',
    );
    expect(await (await buyer.fetch(`/p/${id}/receipt`)).text()).toContain('0.00');
    const { listSales } = await graphql<{ listSales: { items: Record<string, unknown>[] } }>(
      seller,
      '{ listSales { items { id gross refundable } } }',
    );
    const sale = listSales.items[0];
    expect(sale).toMatchObject({ gross: 0, refundable: 0 });
    const refund = await postJson(seller, '/graphql', {
      query: 'mutation ($id: ID!) { refundSale(purchaseId: $id, reason: "Because") { id } }',
      variables: { id: sale?.id },
    });
    expect(await refund.text()).toContain('nothing left of this payment');
    // Not when its seller has left either.
    await withDatabase(app, async (db) => {
      const { id: purchaseId, seller_id } = await selectPurchases(db)
        .where('link_id', '=', id)
        .executeTakeFirstOrThrow();
      const sellBy = (seller: string) =>
        db
          .updateTable('purchase')
          .set({ seller_id: seller })
          .where('id', '=', purchaseId)
          .execute();
      await sellBy('nobody');
      expect(await followSettlement({ db, now: Date.now }, purchaseId)).toEqual([]);
      await sellBy(seller_id);
    });
  });

  test('ends the checkout that its buyer had begun, and is no gift for others', async () => {
    const { id } = await sellFile(seller, { price: 300 });
    await make({ code: 'INSTEAD', ...FREE, links: [id] });
    const buyer = newBuyer();
    const paid = await checkOut(buyer, id);
    const gift = { email: 'friend@example.com' };
    const refused = await postJson(buyer, '/prod/checkout', {
      paywallId: id,
      code: 'INSTEAD',
      gift,
    });
    expect(await refused.json()).toMatchObject({
      code: 'GIFT_REFUSED',
      detail: expect.stringContaining('Send them the code instead.'),
    });
    await checkOut(buyer, id, 'INSTEAD');
    expect((await stripe.checkout.sessions.retrieve(sessionOf(paid))).status).toBe('expired');
  });

  test('is used no more often than it may be by many at once', async () => {
    const { id } = await sellFile(seller, { price: 300 });
    await make({ code: 'TWICE', ...FREE, links: [id], uses: 2 });
    const buyers = Array.from({ length: 20 }, newBuyer);
    const answers = await Promise.all(buyers.map((buyer) => begin(buyer, id, 'TWICE')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(18);
    const unlocked = await Promise.all(buyers.map((buyer) => has(buyer, id)));
    expect(unlocked).toEqual(answers.map(({ status }) => status === 200));
  });

  test('is pressed twice at once and used once, of the last copy too', async () => {
    // The first to press wake the server, and hardly meet.
    for (const code of ['ONCE', 'ONCE-2', 'ONCE-3']) {
      const { id } = await sellFile(seller, { price: 300 });
      if (code === 'ONCE-3') await updateLink(seller, { id, copies: 1 });
      await make({ code, ...FREE, links: [id], uses: 1 });
      const buyer = newBuyer();
      const pressed = { paywallId: id, code, key: code.padEnd(32, '-') };
      const press = () => postJson(buyer, '/prod/checkout', pressed);
      const answers = await Promise.all(Array.from({ length: 6 }, press));
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect(await has(buyer, id)).toBe(true);
      expect(await countGrants(id)).toBe(1);
    }
  });

  test('is one of two that a buyer uses at once', async () => {
    for (const round of [1, 2, 3]) {
      const { id } = await sellFile(seller, { price: 300 });
      const codes = [`THIS-${round}`, `THAT-${round}`];
      for (const code of codes) await make({ code, ...FREE, links: [id] });
      const buyer = newBuyer();
      const key = 'two-codes'.padEnd(32, `${round}`);
      const press = (code: string) =>
        postJson(buyer, '/prod/checkout', { paywallId: id, code, key });
      const answers = await Promise.all([...codes, ...codes].map(press));
      expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
      expect(await countGrants(id)).toBe(1);
    }
  });

  test('gives what is free in a cart at once, and leaves the rest to be paid', async () => {
    const [free, paid] = [
      await sellFile(seller, { price: 300 }),
      await sellFile(seller, { price: 500 }),
    ];
    await make({ code: 'HALF', ...FREE, links: [free.id] });
    const buyer = newBuyer();
    await postForm(buyer, '/cart/add', { paywallId: free.id, code: 'HALF' });
    expect(await readPage(buyer, '/cart')).toContain('There is nothing to pay.');
    await postForm(buyer, '/cart/add', { paywallId: paid.id });
    const answer = await checkOutCart(buyer);
    const address = answer.headers.get('location') ?? '';
    expect(await has(buyer, free.id)).toBe(true);
    expect(await has(buyer, paid.id)).toBe(false);
    const session = await stripe.checkout.sessions.retrieve(sessionOf(address));
    expect(session.amount_total).toBe(500);
    expect((await payAt(buyer, address)).status).toBe(303);
    await waitUntilUnlocked(buyer, paid.id);
    await withDatabase(app, async (db) => {
      await waitUntilIdle(db, sandboxPort);
      expect(await checkLedger(db)).toEqual([]);
    });
    const second = newBuyer();
    await postForm(second, '/cart/add', { paywallId: free.id, code: 'HALF' });
    expect((await checkOutCart(second)).headers.get('location')).toBe('/purchases');
    expect(await has(second, free.id)).toBe(true);
  });

  test('counts as a copy, and is nothing that an amount does by chance', async () => {
    const { id } = await createLink(seller, {
      type: 'link',
      url: 'https://example.com',
      price: 300,
      copies: 1,
    });
    await make({ code: 'FIVE-OFF', amount: 500 });
    await make({ code: 'LAST-COPY', ...FREE });
    const refused = await begin(newBuyer(), id, 'FIVE-OFF');
    expect(await refused.json()).toMatchObject({ code: 'DISCOUNT_REFUSED' });
    const buyer = newBuyer();
    await checkOut(buyer, id, 'LAST-COPY');
    expect(await seeLink(buyer, id)).toMatchObject({ url: 'https://example.com/' });
    const late = await begin(newBuyer(), id, 'LAST-COPY');
    expect(await late.json()).toMatchObject({ code: 'NOT_ON_SALE' });
  });
});
