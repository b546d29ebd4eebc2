import { beforeAll, beforeEach, expect, test } from 'vitest';
import { publishableKey, seeLink, signUp, waitUntilUnlocked } from './factories.ts';
import { eventually } from './harness/eventually.ts';
import { findFreePort } from './harness/free-port.ts';
import { connectLive } from './live-socket.ts';
import { expectBooks, readWholeBalance, sellOnce, waitUntilHandled } from './money.ts';
import { describeOnBothDatabases } from './on-both-databases.ts';
import { type Person, readJson } from './person.ts';
import { useApp } from './use-app.ts';
import { deliverWebhook, findEvent, letHappen, stripeOf, webhookEnv } from './webhook.ts';
import { withDatabase } from './with-database.ts';

const EIGHT_DAYS_MS = 8 * 24 * 60 * 60 * 1000;
const REFUND_FAILS = '4000 0000 0000 5126';
const REFUND_IS_PENDING = '4000 0000 0000 7726';
const COST_IS_REPORTED_LATER = '4000 0000 0000 8872';

// A sale of 1000 cents: 5% and 30 cents are the platform's fee, 2.9% and 30 the provider's cost.
const SOLD = { provider: -941, platform_fee: 80, creator: 920, processing_cost: -59 };
const GIVEN_BACK = { provider: 59, platform_fee: 0, creator: 0, processing_cost: -59 };

const sandboxPort = await findFreePort();
const env = webhookEnv(sandboxPort);
const stripe = stripeOf(sandboxPort);

describeOnBothDatabases('a refund made at the provider', (database) => {
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

  test('that fails later is booked back, and the content with it', async () => {
    const { id, buyer, payment } = await sellOnce(seller, sandboxPort, { card: REFUND_FAILS });
    await stripe.refunds.create({ payment_intent: payment });
    await expectBooks(app, id, GIVEN_BACK);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    await waitUntilUnlocked(buyer, id);
    await expectBooks(app, id, SOLD);
    expect(await readWholeBalance(seller)).toMatchObject({ balance: 920 });
  });

  test('that is pending moves nothing until it succeeded', async () => {
    const { id, buyer, payment } = await sellOnce(seller, sandboxPort, { card: REFUND_IS_PENDING });
    await expectBooks(app, id, SOLD);
    const refund = await stripe.refunds.create({ payment_intent: payment });
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

describeOnBothDatabases('REFUND_COST=creator', (database) => {
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

  test('returns that cost to the creator when the refund fails', async () => {
    const card = REFUND_FAILS;
    const { id, buyer, payment } = await sellOnce(seller, sandboxPort, { card });
    await expectBooks(app, id, SOLD);
    await stripe.refunds.create({ payment_intent: payment });
    await expectBooks(app, id, { ...GIVEN_BACK, creator: -59, processing_cost: 0 });
    await waitUntilUnlocked(buyer, id);
    await expectBooks(app, id, SOLD);
  });

  test('charges its share of a refund when the provider reports the cost after it', async () => {
    const card = COST_IS_REPORTED_LATER;
    const { id, payment } = await sellOnce(seller, sandboxPort, { card });
    await stripe.refunds.create({ payment_intent: payment, amount: 333 });
    await expectBooks(app, id, { provider: -667, platform_fee: 53, creator: 614 });
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
