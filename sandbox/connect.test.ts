import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { startTestSandbox } from './testing/start-test-sandbox.ts';

type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;

const ACCOUNT: Stripe.AccountCreateParams = {
  type: 'express',
  country: 'US',
  email: 'ada@example.com',
  capabilities: { transfers: { requested: true } },
  settings: { payouts: { schedule: { interval: 'manual' } } },
};

async function linkFor({ stripe, pageOf }: TestSandbox, account: string): Promise<string> {
  const link = await stripe.accountLinks.create({
    account,
    type: 'account_onboarding',
    refresh_url: 'http://shop.test/again',
    return_url: 'http://shop.test/done',
  });
  return pageOf(link);
}

async function onboarded(test: TestSandbox, bankAccount = '000123456789'): Promise<string> {
  const { id } = await test.stripe.accounts.create(ACCOUNT);
  await test.post(await linkFor(test, id), { bankAccount });
  return id;
}

test('an account may be paid once its owner has finished the onboarding', async () => {
  const sandbox = await startTestSandbox();
  const { post, stripe, webhooks } = sandbox;
  const account = await stripe.accounts.create(ACCOUNT);
  expect(account).toMatchObject({
    type: 'express',
    details_submitted: false,
    payouts_enabled: false,
    capabilities: { transfers: 'inactive' },
    settings: { payouts: { schedule: { interval: 'manual' } } },
  });
  const url = await linkFor(sandbox, account.id);
  expect(await (await fetch(url)).text()).toContain('Bank account');
  expect((await post(url, { bankAccount: 'nonsense' })).status).toBe(422);
  const done = await post(url, { bankAccount: '000123456789' });
  expect(done.headers.get('location')).toBe('http://shop.test/done');

  const updated = await webhooks.arrivalOf('account.updated');
  expect(updated.account).toBe(account.id);
  expect(await stripe.accounts.retrieve(account.id)).toMatchObject({
    details_submitted: true,
    payouts_enabled: true,
    capabilities: { transfers: 'active' },
    requirements: { currently_due: [] },
  });
  const again = await post(url, { bankAccount: '000123456789' });
  expect(again.headers.get('location')).toBe('http://shop.test/again');
});

test('a transfer moves what there is, to an account that may have it', async () => {
  const sandbox = await startTestSandbox();
  const { sell, stripe, webhooks } = sandbox;
  const transfer = (destination: string, amount: number) =>
    stripe.transfers.create({ amount, currency: 'usd', destination, metadata: { payout: '1' } });

  const { id: fresh } = await stripe.accounts.create(ACCOUNT);
  await expect(transfer(fresh, 100)).rejects.toMatchObject({
    code: 'insufficient_capabilities_for_transfer',
  });
  const account = await onboarded(sandbox);
  await expect(transfer(account, 100)).rejects.toMatchObject({
    statusCode: 400,
    code: 'balance_insufficient',
  });
  await expect(transfer('acct_none', 100)).rejects.toMatchObject({ param: 'destination' });

  await sell();
  const sent = await transfer(account, 900);
  expect(sent).toMatchObject({ amount: 900, destination: account, metadata: { payout: '1' } });
  await webhooks.arrivalOf('transfer.created');
  const available = async (stripeAccount?: string) =>
    (await stripe.balance.retrieve({}, stripeAccount ? { stripeAccount } : {})).available[0]
      ?.amount;
  expect(await available()).toBe(41);
  expect(await available(account)).toBe(900);

  const reversal = await stripe.transfers.createReversal(sent.id, { amount: 300 });
  expect(reversal).toMatchObject({ amount: 300, transfer: sent.id });
  const reversed = await webhooks.arrivalOf('transfer.reversed');
  expect(reversed.data.object).toMatchObject({ amount_reversed: 300, reversed: false });
  expect([await available(), await available(account)]).toEqual([341, 600]);
  await expect(stripe.transfers.createReversal(sent.id, { amount: 601 })).rejects.toThrow(
    /greater than unreversed amount/,
  );
  expect((await stripe.transfers.listReversals(sent.id)).data).toHaveLength(1);
});

test('a payout arrives, or comes back, and its events name the account', async () => {
  const sandbox = await startTestSandbox();
  const { sell, stripe, webhooks } = sandbox;
  await sell();
  const good = await onboarded(sandbox);
  const bad = await onboarded(sandbox, '000111111116');
  const payOut = async (stripeAccount: string) => {
    const destination = stripeAccount;
    await stripe.transfers.create({ amount: 400, currency: 'usd', destination });
    return stripe.payouts.create({ amount: 400, currency: 'usd' }, { stripeAccount });
  };
  const paid = await payOut(good);
  const failed = await payOut(bad);
  expect(paid.status).toBe('pending');
  await expect(
    stripe.payouts.create({ amount: 1, currency: 'usd' }, { stripeAccount: good }),
  ).rejects.toMatchObject({ code: 'balance_insufficient' });

  expect(await webhooks.arrivalOf('payout.paid')).toMatchObject({
    account: good,
    data: { object: { id: paid.id, status: 'paid' } },
  });
  expect(await webhooks.arrivalOf('payout.failed')).toMatchObject({
    account: bad,
    data: { object: { id: failed.id, status: 'failed', failure_code: 'no_account' } },
  });
  const balance = await stripe.balance.retrieve({}, { stripeAccount: bad });
  expect(balance.available[0]?.amount).toBe(400);
});

test("one account's objects are out of reach of the others", async () => {
  const sandbox = await startTestSandbox();
  const { sell, stripe } = sandbox;
  await sell();
  const account = await onboarded(sandbox);
  await stripe.transfers.create({ amount: 100, currency: 'usd', destination: account });
  const stripeAccount = account;
  const payout = await stripe.payouts.create({ amount: 100, currency: 'usd' }, { stripeAccount });
  await expect(stripe.payouts.retrieve(payout.id)).rejects.toMatchObject({ statusCode: 404 });
  expect((await stripe.charges.list({}, { stripeAccount })).data).toMatchObject([{ amount: 100 }]);
  await expect(
    stripe.balance.retrieve({}, { stripeAccount: 'acct_unknown' }),
  ).rejects.toMatchObject({ statusCode: 403, code: 'account_invalid' });
});
