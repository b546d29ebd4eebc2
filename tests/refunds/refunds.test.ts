import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startProviderProxy } from '../errors/provider-proxy.ts';
import { runSql } from '../errors/run-sql.ts';
import {
  askGraphql,
  graphql,
  publishableKey,
  readMail,
  seeLink,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import {
  expectBooks,
  readWholeBalance,
  sellOnce,
  waitUntilHandled,
  waitUntilIdle,
} from '../factories/money.ts';
import { BUYER_EMAIL } from '../factories/payment.ts';
import { SERVICE_KEY } from '../factories/secret-key.ts';
import { eventually } from '../harness/eventually.ts';
import { connectLive } from '../harness/live-socket.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';
import { deliverWebhook, findEvent, letHappen, stripeOf, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const EIGHT_DAYS_MS = 8 * 24 * 60 * 60 * 1000;
const REFUND_FAILS = '4000 0000 0000 5126';
const REFUND_IS_PENDING = '4000 0000 0000 7726';
const COST_IS_REPORTED_LATER = '4000 0000 0000 8872';

// A sale of 1000 cents: 5% and 30 cents are the platform's fee, 2.9% and 30 the provider's cost.
const SOLD = { provider: -941, platform_fee: 80, creator: 920, processing_cost: -59 };
const GIVEN_BACK = { provider: 59, platform_fee: 0, creator: 0, processing_cost: -59 };

const provider = await startProviderProxy();
afterAll(provider.stop);
const sandboxPort = Number(provider.env.SANDBOX_PORT);
const env = webhookEnv(sandboxPort);
const stripe = stripeOf(sandboxPort);

describeOnSqliteFirst('a refund made at the provider', (database) => {
  let later = 0;
  const app = useApp({ database, env, overrides: { now: () => Date.now() + later } });
  let seller: Person;

  beforeEach(async () => {
    later = 0;
    seller = await signUp(app);
  });

  test('takes net and fee back in proportion, and a full one leaves neither a cent', async () => {
    const { id, payment } = await sellOnce(seller, sandboxPort);
    await expectBooks(app, id, SOLD);
    await stripe.refunds.create({ payment_intent: payment, amount: 333 });
    await expectBooks(app, id, { ...SOLD, provider: -608, platform_fee: 53, creator: 614 });
    await stripe.refunds.create({ payment_intent: payment, amount: 333 });
    await expectBooks(app, id, { ...SOLD, provider: -275, platform_fee: 27, creator: 307 });
    await stripe.refunds.create({ payment_intent: payment });
    await expectBooks(app, id, GIVEN_BACK);
    expect(await readWholeBalance(seller)).toEqual({ balance: 0, pending: 0, available: 0 });
  });

  test('in several parts is booked once, however often and in whatever order their events come', async () => {
    const { id, buyer, payment } = await sellOnce(seller, sandboxPort);
    const [first] = await Promise.all([
      stripe.refunds.create({ payment_intent: payment, amount: 1 }),
      stripe.refunds.create({ payment_intent: payment, amount: 332 }),
    ]);
    const HELD = { ...SOLD, provider: -608, platform_fee: 53, creator: 614 };
    await expectBooks(app, id, HELD);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: true });
    await stripe.refunds.create({ payment_intent: payment });
    await expectBooks(app, id, GIVEN_BACK);
    const { data } = await stripe.events.list({ limit: 100 });
    const told = data.filter((event) => JSON.stringify(event.data.object).includes(payment));
    expect(told.filter((event) => JSON.stringify(event).includes(first.id))).not.toEqual([]);
    // The newest first, each three times at once: what an older one says is no longer so.
    for (const event of told) {
      const copies = [1, 2, 3].map((copy) => ({ ...event, id: `${event.id}_${copy}` }));
      await Promise.all(copies.map((copy) => deliverWebhook(app, copy)));
    }
    await waitUntilHandled(app);
    await expectBooks(app, id, GIVEN_BACK);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
  });

  test('that fails later is booked back, and the content with it', { tags: 'long' }, async () => {
    const { id, buyer, payment } = await sellOnce(seller, sandboxPort, { card: REFUND_FAILS });
    const goOn = stopClock();
    await stripe.refunds.create({ payment_intent: payment });
    await expectBooks(app, id, GIVEN_BACK);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    goOn();
    await waitUntilUnlocked(buyer, id);
    await expectBooks(app, id, SOLD);
    expect(await readWholeBalance(seller)).toMatchObject({ balance: 920 });
  });

  test('that is pending moves nothing until it succeeded', { tags: 'long' }, async () => {
    const { id, buyer, payment } = await sellOnce(seller, sandboxPort, { card: REFUND_IS_PENDING });
    await expectBooks(app, id, SOLD);
    const refund = await stripe.refunds.create({
      payment_intent: payment,
      // Noted there by somebody else.
      metadata: { refund_id: 'unknown' },
    });
    expect(refund.status).toBe('pending');
    await expectBooks(app, id, GIVEN_BACK);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    const decided = await findEvent(sandboxPort, 'refund.updated');
    const entry = await withDatabase(app, (db) =>
      db
        .selectFrom('ledger_entry')
        .where('cause', '=', `refund:${refund.id}`)
        .select('created_at')
        .executeTakeFirstOrThrow(),
    );
    expect(entry.created_at).toBeGreaterThanOrEqual(decided.created * 1000);
    const { listSales } = await graphql<{ listSales: { items: object[] } }>(
      seller,
      '{ listSales { items { refundable refunds { state } } } }',
    );
    expect(listSales.items).toEqual([{ refundable: 0, refunds: [{ state: 'succeeded' }] }]);
  });

  test('of a pending sale is taken from what is pending', async () => {
    await sellOnce(seller, sandboxPort);
    const { id, payment } = await sellOnce(seller, sandboxPort, { price: 2000 });
    expect(await readWholeBalance(seller)).toEqual({ balance: 2790, pending: 2790, available: 0 });
    await stripe.refunds.create({ payment_intent: payment, amount: 1000 });
    await expectBooks(app, id, {
      provider: -912,
      platform_fee: 65,
      creator: 935,
      processing_cost: -88,
    });
    expect(await readWholeBalance(seller)).toEqual({ balance: 1855, pending: 1855, available: 0 });
  });

  test('is told to an open dashboard at once', async () => {
    const { id, payment } = await sellOnce(seller, sandboxPort);
    await expectBooks(app, id, SOLD);
    const { sub } = await readJson<{ sub: string }>(await seller.fetch('/api/user-attributes'));
    const socket = await connectLive(app, {
      origin: app.origin,
      cookies: seller.cookies,
      keys: await publishableKey(app),
    });
    const query = 'subscription ($id: ID!) { onUpdateUserBalance(id: $id) { balance } }';
    await socket.subscribe('balance', query, { id: sub });
    await stripe.refunds.create({ payment_intent: payment });
    await eventually(() => expect(socket.answers('balance')).toEqual([{ balance: 0 }]));
  });

  test('of a sale older than the hold is taken from what is available', async () => {
    const { id, payment } = await sellOnce(seller, sandboxPort);
    later = EIGHT_DAYS_MS;
    expect(await readWholeBalance(seller)).toEqual({ balance: 920, pending: 0, available: 920 });
    await stripe.refunds.create({ payment_intent: payment });
    await expectBooks(app, id, GIVEN_BACK);
    expect(await readWholeBalance(seller)).toEqual({ balance: 0, pending: 0, available: 0 });
  });
});

