import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startTestSandbox, temporaryFolder } from '../../sandbox/testing/start-test-sandbox.ts';
import { openStripe } from '../../server/adapters/stripe/open-stripe.ts';
import {
  InsufficientFundsError,
  PayoutRefusedError,
} from '../../server/money/payouts/payout-provider.ts';

/** A creator's account at the provider and what sends money there, through the official client. */
async function openAccount() {
  const dataDir = temporaryFolder();
  const sandbox = await startTestSandbox(dataDir);
  const target = {
    kind: 'sandbox' as const,
    apiUrl: sandbox.sandbox.apiUrl,
    webhookSecret: 'whsec_test',
    connect: true,
  };
  const { payoutProvider: provider } = openStripe(target, { warn() {}, error() {} });
  const request = {
    ownerId: '7',
    email: 'ada@example.com',
    displayName: 'Ada',
    country: 'US',
    idempotencyKey: 'account-7',
  };
  const accountId = await provider.createAccount(request);
  const onboard = async (bankAccount = '000123456789') => {
    const urls = { returnUrl: 'http://shop.test/done', refreshUrl: 'http://shop.test/again' };
    const url = await provider.onboardingUrl({ accountId, ...urls });
    await sandbox.post(sandbox.pageOf({ url }), { bankAccount });
  };
  const transfer = (payoutId: string, amountCents: number) =>
    provider.transfer({ payoutId, accountId, amountCents, idempotencyKey: `payout-${payoutId}` });
  const payOut = (payoutId: string, amountCents: number) =>
    provider.payOut({ payoutId, accountId, amountCents, idempotencyKey: `bank-${payoutId}` });
  return { ...sandbox, dataDir, provider, request, accountId, onboard, transfer, payOut };
}

test('an account is opened once, is paid out when asked alone, and says in plain words what is missing', async () => {
  const { provider, request, accountId, onboard, stripe, helper, pageOf } = await openAccount();
  expect(await provider.createAccount(request)).toBe(accountId);
  expect(await stripe.accounts.retrieve(accountId)).toMatchObject({
    controller: { losses: { payments: 'application' }, stripe_dashboard: { type: 'express' } },
    email: 'ada@example.com',
    metadata: { owner_id: '7' },
    settings: { payouts: { schedule: { interval: 'manual' } } },
  });
  const fresh = await provider.retrieveAccount(accountId);
  expect(fresh).toMatchObject({ id: accountId, isReady: false, bankAccount: null });
  expect(fresh.missing).toEqual([
    'a bank account',
    'agreement to the payment provider’s terms',
    'a date of birth',
    'a name',
  ]);
  await onboard();
  const ready = { isReady: true, missing: [], bankAccount: 'STRIPE TEST BANK ••6789' };
  expect(await provider.retrieveAccount(accountId)).toMatchObject(ready);
  const dashboard = pageOf({ url: await provider.dashboardUrl(accountId) });
  expect((await fetch(dashboard)).status).toBe(200);
  await helper(`accounts/${accountId}/require`);
  expect(await provider.retrieveAccount(accountId)).toMatchObject({
    isReady: false,
    missing: ['proof of identity'],
  });
  await expect(
    provider.createAccount({ ...request, country: 'USA', idempotencyKey: 'account-8' }),
  ).rejects.toBeInstanceOf(PayoutRefusedError);
});

test('money is transferred and paid out once, and is found by what it is for', {
  tags: 'long',
}, async () => {
  const { provider, accountId, onboard, transfer, payOut, sell, stripe } = await openAccount();
  await onboard();
  await sell();
  const available = await provider.readAvailable();
  expect(available).toBe(941);
  expect(await provider.findTransfer('p1')).toBeNull();
  const id = await transfer('p1', 900);
  expect(await transfer('p1', 900)).toBe(id);
  expect(await provider.readAvailable()).toBe(available - 900);
  expect(await provider.findTransfer('p1')).toMatchObject({ id, reversed: false });
  expect(await stripe.transfers.retrieve(id)).toMatchObject({
    transfer_group: 'p1',
    metadata: { payout_id: 'p1' },
  });
  const sent = await payOut('p1', 900);
  expect(sent).toMatchObject({ state: 'pending', failure: null });
  expect(await payOut('p1', 900)).toEqual(sent);
  expect(await stripe.payouts.retrieve(sent.id, {}, { stripeAccount: accountId })).toMatchObject({
    amount: 900,
    currency: 'usd',
    metadata: { payout_id: 'p1' },
  });
  await expect
    .poll(() => provider.retrievePayout({ accountId, id: sent.id }))
    .toEqual({ id: sent.id, state: 'paid', failure: null });
  const back = { transferId: id, idempotencyKey: 'back-1' };
  await expect(provider.reverseTransfer(back)).rejects.toBeInstanceOf(InsufficientFundsError);
});

test('a payout whose answer was lost is found when its key is forgotten', async () => {
  const { dataDir, onboard, transfer, payOut, sell } = await openAccount();
  await onboard();
  await sell();
  await transfer('p1', 300);
  await transfer('p2', 300);
  const sent = await payOut('p1', 300);
  // As the provider does a day later.
  const books = new DatabaseSync(join(dataDir, 'sandbox.sqlite'));
  books.exec('DELETE FROM idempotency');
  books.close();
  expect(await payOut('p1', 300)).toMatchObject({ id: sent.id });
});

