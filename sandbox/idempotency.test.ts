import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startTestSandbox } from './testing/start-test-sandbox.ts';

test('the same key and parameters give the same answer, and one refund', async () => {
  const { sell, stripe } = await startTestSandbox();
  const { charge } = await sell();
  const options = { idempotencyKey: 'refund-1' };
  const first = await stripe.refunds.create({ charge: charge.id, amount: 100 }, options);
  const second = await stripe.refunds.create({ amount: 100, charge: charge.id }, options);
  expect(second).toEqual(first);
  expect(second.lastResponse.headers).toMatchObject({
    'idempotent-replayed': 'true',
    'original-request': first.lastResponse.requestId,
  });
  expect((await stripe.charges.retrieve(charge.id)).amount_refunded).toBe(100);
});

test('a key is good for one request only', async () => {
  const { openAccount, openSession, stripe } = await startTestSandbox();
  const { id } = await openSession();
  await stripe.checkout.sessions.expire(id, {}, { idempotencyKey: 'once' });
  await expect(
    stripe.checkout.sessions.expire('cs_test_other', {}, { idempotencyKey: 'once' }),
  ).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });

  const options = { idempotencyKey: 'payout' };
  const { id: stripeAccount } = await openAccount();
  const settle = (interval: 'daily' | 'manual') =>
    stripe.balanceSettings.update(
      { payments: { payouts: { schedule: { interval } } } },
      { stripeAccount, ...options },
    );
  await settle('daily');
  await expect(settle('manual')).rejects.toMatchObject({
    rawType: 'idempotency_error',
    message: expect.stringContaining('can only be used with the same parameters'),
  });
});

test('a refusal is repeated as well, but not one of faulty parameters', async () => {
  const { openAccount, sell, stripe } = await startTestSandbox();
  const { id: destination } = await openAccount();
  const options = { idempotencyKey: 'transfer-1' };
  const send = (amount: number) =>
    stripe.transfers.create({ amount, currency: 'usd', destination }, options);
  await expect(send(0)).rejects.toMatchObject({ code: 'parameter_invalid_integer' });
  await expect(send(100)).rejects.toMatchObject({ code: 'insufficient_capabilities_for_transfer' });
  await sell();
  await expect(send(100)).rejects.toMatchObject({
    code: 'insufficient_capabilities_for_transfer',
    headers: { 'idempotent-replayed': 'true' },
  });
});

test('a key in use by a request under way is refused with 409', async () => {
  const { sandbox, sell, stripe } = await startTestSandbox();
  const { charge } = await sell();
  const refund = { charge: charge.id, amount: 100 };
  const body = `charge=${charge.id}&amount=100`;
  const slow = request(`${sandbox.apiUrl}/v1/refunds`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sk_test_x',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
      'idempotency-key': 'slow',
      expect: '100-continue',
    },
  });
  const answered = new Promise<number | undefined>((resolve) => {
    slow.on('response', (response) => resolve(response.resume().statusCode));
  });
  slow.flushHeaders();
  // The server asks for the body when it has read the headers.
  await new Promise((resolve) => slow.once('continue', resolve));

  const options = { idempotencyKey: 'slow' };
  await expect(stripe.refunds.create(refund, options)).rejects.toMatchObject({
    statusCode: 409,
    code: 'idempotency_key_in_use',
  });
  slow.end(body);
  expect(await answered).toBe(200);
  const repeated = await stripe.refunds.create(refund, options);
  expect(repeated.lastResponse.headers).toHaveProperty('idempotent-replayed', 'true');
  expect((await stripe.refunds.list()).data).toHaveLength(1);
});