describeOnSqliteFirst('REFUND_COST=creator', (database) => {
  const app = useApp({ database, env: { ...env, REFUND_COST: 'creator' } });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  test('lets the creator pay what the provider kept, in proportion to what was refunded', async () => {
    const { id, payment } = await sellOnce(seller, sandboxPort);
    await expectBooks(app, id, SOLD);
    await stripe.refunds.create({ payment_intent: payment, amount: 500 });
    await expectBooks(app, id, {
      provider: -441,
      platform_fee: 40,
      creator: 430,
      processing_cost: -29,
    });
    await stripe.refunds.create({ payment_intent: payment });
    await expectBooks(app, id, { ...GIVEN_BACK, creator: -59, processing_cost: 0 });
    expect(await readWholeBalance(seller)).toEqual({ balance: -59, pending: 0, available: -59 });
  });

  test('returns that cost to the creator when the refund fails', { tags: 'long' }, async () => {
    const card = REFUND_FAILS;
    const { id, buyer, payment } = await sellOnce(seller, sandboxPort, { card });
    await expectBooks(app, id, SOLD);
    const goOn = stopClock();
    await stripe.refunds.create({ payment_intent: payment });
    await expectBooks(app, id, { ...GIVEN_BACK, creator: -59, processing_cost: 0 });
    goOn();
    await waitUntilUnlocked(buyer, id);
    await expectBooks(app, id, SOLD);
  });

  test('charges its share of a refund when the provider reports the cost after it', async () => {
    const card = COST_IS_REPORTED_LATER;
    const { id, payment } = await sellOnce(seller, sandboxPort, { card });
    await stripe.refunds.create({ payment_intent: payment, amount: 333 });
    await expectBooks(app, id, { provider: -667, platform_fee: 53, creator: 614 });
    // No other event of the payment may be what tells of its cost.
    await withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
    await letHappen(sandboxPort, `payment_intents/${payment}/report_cost`);
    const late = { provider: -608, platform_fee: 53, creator: 594, processing_cost: -39 };
    await expectBooks(app, id, late);
    await deliverWebhook(app, await findEvent(sandboxPort, 'charge.updated'));
    await waitUntilHandled(app);
    await expectBooks(app, id, late);
    await stripe.refunds.create({ payment_intent: payment });
    await expectBooks(app, id, { ...GIVEN_BACK, creator: -59, processing_cost: 0 });
  });
});

