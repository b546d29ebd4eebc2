import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { startTestSandbox } from './testing/start-test-sandbox.ts';

const DISPUTED = '4000 0000 0000 0259';

test('a dispute takes the money and its cost; closing it accepts the loss', {
  tags: 'long',
}, async () => {
  const { sell, stripe, webhooks } = await startTestSandbox();
  const { charge, intent } = await sell(DISPUTED);
  const created = await webhooks.arrivalOf('charge.dispute.created');
  expect(created.data.object).toMatchObject({
    amount: 1000,
    charge: charge.id,
    payment_intent: intent.id,
    status: 'needs_response',
    balance_transactions: [{ amount: -1000, fee: 1500, net: -2500 }],
  });
  await webhooks.arrivalOf('charge.dispute.funds_withdrawn');
  expect((await stripe.charges.retrieve(charge.id)).disputed).toBe(true);
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 1000 - 59 - 2500 }]);
  await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
    code: 'charge_disputed',
  });

  const [dispute] = (await stripe.disputes.list({ charge: charge.id })).data;
  const closed = await stripe.disputes.close(String(dispute?.id));
  expect(closed.status).toBe('lost');
  const event = await webhooks.arrivalOf('charge.dispute.closed');
  expect(event.data.object.status).toBe('lost');
  await expect(stripe.disputes.close(closed.id)).rejects.toThrow('This dispute is already lost.');
});

test('winning evidence brings the money back, and nothing else does', {
  tags: 'long',
}, async () => {
  const { sell, stripe, webhooks } = await startTestSandbox();
  await sell(DISPUTED);
  const { id } = (await webhooks.arrivalOf('charge.dispute.created')).data.object;
  const staged = await stripe.disputes.update(id, {
    evidence: { product_description: 'A study pack' },
    submit: false,
  });
  expect(staged.status).toBe('needs_response');
  const won = await stripe.disputes.update(id, {
    evidence: { uncategorized_text: 'winning_evidence' },
  });
  expect(won).toMatchObject({
    status: 'won',
    evidence: { product_description: 'A study pack' },
    balance_transactions: [{ net: -2500 }, { net: 1000 }],
  });
  await webhooks.arrivalOf('charge.dispute.closed');
  await webhooks.arrivalOf('charge.dispute.funds_reinstated');
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 1000 - 59 - 1500 }]);
});

test('an inquiry takes no money until it is escalated, and a prevented dispute takes none', async () => {
  const { helper, sell, stripe } = await startTestSandbox();
  const inquire = async () => {
    const { intent } = await sell();
    const status = 'warning_needs_response';
    return helper<Stripe.Dispute>('disputes', { payment_intent: intent.id, status });
  };
  const submit = (id: string, uncategorized_text: string) =>
    stripe.disputes.update(id, { evidence: { uncategorized_text } });
  expect(await submit((await inquire()).id, 'winning_evidence')).toMatchObject({
    status: 'warning_closed',
    balance_transactions: [],
  });
  const inquiry = await inquire();
  await expect(stripe.disputes.close(inquiry.id)).rejects.toThrow('already warning needs response');
  expect(await submit(inquiry.id, 'escalate_inquiry_evidence')).toMatchObject({
    status: 'needs_response',
    balance_transactions: [{ net: -2500 }],
  });
  const { intent } = await sell();
  expect(
    await helper('disputes', { payment_intent: intent.id, status: 'prevented' }),
  ).toMatchObject({ status: 'prevented', balance_transactions: [] });
  expect((await stripe.balance.retrieve()).available).toMatchObject([
    { amount: 3 * (1000 - 59) - 2500 },
  ]);
});

test('a lost dispute may be appealed, and only an appeal brings the money back', async () => {
  const { helper, sell, stripe, webhooks } = await startTestSandbox();
  const { intent } = await sell();
  const { id } = await helper<Stripe.Dispute>('disputes', { payment_intent: intent.id });
  const evidence = { uncategorized_text: 'appealable_evidence' };
  expect(await stripe.disputes.update(id, { evidence })).toMatchObject({
    status: 'appeal_needs_response',
    balance_transactions: [{ net: -2500 }],
  });
  expect((await webhooks.arrivalOf('charge.dispute.closed')).data.object.status).toBe('lost');
  await expect(stripe.disputes.update(id, { evidence })).rejects.toThrow(/takes `appeal`/);
  const appeal = (reason_for_filing: string, submit: boolean) =>
    stripe.disputes.update(id, { evidence: { appeal: { card: { reason_for_filing } } }, submit });
  expect(await appeal('It was delivered', false)).toMatchObject({
    status: 'appeal_needs_response',
  });
  expect(await appeal('winning_evidence', true)).toMatchObject({
    status: 'won',
    balance_transactions: [{ net: -2500 }, { net: 1000 }],
  });
});

test('an account that settles in another currency is told the rate of each movement', async () => {
  const { helper, sell, stripe } = await startTestSandbox();
  await helper('settlement', { currency: 'eur', exchange_rate: '0.861325' });
  const { intent, charge } = await sell();
  const received = { amount: 861, fee: 51, net: 810, currency: 'eur', exchange_rate: 0.861325 };
  expect(
    await stripe.balanceTransactions.retrieve(String(charge.balance_transaction)),
  ).toMatchObject(received);
  await helper('settlement', { currency: 'eur', exchange_rate: '0.9' });
  expect(await helper('disputes', { payment_intent: intent.id })).toMatchObject({
    amount: 1000,
    currency: 'usd',
    balance_transactions: [{ amount: -900, fee: 1350, currency: 'eur', exchange_rate: 0.9 }],
  });
  expect((await stripe.balance.retrieve()).available).toMatchObject([
    { amount: 810 - 2250, currency: 'eur' },
  ]);
  await expect(helper('settlement', { currency: 'gbp', exchange_rate: '0.7' })).rejects.toThrow(
    'The balance is in eur already.',
  );
});
