import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { findPurchasesBySession } from '../../server/selling/purchases/queries.ts';
import { checkOutCart, postForm, readSeen, sessionOf } from '../factories/cart-steps.ts';
import {
  createLink,
  graphql,
  readBalance,
  readMail,
  sellFile,
  signUp,
  updateLink,
} from '../factories/factories.ts';
import { waitUntilIdle } from '../factories/money.ts';
import { BUYER_EMAIL, CARDS, payAt } from '../factories/payment.ts';
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
const REFUND = `mutation ($id: ID!, $amount: Int, $reason: String!) {
  refundSale(purchaseId: $id, amount: $amount, reason: $reason) { state }
}`;

describeOnSqliteFirst('a cart', (database) => {
  const app = useApp({
    database,
    env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) },
  });
  let ada: Person;
  let ben: Person;

  beforeAll(async () => {
    ada = await signUp(app);
    ben = await signUp(app);
  });

  const linesOf = (session: string) =>
    withDatabase(app, (db) => findPurchasesBySession(db, session));
  const expectClean = () =>
    withDatabase(app, async (db) => {
      await waitUntilIdle(db, sandboxPort);
      expect(await checkLedger(db)).toEqual([]);
    });

  async function buy(person: Person, links: { id: string }[]) {
    for (const { id } of links) {
      const added = await postForm(person, '/cart/add', { paywallId: id });
      expect([added.status, added.headers.get('location')]).toEqual([303, '/cart']);
    }
    const answer = await checkOutCart(person);
    expect(answer.status).toBe(303);
    const paid = await payAt(person, answer.headers.get('location') ?? '');
    const success = new URL(paid.headers.get('location') ?? '');
    const session = success.searchParams.get('session_id') ?? '';
    await eventually(async () => {
      const lines = await linesOf(session);
      expect(lines.map(({ state }) => state)).toEqual(links.map(() => 'settled'));
    });
    return { session, success: success.pathname + success.search };
  }

  test('is paid at once, and each line is a sale of its own', async () => {
    const links = [
      await sellFile(ada, { price: 100 }),
      await sellFile(ben, { price: 100 }),
      await sellFile(ada, { price: 100, name: 'third.pdf' }),
    ];
    const [before, beforeBen] = [await readBalance(ada), await readBalance(ben)];
    const buyer = createPerson(app);
    for (const { id } of links) await postForm(buyer, '/cart/add', { paywallId: id });
    const page = await readPage(buyer, '/cart');
    expect(page).toContain('Paying once saves a fee: the sellers receive $2.55 instead of $1.95.');
    const { session, success } = await buy(buyer, links);
    const lines = await linesOf(session);
    expect(lines.reduce((sum, { fee_cents }) => sum + fee_cents, 0)).toBe(45);
    expect((await readBalance(ada)) - before + (await readBalance(ben)) - beforeBen).toBe(255);
    expect((await readBalance(ben)) - beforeBen).toBe(85);
    const bought = await (await buyer.fetch(success)).text();
    expect(bought).toContain('Your file is now unlocked and should be downloading.');
    for (const { id, bytes } of links) {
      expect(bought).toContain(`/p/${id}/content`);
      const content = await buyer.fetch(`/p/${id}/content`);
      const file = await buyer.fetch(content.headers.get('location') ?? '');
      expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
    }
    const receipt = await readMail(app, BUYER_EMAIL, /Your purchases: 3 items/);
    expect(receipt.text.match(/\/access\//g)).toHaveLength(3);
    expect(await readPage(buyer, '/cart')).toContain('Your cart is empty.');
    await expectClean();

    // Refunds find their lines: one that was asked for here, and one that was made at the provider.
    const [first] = lines;
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
    const payment = String(payment_intent);
    expect(first?.payment_intent_id).toBe(payment);
    await graphql(first?.seller_id === lines[1]?.seller_id ? ada : ben, REFUND, {
      id: first?.id,
      amount: 40,
      reason: 'A page was missing',
    });
    await stripe.refunds.create({ payment_intent: payment, amount: 91 });
    await expectRefunded(lines, [60, 100, 100], 40 + 91);
  });

  /** What is left is taken of in proportion. */
  async function expectRefunded(lines: { id: string }[], left: number[], cents: number) {
    await eventually(async () => {
      const shares = await withDatabase(app, (db) =>
        db
          .selectFrom('refund')
          .where(
            'purchase_id',
            'in',
            lines.map(({ id }) => id),
          )
          .where('state', '=', 'succeeded')
          .selectAll()
          .execute(),
      );
      expect(shares.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(cents);
      const spread = lines.map(({ id }) =>
        shares.filter((share) => share.purchase_id === id && share.id.startsWith('re_')),
      );
      // 91 of 260: 21 of 60 and 35 of 100, to the cent.
      expect(spread.map(([share]) => share?.amount_cents)).toEqual(
        left.map((one) => Math.round((91 * one) / 260)),
      );
    });
    await expectClean();
  }

  test('says before the payment what cannot be bought or costs something else', async () => {
    const paused = await sellFile(ada, { price: 300 });
    const dearer = await sellFile(ben, { price: 400 });
    const gone = await sellFile(ben, { price: 500 });
    const same = await sellFile(ada, { price: 600 });
    const buyer = createPerson(app);
    for (const { id } of [paused, dearer, gone, same]) {
      await postForm(buyer, '/cart/add', { paywallId: id });
    }
    const stale = await readSeen(buyer);
    await updateLink(ada, { id: paused.id, paused: true });
    await updateLink(ben, { id: dearer.id, price: 450 });
    await graphql(ben, `mutation { deletePaywallLink(input: { id: "${gone.id}" }) { id } }`);
    const refused = await postForm(buyer, '/cart/checkout', { seen: stale });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('Something in your cart has changed.');
    const page = await readPage(buyer, '/cart');
    expect(page).toContain('The seller has paused this link.');
    expect(page).toContain('The price is now $4.50. It was $4.00 when you added it.');
    expect(page).toContain('This is no longer sold here.');
    expect(page).toContain('2 links to pay for. 2 cannot be bought.');
    const first = await checkOutCart(buyer);
    expect(first.status).toBe(303);
    // The same cart is offered again, and ends once one of its lines costs something else.
    const again = await checkOutCart(buyer);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    await updateLink(ben, { id: dearer.id, price: 475 });
    const sessionId = sessionOf(first.headers.get('location') ?? '');
    await eventually(async () => {
      const { status } = await stripe.checkout.sessions.retrieve(sessionId);
      expect(status).toBe('expired');
      const lines = await linesOf(sessionId);
      expect(lines.map(({ state }) => state)).toEqual(['expired', 'expired']);
    });
    await expectClean();
  });

  test('is not paid for with what was taken out of it since it was checked out', async () => {
    // By their numbers in the cart. The fee of the first is the same without the second.
    const links = [await sellFile(ada, { price: 100 }), await sellFile(ada, { price: 100 })];
    const [dear, cheap] = links.map(({ id }) => id).sort() as [string, string];
    await updateLink(ada, { id: dear, price: 100_000 });
    const buyer = createPerson(app);
    for (const paywallId of [dear, cheap]) await postForm(buyer, '/cart/add', { paywallId });
    const both = sessionOf((await checkOutCart(buyer)).headers.get('location') ?? '');
    await postForm(buyer, '/cart/remove', { paywallId: cheap });
    const one = sessionOf((await checkOutCart(buyer)).headers.get('location') ?? '');
    expect((await stripe.checkout.sessions.retrieve(one)).amount_total).toBe(100_000);
    expect((await stripe.checkout.sessions.retrieve(both)).status).toBe('expired');
    await expectClean();
  });

  test('says of a discount code which lines are one too many for it', async () => {
    const input = { code: 'ONCE', percent: 50, usesOfBuyer: 1 };
    const create = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
    await graphql(ada, create, { input });
    const buyer = createPerson(app);
    for (const price of [800, 600]) {
      const { id } = await sellFile(ada, { price });
      await postForm(buyer, '/cart/add', { paywallId: id, code: 'once' });
    }
    for (let time = 0; time < 2; time += 1) {
      const page = await readPage(buyer, '/cart');
      expect(page).toContain('You cannot use this discount code again.');
      const answer = await checkOutCart(buyer);
      expect(answer.status).toBe(303);
      const session = sessionOf(answer.headers.get('location') ?? '');
      expect((await stripe.checkout.sessions.retrieve(session)).amount_total).toBe(400 + 600);
    }
  });

  test('does not let anybody pay for a part of a bundle twice', async () => {
    const parts = [await sellFile(ada, { price: 300 }), await sellFile(ada, { price: 400 })];
    const ids = parts.map(({ id }) => id);
    const bundle = await createLink(ada, { type: 'bundle', price: 500, title: 'Both', parts: ids });
    const buyer = createPerson(app);
    for (const paywallId of [...ids, bundle.id]) await postForm(buyer, '/cart/add', { paywallId });
    const page = await readPage(buyer, '/cart');
    expect(page.split('A bundle in your cart contains this already.')).toHaveLength(3);
    expect(page).toContain('1 link to pay for. 2 cannot be bought.');
    const session = sessionOf((await checkOutCart(buyer)).headers.get('location') ?? '');
    expect((await stripe.checkout.sessions.retrieve(session)).amount_total).toBe(500);
    // A bundle that cannot be bought takes nothing from its parts.
    await updateLink(ada, { id: bundle.id, paused: true });
    expect(await readPage(buyer, '/cart')).toContain('2 links to pay for. 1 cannot be bought.');
  });

  test('is sold also where a raised fee has come to take all of it', async () => {
    const links = [await sellFile(ada, { price: 100 }), await sellFile(ben, { price: 40 })];
    const buyer = createPerson(app);
    for (const { id } of links) await postForm(buyer, '/cart/add', { paywallId: id });
    app.env.PLATFORM_FEE_FIXED_CENTS = '150';
    await app.restart();
    const page = await readPage(buyer, '/cart');
    const lines = await linesOf((await buy(buyer, links)).session);
    delete app.env.PLATFORM_FEE_FIXED_CENTS;
    await app.restart();
    expect(page).toContain('2 links, one payment.');
    expect(page).not.toContain('Paying once saves a fee');
    // They are in the order of their links' ids.
    expect(lines.toSorted((one, other) => one.price_cents - other.price_cents)).toMatchObject([
      { state: 'settled', price_cents: 40, fee_cents: 40 },
      { state: 'settled', price_cents: 100, fee_cents: 100 },
    ]);
    await expectClean();
  });

  test('is empty for something else while its payment is under way', { tags: 'long' }, async () => {
    const links = [await sellFile(ada, { price: 200 }), await sellFile(ben, { price: 300 })];
    const buyer = createPerson(app);
    for (const { id } of links) await postForm(buyer, '/cart/add', { paywallId: id });
    const address = (await checkOutCart(buyer)).headers.get('location') ?? '';
    await payAt(buyer, address, CARDS.settlesLater);
    const states = async () => (await linesOf(sessionOf(address))).map(({ state }) => state);
    await eventually(async () => expect(await states()).not.toContain('open'));
    expect(await readPage(buyer, '/cart')).toContain('Your cart is empty.');
    const other = await sellFile(ada, { price: 700 });
    await postForm(buyer, '/cart/add', { paywallId: other.id });
    const session = sessionOf((await checkOutCart(buyer)).headers.get('location') ?? '');
    expect((await stripe.checkout.sessions.retrieve(session)).amount_total).toBe(700);
    await eventually(async () => expect(await states()).toEqual(['settled', 'settled']));
    await expectClean();
  });

  test('is in the books of the provider once, also what a bank takes back of it', async () => {
    const links = [await sellFile(ada, { price: 900 }), await sellFile(ben, { price: 400 })];
    const { session } = await buy(createPerson(app), links);
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
    await stripe.refunds.create({ payment_intent: String(payment_intent), amount: 130 });
    await letHappen(sandboxPort, 'disputes', { payment_intent: String(payment_intent) });
    await expectClean();
    const { stdout } = await runCli(app.env, 'ledger', 'reconcile');
    expect(stdout).toMatch(/^Balance +USD +(\S+) +\1 +0\.00$/m);
    const unexplained = await withDatabase(app, (db) =>
      db
        .selectFrom('ledger_entry')
        .where('kind', '=', 'provider_transaction')
        .select('cause')
        .execute(),
    );
    expect(unexplained).toEqual([]);
    await expectClean();
  });
});

describe('carts beside other checkouts', () => {
  // Its transactions run beside each other.
  const app = useApp({
    database: 'postgres',
    env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) },
  });

  test('begin, whoever has to wait for whom to be counted', { tags: 'long' }, async () => {
    const seller = await signUp(app);
    const links = [await sellFile(seller), await sellFile(seller)];
    const [first, second] = links.map(({ id }) => id).sort() as [string, string];
    const [one, other] = [createPerson(app), createPerson(app)];
    for (const paywallId of [first, second]) await postForm(other, '/cart/add', { paywallId });
    await postJson(createPerson(app), '/prod/checkout', { paywallId: second });
    // Read before: whoever waits for a lock does so for some seconds at most.
    const seen = await readSeen(other);
    const begun = await withDatabase(app, (db) =>
      db.transaction().execute(async (trx) => {
        const held = trx.updateTable('link_statistics').set({ link_id: second });
        await held.where('link_id', '=', second).execute();
        const waiting = (count: number) =>
          eventually(async () => {
            const { rows } = await sql`select pid from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
            expect(rows).toHaveLength(count);
          });
        const alone = postJson(one, '/prod/checkout', { paywallId: second });
        await waiting(1);
        const together = postForm(other, '/cart/checkout', { seen });
        await waiting(2);
        return { alone, together };
      }),
    );
    expect((await begun.alone).status).toBe(200);
    expect((await begun.together).status).toBe(303);
  });
});
