import { expect, test } from 'vitest';
import { startTestSandbox } from './testing/start-test-sandbox.ts';

const DISPUTED = '4000 0000 0000 0259';

test('a dispute takes the money and its cost; closing it accepts the loss', async () => {
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

test('winning evidence brings the money back, and nothing else does', async () => {
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