test('a transfer comes back once, also when it was brought back before', {
  tags: 'long',
}, async () => {
  const { provider, accountId, onboard, transfer, payOut, sell } = await openAccount();
  await onboard('000111111116');
  await sell();
  const id = await transfer('p1', 900);
  const sent = await payOut('p1', 900);
  await expect
    .poll(() => provider.retrievePayout({ accountId, id: sent.id }))
    .toMatchObject({ state: 'failed', failure: expect.stringContaining('bank account') });
  for (const idempotencyKey of ['back-1', 'back-1', 'back-2']) {
    await provider.reverseTransfer({ transferId: id, idempotencyKey });
  }
  expect(await provider.findTransfer('p1')).toMatchObject({ id, reversed: true });
  expect(await provider.readAvailable()).toBe(941);
});

test('what the provider refuses is told apart from what it has too little for, and from what it did not answer', async () => {
  const { onboard, transfer, payOut, sell } = await openAccount();
  await expect(transfer('p1', 100)).rejects.toThrow(PayoutRefusedError);
  await expect(payOut('p1', 100)).rejects.toThrow(/external accounts/);
  await onboard();
  await expect(transfer('p2', 100)).rejects.toBeInstanceOf(InsufficientFundsError);
  await expect(payOut('p2', 100)).rejects.toBeInstanceOf(InsufficientFundsError);
  await sell();
  expect(await transfer('p3', 100)).toMatch(/^tr_/);
});

const PAID = { metadata: { payout_id: 'p1' } };
const SESSION = { id: 'cs_test_1' };
const THIN = { object: 'v2.core.event', related_object: { id: 'acct_1' } };

test.each([
  ['account.updated', { account: 'acct_1' }, {}, { kind: 'account-changed', accountId: 'acct_1' }],
  ['account.updated', {}, {}, null],
  ['payout.failed', { account: 'acct_1' }, PAID, { kind: 'payout-changed', payoutId: 'p1' }],
  ['payout.paid', { account: 'acct_1' }, { metadata: {} }, null],
  ['payout.paid', {}, PAID, null],
  ['transfer.reversed', {}, PAID, { kind: 'payout-changed', payoutId: 'p1' }],
  [
    'v2.core.account[requirements].updated',
    THIN,
    {},
    { kind: 'account-changed', accountId: 'acct_1' },
  ],
  ['v2.core.account.created', THIN, {}, null],
  [
    'checkout.session.completed',
    {},
    SESSION,
    { kind: 'checkout-completed', sessionId: 'cs_test_1' },
  ],
  ['checkout.session.completed', { account: 'acct_1' }, SESSION, null],
])(
  '%s with %o is told apart: what happens in an account of others is no sale of ours',
  (type, event, object, news) => {
    const target = { kind: 'sandbox', apiUrl: 'http://127.0.0.1:1', webhookSecret: '' } as const;
    const { provider } = openStripe(target, { warn() {}, error() {} });
    expect(provider.readEvent(JSON.stringify({ type, ...event, data: { object } }))).toEqual(news);
  },
);

test.each([
  [401, 'authentication_error', undefined],
  [403, 'invalid_request_error', undefined],
  [409, 'idempotency_error', 'idempotency_key_in_use'],
  [400, 'idempotency_error', undefined],
  [429, 'invalid_request_error', 'rate_limit'],
  [500, 'api_error', undefined],
])('%i %s is no refusal of a payout: money may be under way', async (status, type, code) => {
  const payoutProvider = await askedAt(() => [status, { error: { type, code, message: 'no' } }]);
  const sent = payoutProvider.transfer({
    payoutId: 'p1',
    accountId: 'acct_1',
    amountCents: 100,
    idempotencyKey: 'payout-p1',
  });
  const error = await sent.catch((reason) => reason);
  expect(error).toMatchObject({ statusCode: status });
  expect(error).not.toBeInstanceOf(PayoutRefusedError);
});

test('an account that is paid in two currencies names both of its bank accounts', async () => {
  const bank = (last4: string, isDefault: boolean) => ({
    object: 'bank_account',
    bank_name: 'BANK',
    last4,
    default_for_currency: isDefault,
  });
  const data = [bank('2222', true), bank('3333', false), bank('1111', true)];
  const provider = await askedAt((path) => [
    200,
    path.startsWith('/v2/') ? { id: 'acct_1' } : { external_accounts: { data } },
  ]);
  expect(await provider.retrieveAccount('acct_1')).toMatchObject({
    bankAccount: 'BANK ••1111 and BANK ••2222',
  });
});

/** What asks a provider that gives these answers: status and body by path. */
async function askedAt(answer: (path: string) => [number, object]) {
  const server = createServer((request, response) => {
    const headers = { 'content-type': 'application/json', 'stripe-should-retry': 'false' };
    const [status, body] = answer(request.url ?? '');
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const target = { kind: 'sandbox', apiUrl, webhookSecret: 'whsec_test' } as const;
  return openStripe(target, { warn() {}, error() {} }).payoutProvider;
}
