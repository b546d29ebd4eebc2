import { expect, test } from 'vitest';
import { startTestSandbox } from './testing/start-test-sandbox.ts';

test('a full refund gives everything back but the processing cost', async () => {
  const { sell, stripe, webhooks } = await startTestSandbox();
  const { intent, charge } = await sell();
  const refund = await stripe.refunds.create({
    payment_intent: intent.id,
    reason: 'requested_by_customer',
    metadata: { purchase: 'p1' },
    expand: ['balance_transaction'],
  });
  expect(refund).toMatchObject({
    amount: 1000,
    status: 'succeeded',
    charge: charge.id,
    payment_intent: intent.id,
    metadata: { purchase: 'p1' },
    balance_transaction: { amount: -1000, fee: 0, net: -1000, type: 'refund' },
  });
  expect(await stripe.charges.retrieve(charge.id, { expand: ['refunds'] })).toMatchObject({
    refunded: true,
    amount_refunded: 1000,
    refunds: { data: [{ id: refund.id }] },
  });
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: -59 }]);
  const event = await webhooks.arrivalOf('charge.refunded');
  expect(event.data.previous_attributes).toEqual({ amount_refunded: 0, refunded: false });
  await webhooks.arrivalOf('refund.created');
});

test('partial refunds add up to the charge and never beyond it', async () => {
  const { sell, stripe } = await startTestSandbox();
  const { charge } = await sell();
  await stripe.refunds.create({ charge: charge.id, amount: 400 });
  await expect(stripe.refunds.create({ charge: charge.id, amount: 601 })).rejects.toMatchObject({
    statusCode: 400,
    type: 'StripeInvalidRequestError',
    param: 'amount',
    message: 'Refund amount ($6.01) is greater than unrefunded amount on charge ($6.00)',
  });
  expect((await stripe.charges.retrieve(charge.id)).refunded).toBe(false);
  expect((await stripe.refunds.create({ charge: charge.id })).amount).toBe(600);
  expect((await stripe.charges.retrieve(charge.id)).refunded).toBe(true);
  await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  });
  const { data } = await stripe.refunds.list({ charge: charge.id });
  expect(data.map((refund) => refund.amount)).toEqual([600, 400]);
});

test('refunds at once never take more than there is', async () => {
  const { sell, stripe } = await startTestSandbox();
  const { charge } = await sell();
  const attempts = Array.from({ length: 5 }, () =>
    stripe.refunds.create({ charge: charge.id, amount: 300 }),
  );
  const results = await Promise.allSettled(attempts);
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(3);
  expect((await stripe.charges.retrieve(charge.id)).amount_refunded).toBe(900);
});

test('nothing is refunded without something to refund', async () => {
  const { openSession, pay, stripe } = await startTestSandbox();
  await expect(stripe.refunds.create({})).rejects.toThrow(/payment_intent or charge/);
  await expect(stripe.refunds.create({ payment_intent: 'pi_no' })).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    param: 'payment_intent',
  });
  await pay(await openSession(), '4000 0000 0000 0002');
  const [failed] = (await stripe.charges.list()).data;
  await expect(stripe.refunds.create({ charge: String(failed?.id) })).rejects.toThrow(
    /did not succeed/,
  );
});

test('a refund may be pending for a while, or come back', { tags: 'long' }, async () => {
  const { sell, stripe, webhooks } = await startTestSandbox();
  const slow = await sell('4000 0000 0000 7726');
  const doomed = await sell('4000 0000 0000 5126');
  const pending = await stripe.refunds.create({ charge: slow.charge.id });
  const returned = await stripe.refunds.create({ charge: doomed.charge.id });
  expect([pending.status, returned.status]).toEqual(['pending', 'succeeded']);

  const failed = await webhooks.arrivalOf('refund.failed');
  expect(failed.data.object).toMatchObject({
    id: returned.id,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  });
  expect(await stripe.charges.retrieve(doomed.charge.id)).toMatchObject({
    amount_refunded: 0,
    refunded: false,
  });
  await webhooks.arrivalOf('refund.updated');
  expect((await stripe.refunds.retrieve(pending.id)).status).toBe('succeeded');
  const back = await stripe.balanceTransactions.list({ type: 'refund_failure' });
  expect(back.data).toMatchObject([{ net: 1000 }]);
});

test('what a payment cost may be reported later than its refund', async () => {
  const { helper, sell, stripe, webhooks } = await startTestSandbox();
  const { charge, intent } = await sell('4000 0000 0000 8872');
  expect(charge.balance_transaction).toBeNull();
  await stripe.refunds.create({ charge: charge.id });
  await helper(`payment_intents/${intent.id}/report_cost`);
  await webhooks.arrivalOf('charge.updated');
  const { balance_transaction } = await stripe.charges.retrieve(charge.id, {
    expand: ['balance_transaction'],
  });
  expect(balance_transaction).toMatchObject({ amount: 1000, fee: 59 });
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: -59 }]);
});
