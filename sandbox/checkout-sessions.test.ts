import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { API_VERSION } from './operations/emit-event.ts';
import { startTestSandbox, temporaryFolder } from './testing/start-test-sandbox.ts';

const CARD = '4242 4242 4242 4242';
const now = () => Math.floor(Date.now() / 1000);

test('it speaks the version of the API that the SDK speaks', () => {
  expect(API_VERSION).toBe(Stripe.API_VERSION);
});

test('a new session is open, unpaid and has an address on the public origin', async () => {
  const { openSession, stripe } = await startTestSandbox();
  const session = await openSession({
    client_reference_id: 'purchase-1',
    metadata: { link: 'ab12cd34' },
    customer_email: 'ada@example.com',
    adaptive_pricing: { enabled: false },
    expand: ['line_items'],
  });
  expect(session).toMatchObject({
    object: 'checkout.session',
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 1000,
    currency: 'usd',
    client_reference_id: 'purchase-1',
    metadata: { link: 'ab12cd34' },
    customer_email: 'ada@example.com',
    payment_intent: null,
    livemode: false,
    url: `http://localhost:3000/sandbox/checkout/${session.id}`,
  });
  const [item] = session.line_items?.data ?? [];
  expect(item).toMatchObject({ description: 'Study pack', quantity: 1, amount_total: 1000 });
  expect(item?.price?.unit_amount_decimal?.toString()).toBe('1000');
  expect(await stripe.checkout.sessions.retrieve(session.id)).not.toHaveProperty('line_items');
  const { data } = await stripe.checkout.sessions.listLineItems(session.id);
  expect(data).toHaveLength(1);
});

test('paying charges the card, carries the metadata on, and tells the product', async () => {
  const { openSession, pay, stripe, webhooks } = await startTestSandbox();
  const session = await openSession({
    payment_intent_data: { metadata: { purchase: 'p1' }, description: 'Study pack' },
  });

  const answer = await pay(session, CARD);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe(`http://shop.test/success?session=${session.id}`);

  const paid = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge.balance_transaction'],
  });
  expect(paid).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    customer_details: { email: 'buyer@example.com' },
    payment_intent: {
      status: 'succeeded',
      amount_received: 1000,
      metadata: { purchase: 'p1' },
      latest_charge: {
        status: 'succeeded',
        paid: true,
        metadata: { purchase: 'p1' },
        payment_method_details: { card: { brand: 'visa', last4: '4242', exp_month: 12 } },
        // 2.9% and 30 cents
        balance_transaction: { amount: 1000, fee: 59, net: 941, type: 'charge' },
      },
    },
  });

  const completed = await webhooks.arrivalOf('checkout.session.completed');
  expect(completed.api_version).toBe(Stripe.API_VERSION);
  expect(completed.data.object).toMatchObject({ id: session.id, payment_status: 'paid' });
  await webhooks.arrivalOf('payment_intent.succeeded');
  await webhooks.arrivalOf('charge.succeeded');
});

test.each([
  ['exclusive', 1000, 200, 1200],
  ['inclusive', 1000, 167, 1000],
] as const)(
  'a tax that is %s of the price is computed and charged',
  async (tax_behavior, ...amounts) => {
    const { openSession, pay, pageOf, stripe } = await startTestSandbox();
    const product_data = { name: 'Study pack' };
    const price_data = { currency: 'usd', unit_amount: 1000, tax_behavior, product_data };
    const session = await openSession({
      automatic_tax: { enabled: true },
      line_items: [{ quantity: 1, price_data }],
    });
    const [amount_subtotal, amount_tax, amount_total] = amounts;
    expect(session).toMatchObject({
      amount_subtotal,
      amount_total,
      automatic_tax: { enabled: true, status: 'complete' },
      total_details: { amount_discount: 0, amount_tax },
    });
    const page = await (await fetch(pageOf(session))).text();
    expect(page).toContain('In the sandbox the tax is 20% for everyone.');
    await pay(session, CARD);
    const { data } = await stripe.charges.list();
    expect(data[0]?.amount).toBe(amount_total);
  },
);

