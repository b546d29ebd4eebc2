import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startProviderProxy } from '../errors/provider-proxy.ts';
import { runSql } from '../errors/run-sql.ts';
import {
  readBalance,
  seeLink,
  sellFile,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { deliverWebhook, findEvent, stripeOf, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const provider = await startProviderProxy();
const sandboxPort = Number(provider.env.SANDBOX_PORT);
const stripe = stripeOf(sandboxPort);
afterAll(provider.stop);

describe('a payment', () => {
  const app = useApp({ env: webhookEnv(sandboxPort), overrides: provider.overrides });
  let seller: Person;
  let buyer: Person;
  let id: string;
  let session: string;
  let checkoutUrl: string;

  beforeAll(async () => {
    seller = await signUp(app);
  });
  beforeEach(async () => {
    provider.answerWith();
    buyer = createPerson(app);
    id = (await sellFile(seller, { price: 500 })).id;
    checkoutUrl = await checkOut(buyer, id);
    session = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
  });

  /** Lets the provider report another checkout session than it holds. */
  const report = (change: object) =>
    provider.answerWith((answer, path) =>
      path.startsWith('/v1/checkout/sessions/') ? { ...answer, ...change } : answer,
    );

  async function pay(url: string) {
    expect((await payAt(buyer, url)).status).toBe(303);
    const paid = url.split('/').at(-1);
    return await eventually(async () => {
      const event = await findEvent(sandboxPort, 'checkout.session.completed');
      expect(event.data.object).toMatchObject({ id: paid });
      return event;
    });
  }

  const changePurchase = (change: string) =>
    runSql(
      app,
      `update purchase set ${change}
       where payment_id = (select id from payment where session_id = '${session}')`,
    );

  /** Waits until the event was handled or its job given up. @returns why it was given up */
  const readRefusal = (eventId: string) =>
    withDatabase(app, (db) =>
      eventually(async () => {
        const event = await db
          .selectFrom('webhook_event')
          .where('id', '=', eventId)
          .select('handled_at')
          .executeTakeFirstOrThrow();
        if (event.handled_at !== null) return null;
        const job = await db
          .selectFrom('job')
          .where('payload', '=', JSON.stringify({ eventId }))
          .where('died_at', 'is not', null)
          .select('last_error')
          .executeTakeFirstOrThrow();
        return job.last_error;
      }),
    );

  test.each([
    ['a cent less than the price', { amount_subtotal: 499 }, 'paid 499 instead of 500 cents'],
    ['a cent more than the price', { amount_subtotal: 501 }, 'paid 501 instead of 500 cents'],
    ['a larger total', { amount_total: 600 }, 'a total of 600 instead of 500 cents'],
    [
      'a discount',
      { amount_total: 400, total_details: { amount_discount: 100, amount_tax: 0 } },
      'a discount of 100 cents',
    ],
    [
      'a tax that nobody asked for',
      { amount_total: 600, total_details: { amount_discount: 0, amount_tax: 100 } },
      'a tax of 100 cents',
    ],
    [
      'taxes that nobody asked for',
      { automatic_tax: { enabled: true } },
      'paid with the provider’s taxes',
    ],
    ['another currency', { currency: 'eur' }, 'paid in eur'],
    ['a live session', { livemode: true }, 'paid in live mode'],
    ['no payment', { payment_intent: null }, 'no payment intent'],
    [
      'all of this at once',
      { amount_subtotal: 0, currency: 'eur', livemode: true, payment_intent: null },
      'paid 0 instead of 500 cents, paid in eur, paid in live mode, no payment intent',
    ],
  ])('of which the provider reports %s is not fulfilled', async (_title, change, refusal) => {
    const before = await readBalance(seller);
    report(change);
    const event = await pay(checkoutUrl);
    expect(await readRefusal(event.id)).toContain(refusal);
    await buyer.fetch(`/success?session_id=${session}`);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false, key: null });
    expect(await readBalance(seller)).toBe(before);
    // Nothing but that kept it.
    provider.answerWith();
    await deliverWebhook(app, event);
    await waitUntilUnlocked(buyer, id);
  });

  test.each([
    ['another account', "provider_account = 'acct_other'", 'paid on another provider account'],
    ['live mode', "mode = 'live'", 'paid in test mode'],
    ['a price with taxes', 'taxed = 1', 'paid without the provider’s taxes'],
  ])('for a purchase of %s is not fulfilled', async (_title, change, refusal) => {
    await changePurchase(change);
    const event = await pay(checkoutUrl);
    expect(await readRefusal(event.id)).toContain(refusal);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    await changePurchase("provider_account = 'sandbox', mode = 'test', taxed = 0");
    await deliverWebhook(app, event);
    await waitUntilUnlocked(buyer, id);
  });

  test.each(['unpaid', 'no_payment_required'])(
    'that is reported as %s unlocks nothing, although its checkout is complete',
    async (payment_status) => {
      report({ payment_status });
      const event = await pay(checkoutUrl);
      expect(await readRefusal(event.id)).toBeNull();
      expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
      provider.answerWith();
      await deliverWebhook(app, event);
      await waitUntilUnlocked(buyer, id);
    },
  );

  test('of another session that names the purchase is left alone', async () => {
    const own = await stripe.checkout.sessions.retrieve(session);
    const price_data = { currency: 'usd', unit_amount: 500, product_data: { name: 'Notes' } };
    const other = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ quantity: 1, price_data }],
      client_reference_id: own.client_reference_id ?? '',
      metadata: own.metadata ?? {},
      success_url: `${app.origin}/success`,
    });
    const event = await pay(other.url ?? '');
    expect(await readRefusal(event.id)).toBeNull();
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    await pay(checkoutUrl);
    await waitUntilUnlocked(buyer, id);
  });

  test('of which a live event tells a product in test mode is left alone', async () => {
    report({ payment_status: 'unpaid' });
    const event = await pay(checkoutUrl);
    expect(await readRefusal(event.id)).toBeNull();
    provider.answerWith();
    const live = { ...event, id: `${event.id}_live`, livemode: true };
    expect((await deliverWebhook(app, live)).status).toBe(200);
    expect(await readRefusal(live.id)).toBeNull();
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    await deliverWebhook(app, { ...event, id: `${event.id}_test` });
    await waitUntilUnlocked(buyer, id);
  });
});
