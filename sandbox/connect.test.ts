import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { startTestSandbox } from './testing/start-test-sandbox.ts';

type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;

async function onboarded(test: TestSandbox, bankAccount = '000123456789'): Promise<string> {
  const { id } = await test.openAccount();
  await test.post(await test.onboardingPage(id), { bankAccount });
  return id;
}

const INCLUDE = ['configuration.recipient', 'defaults', 'identity', 'requirements'] as const;

test('an account is opened once, and both versions of the API show it', async () => {
  const { openAccount, stripe } = await startTestSandbox();
  const account = await openAccount({ metadata: { owner: '7' }, include: [...INCLUDE] });
  expect(account).toMatchObject({
    object: 'v2.core.account',
    applied_configurations: ['recipient'],
    dashboard: 'express',
    defaults: {
      responsibilities: { fees_collector: 'application', losses_collector: 'application' },
    },
    identity: { country: 'us', entity_type: 'individual' },
    metadata: { owner: '7' },
  });
  const restricted = { status: 'restricted', status_details: [{ resolution: 'provide_info' }] };
  expect(account.configuration?.recipient?.capabilities?.stripe_balance).toMatchObject({
    payouts: restricted,
    stripe_transfers: restricted,
  });
  const missing = account.requirements?.entries?.map(({ description }) => description);
  expect(missing).toContain('external_account');

  const bare = await stripe.v2.core.accounts.retrieve(account.id);
  expect(bare).not.toHaveProperty('requirements');
  const include = [...INCLUDE];
  expect(await stripe.v2.core.accounts.retrieve(account.id, { include })).toEqual(account);
  expect(await stripe.accounts.retrieve(account.id)).toMatchObject({
    capabilities: { transfers: 'inactive' },
    country: 'US',
    details_submitted: false,
    email: 'ada@example.com',
    payouts_enabled: false,
    requirements: { currently_due: expect.arrayContaining(['individual.first_name']) },
    settings: { payouts: { schedule: { interval: 'daily' } } },
  });
});

test('requests of API v2 are repeated, and refused in its own shape', async () => {
  const { openAccount, sandbox, stripe } = await startTestSandbox();
  const asked: Stripe.V2.Core.AccountCreateParams = {
    dashboard: 'express',
    identity: { country: 'us' },
    defaults: {
      responsibilities: { fees_collector: 'application', losses_collector: 'application' },
    },
  };
  const options = { idempotencyKey: 'account-1' };
  const { id } = await stripe.v2.core.accounts.create(asked, options);
  expect((await stripe.v2.core.accounts.create(asked, options)).id).toBe(id);
  await expect(
    stripe.v2.core.accounts.create({ ...asked, display_name: 'Bob' }, options),
  ).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  await expect(stripe.v2.core.accounts.retrieve('acct_none')).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    statusCode: 404,
    code: 'not_found',
  });
  await expect(openAccount({ dashboard: 'full' })).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    code: 'invalid_fields',
    message: 'Invalid dashboard: must be one of express',
  });
  const form = await fetch(`${sandbox.apiUrl}/v2/core/accounts`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_x' },
    body: new URLSearchParams({ dashboard: 'express' }),
  });
  expect(form.status).toBe(415);
  expect(await form.json()).toMatchObject({ error: { message: expect.any(String) } });
});