test('paying twice at once charges once, and both arrive at the success page', async () => {
  const { openSession, pay, stripe, webhooks } = await startTestSandbox();
  const session = await openSession();
  const answers = await Promise.all(Array.from({ length: 8 }, () => pay(session, CARD)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([303]));
  expect((await stripe.charges.list()).data).toHaveLength(1);
  await webhooks.arrivalOf('checkout.session.completed');
  expect(webhooks.types().filter((type) => type === 'charge.succeeded')).toHaveLength(1);
});

test('a declined card leaves the session open for another one', async () => {
  const { openSession, pay, stripe, webhooks } = await startTestSandbox();
  const session = await openSession();
  const answer = await pay(session, '4000 0000 0000 0002');
  expect(answer.status).toBe(402);
  expect(await answer.text()).toContain('Your card was declined.');

  const failed = await webhooks.arrivalOf('payment_intent.payment_failed');
  expect(failed.data.object.last_payment_error).toMatchObject({
    code: 'card_declined',
    decline_code: 'generic_decline',
  });
  expect((await pay(session, CARD)).status).toBe(303);
  const { data } = await stripe.charges.list();
  expect(data.map((charge) => charge.status)).toEqual(['succeeded', 'failed']);
  expect(new Set(data.map((charge) => charge.payment_intent)).size).toBe(1);
});

test.each([
  ['4000 0000 0000 9995', 'Your card has insufficient funds.'],
  ['4000 0000 0000 0069', 'Your card has expired.'],
  ['4000 0000 0000 0127', 'Your card&#39;s security code is incorrect.'],
  ['4000 0000 0000 0119', 'An error occurred while processing your card.'],
])('the card %s says: %s', async (card, message) => {
  const { openSession, pay } = await startTestSandbox();
  const answer = await pay(await openSession(), card);
  expect(answer.status).toBe(402);
  expect(await answer.text()).toContain(message);
});

test.each(['5555 5555 5555 4444', '3782 822463 10005', '4000-0566-5566-5556'])(
  'the card %s pays',
  async (card) => {
    const { openSession, pay } = await startTestSandbox();
    expect((await pay(await openSession(), card, { cvc: '1234' })).status).toBe(303);
  },
);

test('a card that asks for authentication pays after it', async () => {
  const { openSession, pageOf, pay, post, stripe } = await startTestSandbox();
  const session = await openSession();
  const answer = await pay(session, '4000 0025 0000 3155');
  const confirmUrl = `${pageOf(session)}/confirm`;
  expect(answer.status).toBe(303);
  expect(new URL(answer.headers.get('location') as string, pageOf(session)).href).toBe(confirmUrl);
  expect(await (await fetch(confirmUrl)).text()).toContain('Complete authentication');
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');

  const confirmed = await post(confirmUrl, { outcome: 'complete' });
  expect(confirmed.headers.get('location')).toContain('http://shop.test/success');
  const paid = await stripe.checkout.sessions.retrieve(session.id);
  expect(paid).toMatchObject({
    payment_status: 'paid',
    customer_details: { email: 'buyer@example.com' },
  });
});

test('a failed authentication shows on the form, and another card may pay', async () => {
  const { openSession, pageOf, pay, post, webhooks } = await startTestSandbox();
  const session = await openSession();
  await pay(session, '4000 0025 0000 3155');
  const failed = await post(`${pageOf(session)}/confirm`, { outcome: 'fail' });
  expect(failed.status).toBe(402);
  const form = await failed.text();
  expect(form).toContain('We are unable to authenticate your payment method.');
  expect(form).toContain('value="buyer@example.com"');
  const event = await webhooks.arrivalOf('payment_intent.payment_failed');
  expect(event.data.object.last_payment_error?.code).toBe('payment_intent_authentication_failure');

  const stale = await post(`${pageOf(session)}/confirm`, { outcome: 'complete' });
  expect(stale.headers.get('location')).toBe(new URL(pageOf(session)).pathname);
  expect((await pay(session, CARD)).status).toBe(303);
});

test('delayed payments complete unpaid, and settle or fail by themselves', {
  tags: 'long',
}, async () => {
  const { sell, stripe, webhooks } = await startTestSandbox();
  const paid = await sell('4000 0000 0000 8888');
  const unpaid = await sell('4000 0000 0000 8880');
  for (const { session, intent } of [paid, unpaid]) {
    expect(session).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
    expect(intent.status).toBe('processing');
  }
  const completed = await webhooks.arrivalOf('checkout.session.completed');
  expect(completed.data.object.payment_status).toBe('unpaid');

  const settled = await webhooks.arrivalOf('checkout.session.async_payment_succeeded');
  expect(settled.data.object).toMatchObject({ id: paid.session.id, payment_status: 'paid' });
  const failed = await webhooks.arrivalOf('checkout.session.async_payment_failed');
  expect(failed.data.object).toMatchObject({ id: unpaid.session.id, payment_status: 'unpaid' });
  expect((await stripe.charges.retrieve(paid.charge.id)).status).toBe('succeeded');
  expect((await stripe.charges.retrieve(unpaid.charge.id)).status).toBe('failed');
});

test('an expired session cannot be paid and cannot expire again', async () => {
  const { openSession, pageOf, pay, stripe, webhooks } = await startTestSandbox();
  const session = await openSession();
  expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({
    status: 'expired',
    url: null,
  });
  await webhooks.arrivalOf('checkout.session.expired');
  await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow(/status of expired/);
  const answer = await pay(session, CARD);
  expect(answer.status).toBe(410);
  expect((await fetch(pageOf(session))).status).toBe(410);
  expect((await stripe.charges.list()).data).toEqual([]);
});

test('a session that nobody pays expires by itself, also after a restart', async () => {
  const dataDir = temporaryFolder();
  const { openSession } = await startTestSandbox(dataDir);
  const { id } = await openSession();
  const db = new DatabaseSync(join(dataDir, 'sandbox.sqlite'));
  db.exec('UPDATE schedule SET due_ms = 0');
  db.close();
  const { stripe, webhooks } = await startTestSandbox(dataDir);
  const expired = await webhooks.arrivalOf('checkout.session.expired');
  expect(expired.data.object).toMatchObject({ id, payment_status: 'unpaid' });
  expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('expired');
});

test('lists are newest first and go on where they ended', async () => {
  const { openSession, stripe } = await startTestSandbox();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift((await openSession()).id);
  const all: string[] = [];
  for await (const session of stripe.checkout.sessions.list({ limit: 2 })) all.push(session.id);
  expect(all).toEqual(ids);
  const before = await stripe.checkout.sessions.list({ limit: 2, ending_before: ids[4] as string });
  expect(before.data.map((session) => session.id)).toEqual(ids.slice(2, 4));
  expect(before.has_more).toBe(true);
  await stripe.checkout.sessions.expire(ids[0] as string);
  const expired = await stripe.checkout.sessions.list({ status: 'expired' });
  expect(expired.data.map((session) => session.id)).toEqual([ids[0]]);
  const later = await stripe.checkout.sessions.list({ created: { gt: now() + 60 } });
  expect(later.data).toEqual([]);
});

test('expiry is between 30 minutes and 24 hours away', async () => {
  const { openSession } = await startTestSandbox();
  await expect(openSession({ expires_at: now() + 1700 })).rejects.toMatchObject({
    statusCode: 400,
    param: 'expires_at',
  });
  await expect(openSession({ expires_at: now() + 90_000 })).rejects.toThrow(/less than 24 hours/);
  const soon = now() + 35 * 60;
  expect((await openSession({ expires_at: soon })).expires_at).toBe(soon);
});