const REFUND = `mutation ($id: ID!, $amount: Int, $reason: String!) {
  refundSale(purchaseId: $id, amount: $amount, reason: $reason) {
    state refundable refunds { amount state reason by }
  }
}`;
const QUOTE = `query ($id: ID!, $amount: Int) {
  quoteRefund(purchaseId: $id, amount: $amount) {
    amount creator fee tax processing processingBy balance whole
  }
}`;

describeOnSqliteFirst('a refund made here', (database) => {
  let later = 0;
  const now = () => Date.now() + later;
  const app = useApp({
    database,
    env: { ...env, SERVICE_KEY },
    overrides: { ...provider.overrides, now },
  });
  let seller: Awaited<ReturnType<typeof signUp>>;

  beforeAll(async () => {
    seller = await signUp(app);
  });
  beforeEach(() => {
    later = 0;
  });

  async function sell(card?: string) {
    const sale = await sellOnce(seller, sandboxPort, { ...(card && { card }), title: 'Optics' });
    await expectBooks(app, sale.id, SOLD);
    const { listSales } = await graphql<{ listSales: { items: { id: string }[] } }>(
      seller,
      '{ listSales { items { id } } }',
    );
    return { ...sale, purchaseId: listSales.items[0]?.id ?? '' };
  }

  type Refunded = {
    state: string;
    refundable: number;
    refunds: { amount: number; state: string; reason: string | null; by: string | null }[];
  };

  /** The sale as it is afterwards, or the code and the sentence of the refusal. */
  async function refund(
    person: Person,
    id: string,
    amount: number | null,
    headers?: Record<string, string>,
  ) {
    const variables = { id, amount, reason: ' Wrong\nfile ' };
    const { data, errors } = await askGraphql<{ refundSale: Refunded }>(
      person,
      REFUND,
      variables,
      headers,
    );
    return errors?.[0] ? `${errors[0].extensions?.code}: ${errors[0].message}` : data?.refundSale;
  }

  const NOTHING_LEFT = 'REFUND_REFUSED: There is nothing left of this payment to refund.';
  const BY_CREATOR = { state: 'succeeded', reason: 'Wrong file', by: 'creator' };

  test('gives a part back as its seller says, then the rest once, whoever else wants it', async () => {
    const { id, buyer, payment, purchaseId } = await sell();
    const before = (await readWholeBalance(seller)).balance;
    const quote = (amount?: number) => graphql(seller, QUOTE, { id: purchaseId, amount });
    expect(await quote(333)).toEqual({
      quoteRefund: {
        amount: 333,
        creator: 306,
        fee: 27,
        tax: 0,
        processing: 20,
        processingBy: 'platform',
        balance: before - 306,
        whole: false,
      },
    });
    expect(await refund(seller, purchaseId, 333)).toEqual({
      state: 'active',
      refundable: 667,
      refunds: [{ ...BY_CREATOR, amount: 333 }],
    });
    await expectBooks(app, id, { ...SOLD, provider: -608, platform_fee: 53, creator: 614 });
    expect(await quote()).toMatchObject({
      quoteRefund: { amount: 667, creator: 614, fee: 53, processing: 39, whole: true },
    });
    expect(await refund(seller, purchaseId, 668)).toBe(
      'INVALID_INPUT: Only $6.67 of this payment is left to refund.',
    );
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: true });
    const mail = await readMail(app, BUYER_EMAIL, /^Your refund: Optics/);
    expect(mail.text).toContain('$3.33 of what you paid for Optics is being refunded to you.');

    const both = await Promise.all([1, 2].map(() => refund(seller, purchaseId, 667)));
    expect(both.filter((answer) => typeof answer === 'string')).toEqual([NOTHING_LEFT]);
    await expectBooks(app, id, GIVEN_BACK);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    expect(await refund(seller, purchaseId, null)).toBe(NOTHING_LEFT);
    const { data } = await stripe.refunds.list({ payment_intent: payment });
    expect(data.map(({ amount, metadata }) => [amount, metadata?.reason])).toEqual([
      [667, 'Wrong file'],
      [333, 'Wrong file'],
    ]);
  });

  test('is nobody else’s, and the operator’s, who tells the seller why', async () => {
    const { id, purchaseId } = await sell();
    const stranger = await signUp(app);
    expect(await refund(stranger, purchaseId, 1)).toBe('NOT_FOUND: You have no sale with this ID.');
    expect(await refund(createPerson(app), purchaseId, 1)).toMatch(/^UNAUTHORIZED/);
    await expectBooks(app, id, SOLD);
    const key = { 'x-api-key': SERVICE_KEY };
    expect(await refund(createPerson(app), purchaseId, 333, key)).toMatchObject({
      refunds: [{ amount: 333, by: 'operator' }],
    });
    const mail = await readMail(app, seller.email, /^A sale was refunded: Optics/);
    expect(mail.text).toContain('We are refunding $3.33 to a buyer of Optics.');
    expect(mail.text).toContain('Wrong file');
    expect(mail.text).not.toContain(BUYER_EMAIL);

    const run = (...words: string[]) => runCli(app.env, 'refund', purchaseId, ...words);
    expect(await run('--amount', '6.68', '--reason', 'Late')).toMatchObject({
      status: 1,
      stderr: 'Only $6.67 of this payment is left to refund.\n',
    });
    expect(await run('--amount', '1')).toMatchObject({ status: 2 });
    const { status, stdout } = await run('--reason', 'Sent', 'late');
    expect(stdout).toContain(
      'The buyer gets $6.67 back: $6.14 from the creator, $0.53 of the fee.',
    );
    expect(status).toBe(0);
    await expectBooks(app, id, GIVEN_BACK);
  });

  test.each([
    ['pending', REFUND_IS_PENDING, { state: 'active', refundable: 0 }, 'succeeded', GIVEN_BACK],
    ['made', REFUND_FAILS, { state: 'ended', refundable: 0 }, 'failed', SOLD],
  ])(
    'that is %s at first is shown as what becomes of it',
    async (first, card, sale, last, books) => {
      const { id, purchaseId } = await sell(card);
      const state = first === 'pending' ? 'pending' : 'succeeded';
      const goOn = stopClock();
      expect(await refund(seller, purchaseId, null)).toMatchObject({
        ...sale,
        refunds: [{ amount: 1000, state }],
      });
      goOn();
      await eventually(async () => {
        const query = '{ listSales { items { refunds { state } } } }';
        const { listSales } = await graphql<{ listSales: { items: Refunded[] } }>(seller, query);
        expect(listSales.items[0]?.refunds).toEqual([{ state: last }]);
      });
      await expectBooks(app, id, books);
    },
  );

  test('is refused by the provider in a sentence, and refused while it is disputed', async () => {
    const { id, payment, purchaseId } = await sell();
    await stripe.refunds.create({ payment_intent: payment, amount: 333 });
    await expectBooks(app, id, { ...SOLD, provider: -608, platform_fee: 53, creator: 614 });
    await waitUntilHandled(app);
    await runSql(app, `delete from refund where purchase_id = '${purchaseId}'`);
    expect(await refund(seller, purchaseId, 1000)).toBe(
      'REFUND_REFUSED: That is more than is left of this payment. Reload the page to see what is.',
    );
    expect(await refund(seller, purchaseId, 667)).toMatchObject({
      refunds: [
        { amount: 333, by: null, reason: null },
        { amount: 1000, state: 'failed' },
        { amount: 667, state: 'succeeded' },
      ],
    });

    const disputed = await sell();
    await letHappen(sandboxPort, 'disputes', { payment_intent: disputed.payment });
    await eventually(async () =>
      expect(await seeLink(disputed.buyer, disputed.id)).toMatchObject({ unlocked: false }),
    );
    expect(await refund(seller, disputed.purchaseId, 1)).toMatch(
      /^REFUND_REFUSED: This payment is disputed/,
    );
  });

  test('whose answer got lost is made once', { tags: 'long' }, async () => {
    const { id, payment, purchaseId } = await sell();
    provider.fail('down');
    expect(await refund(seller, purchaseId, 333)).toMatchObject({
      refundable: 667,
      refunds: [{ state: 'pending' }],
    });
    provider.fail('none');
    later = 60_000;
    await expectBooks(app, id, { ...SOLD, provider: -608, platform_fee: 53, creator: 614 });
    expect((await stripe.refunds.list({ payment_intent: payment })).data).toHaveLength(1);
  });
});