test('an account may be paid once its owner has finished the onboarding', async () => {
  const sandbox = await startTestSandbox();
  const { onboardingPage, openAccount, post, stripe, webhooks } = sandbox;
  const { id } = await openAccount();
  const url = await onboardingPage(id);
  const page = await (await fetch(url)).text();
  expect(page).toContain('Bank account');
  expect(page).toContain('<a class="secondary" href="http://shop.test/done">Not now</a>');
  expect((await post(url, { bankAccount: 'nonsense' })).status).toBe(422);
  expect(await stripe.accounts.retrieve(id)).toMatchObject({ payouts_enabled: false });
  const done = await post(url, { bankAccount: '000123456789' });
  expect(done.headers.get('location')).toBe('http://shop.test/done');

  expect((await webhooks.arrivalOf('account.updated')).account).toBe(id);
  const thin = await webhooks.thinArrivalOf('v2.core.account[requirements].updated');
  expect(thin).toMatchObject({ livemode: false, related_object: { id } });
  const changed = await webhooks.thinArrivalOf(
    'v2.core.account[configuration.recipient].capability_status_updated',
  );
  expect(changed).not.toHaveProperty('data');
  expect(await stripe.v2.core.events.retrieve(changed.id)).toMatchObject({
    data: { updated_capability: 'stripe_balance.stripe_transfers' },
  });
  expect(await stripe.rawRequest('GET', thin.related_object.url)).toHaveProperty('id', id);
  const listed: string[] = [];
  const list = stripe.v2.core.events.list({ object_id: id, limit: 1 });
  for await (const event of list) listed.push(event.id);
  expect(listed).toEqual([changed.id, thin.id]);

  const account = await stripe.v2.core.accounts.retrieve(id, { include: [...INCLUDE] });
  expect(account.requirements).toEqual({ entries: [] });
  expect(account.configuration?.recipient?.capabilities?.stripe_balance).toMatchObject({
    payouts: { status: 'active' },
    stripe_transfers: { status: 'active' },
  });
  expect(await stripe.accounts.retrieve(id)).toMatchObject({
    details_submitted: true,
    payouts_enabled: true,
    external_accounts: { data: [{ bank_name: 'STRIPE TEST BANK', last4: '6789' }] },
    requirements: { currently_due: [] },
  });
  const again = await post(url, { bankAccount: '000123456789' });
  expect(again.headers.get('location')).toBe('http://shop.test/again');
});

test('an account of which more is required is paid nothing until it is provided', async () => {
  const sandbox = await startTestSandbox();
  const { helper, stripe } = sandbox;
  const account = await onboarded(sandbox);
  await helper(`accounts/${account}/require`);
  expect(await stripe.accounts.retrieve(account)).toMatchObject({
    payouts_enabled: false,
    requirements: { currently_due: ['individual.verification.document'] },
  });
  const stripeAccount = account;
  await expect(
    stripe.payouts.create({ amount: 1, currency: 'usd' }, { stripeAccount }),
  ).rejects.toMatchObject({ statusCode: 400, code: 'payouts_not_allowed' });
});

test('the dashboard of an account shows its payouts, and where they go can be changed', async () => {
  const sandbox = await startTestSandbox();
  const { openAccount, pageOf, post, sell, stripe } = sandbox;
  const { id: incomplete } = await openAccount();
  await expect(stripe.accounts.createLoginLink(incomplete)).rejects.toThrow(/onboarding/);
  const account = await onboarded(sandbox);
  await sell();
  await stripe.transfers.create({ amount: 900, currency: 'usd', destination: account });
  const stripeAccount = account;
  await stripe.payouts.create({ amount: 400, currency: 'usd' }, { stripeAccount });

  const url = pageOf(await stripe.accounts.createLoginLink(account));
  const page = await (await fetch(url)).text();
  expect(page).toContain('$5.00');
  expect(page).toMatch(/On its way.*\$4\.00/s);
  expect((await post(url, { bankAccount: 'nonsense' })).status).toBe(422);
  expect((await post(url, { bankAccount: '000111111116' })).status).toBe(303);
  expect(await stripe.accounts.retrieve(account)).toMatchObject({
    external_accounts: { data: [{ last4: '1116' }] },
  });
  expect((await fetch(url.replace('express', 'connect'))).status).toBe(404);
});

test('whether an account is paid out by itself is one of its settings', async () => {
  const sandbox = await startTestSandbox();
  const { stripe } = sandbox;
  const { id: stripeAccount } = await sandbox.openAccount();
  const payments = { payouts: { schedule: { interval: 'manual' as const } } };
  expect(await stripe.balanceSettings.update({ payments }, { stripeAccount })).toMatchObject({
    payments,
  });
  expect(await stripe.balanceSettings.retrieve({}, { stripeAccount })).toMatchObject({ payments });
  expect(await stripe.accounts.retrieve(stripeAccount)).toMatchObject({ settings: payments });
  await expect(stripe.balanceSettings.retrieve()).rejects.toMatchObject({ statusCode: 400 });
});

test('a transfer moves what there is, to an account that may have it', async () => {
  const sandbox = await startTestSandbox();
  const { sell, stripe, webhooks } = sandbox;
  const transfer = (destination: string, amount: number) =>
    stripe.transfers.create({ amount, currency: 'usd', destination, metadata: { payout: '1' } });

  const { id: fresh } = await sandbox.openAccount();
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

test('a payout arrives, or comes back, and its events name the account', {
  tags: 'long',
}, async () => {
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
