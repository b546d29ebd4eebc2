import { beforeAll, expect, test } from 'vitest';
import { openSandboxApi } from '../../sandbox/start-sandbox.ts';
import { createLog } from '../../server/running/log.ts';
import { signUp, waitUntilUnlocked } from '../factories/factories.ts';
import {
  expectBooks,
  readWholeBalance,
  sellDisputed,
  sellOnce,
  waitUntilIdle,
} from '../factories/money.ts';
import { CARDS } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { expectHledgerAgrees } from '../harness/hledger.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { letHappen, stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const env = { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) };
const stripe = stripeOf(sandboxPort);
const REFUND_FAILS = '4000 0000 0000 5126';
const SOLD = { provider: -941, platform_fee: 80, creator: 920, processing_cost: -59 };

describeOnSqliteFirst('the books of the provider and of Padlink', (database) => {
  const app = useApp({ database, env });
  let refundable: Awaited<ReturnType<typeof sellOnce>>;

  const run = (...words: string[]) => runCli(app.env, 'ledger', ...words);

  beforeAll(async () => {
    const [one, two] = [await signUp(app), await signUp(app)];
    refundable = await sellOnce(one, sandboxPort);
    const [disputed, refunded, failing] = [
      await sellDisputed(two, sandboxPort),
      await sellOnce(two, sandboxPort),
      await sellOnce(one, sandboxPort, { card: REFUND_FAILS }),
    ];
    await stripe.refunds.create({ payment_intent: refunded.payment, amount: 333 });
    const { id } = await stripe.refunds.create({ payment_intent: failing.payment });
    await expectBooks(app, refunded.id, {
      ...SOLD,
      provider: -608,
      platform_fee: 53,
      creator: 614,
    });
    await expectBooks(app, disputed.id, {
      ...SOLD,
      provider: 1559,
      creator: -80,
      dispute_fee: -1500,
    });
    // Its books and its access are the same before the refund.
    await eventually(async () =>
      expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'failed' }),
    );
    await withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
    await waitUntilUnlocked(failing.buyer, failing.id);
    await expectBooks(app, failing.id, SOLD);
  });

  const countOwnBookings = () =>
    withDatabase(app, (db) =>
      db
        .selectFrom('ledger_entry')
        .where('kind', '=', 'provider_transaction')
        .select('cause')
        .execute(),
    );

  test('are the same to the cent, day by day, however often they are compared', async () => {
    const { status, stdout } = await run('reconcile');
    // Four charges, two refunds, one that came back, one dispute.
    expect(stdout).toContain('Transactions imported: 8.\n');
    const { available } = await stripe.balance.retrieve();
    const held = ((available[0]?.amount ?? 0) / 100).toFixed(2);
    expect(stdout).toMatch(new RegExp(`^Balance +USD +${held} +${held} +0\\.00$`, 'm'));
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d +USD +\S+ +\S+ +0\.00$/m);
    expect(status).toBe(0);
    // Every one of them was booked already.
    expect(await countOwnBookings()).toEqual([]);
    expect((await run('reconcile')).stdout).toContain('Transactions imported: 0.\n');
    expect(await run('check')).toMatchObject({ stdout: 'The ledger is in order.\n' });
  });

  test('show what Padlink was never told, and it follows', async () => {
    await app.pause();
    const { DATA_DIR: dataDir = '' } = app.env;
    const log = createLog('error');
    const door = await openSandboxApi({ dataDir, port: sandboxPort, publicUrl: app.origin, log });
    try {
      await stripe.refunds.create({ payment_intent: refundable.payment });
    } finally {
      await door.stop();
    }
    const { status, stdout } = await run('reconcile');
    expect(stdout).toContain('Transactions imported: 1.\n');
    expect(status).toBe(0);
    await expectBooks(app, refundable.id, {
      provider: 59,
      platform_fee: 0,
      creator: 0,
      processing_cost: -59,
    });
    await app.restart();
  });

  test('hold what is none of our business in suspense until it is cleared', async () => {
    const price_data = { currency: 'usd', unit_amount: 700, product_data: { name: 'A shirt' } };
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ quantity: 1, price_data }],
      success_url: 'https://shirts.example/',
    });
    await payWithoutPadlink(session.url ?? '');
    const { status, stdout } = await run('reconcile');
    expect(stdout).toContain('Transactions imported: 1.\n');
    expect(status).toBe(0);
    const [cause] = await countOwnBookings();
    const id = cause?.cause.split(':')[1] ?? '';
    expect((await run('clear', 'txn_unknown')).status).toBe(1);
    expect(await run('clear', id)).toMatchObject({
      status: 0,
      stdout: 'Transactions taken out of suspense: 1.\n',
    });
    expect((await run('clear', 'all')).stdout).toBe('Transactions taken out of suspense: 0.\n');
    expect((await run('reconcile')).status).toBe(0);
  });

  async function payWithoutPadlink(url: string): Promise<void> {
    const form = { cardNumber: CARDS.pays, expiry: '12 / 34', cvc: '123', email: 'a@example.com' };
    const answer = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
    expect(answer.status).toBe(303);
  }

  test('are accepted by hledger, which finds the balance of every creator', {
    tags: 'long',
  }, async () => {
    await withDatabase(app, (db) => expectHledgerAgrees(app.env, db, sandboxPort));
  });

  test('are exported as a table whose debits and credits are equal', async () => {
    const { stdout } = await run('export', '--format', 'csv');
    const [head, ...rows] = stdout.trim().split('\n');
    expect(head).toBe('time,entry,kind,cause,purchase,account,currency,debit,credit');
    const cents = (at: number) =>
      rows.reduce((sum, row) => sum + Math.round(Number(row.split(',')[at]) * 100), 0);
    expect(rows.length).toBeGreaterThan(20);
    expect(cents(7)).toBe(cents(8));
    expect(cents(7)).toBeGreaterThan(0);
    const spread = (await run('export', '--format', 'csv-semicolon')).stdout
      .split('\n')
      .slice(0, -1);
    expect(spread[0]).toBe(
      '\ufefftime (UTC);entry;kind;cause;purchase;account;currency;debit;credit',
    );
    expect(spread).toHaveLength(rows.length + 1);
    expect(spread[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d;.*\d,\d\d/);
  });

  test.each([
    ['export'],
    ['export', '--format', 'pdf'],
    ['export', '--format', 'csv', '--from', 'yesterday'],
    ['reconcile', '--since', '2026-01-01'],
    ['clear'],
  ])('are not touched by the words %s %s', async (...words) => {
    expect(await run(...words)).toMatchObject({ status: 2, stdout: '' });
  });
});

describeOnSqliteFirst('an account that settles in euros', (database) => {
  const ownPort = findFreePort();
  const eurosEnv: Record<string, string> = { PAYMENTS: 'sandbox' };
  beforeAll(async () => {
    eurosEnv.SANDBOX_PORT = String(await ownPort);
  });
  const app = useApp({ database, env: eurosEnv });

  test('holds by the books what the provider holds in euros, and exchange takes the rest', {
    tags: 'long',
  }, async () => {
    const port = await ownPort;
    const settleAt = (rate: string) =>
      letHappen(port, 'settlement', { currency: 'eur', exchange_rate: rate });
    await settleAt('0.9137');
    const seller = await signUp(app);
    const sale = await sellOnce(seller, port);
    await expectBooks(app, sale.id, SOLD);
    await settleAt('0.9471');
    await stripeOf(port).refunds.create({ payment_intent: sale.payment, amount: 500 });
    await expectBooks(app, sale.id, { ...SOLD, provider: -441, platform_fee: 40, creator: 460 });
    for (const [type, amount] of [
      ['stripe_fee', '-17'],
      ['payout', '-100'],
    ] as const) {
      await letHappen(port, 'balance_transactions', { type, amount });
    }
    const { status, stdout } = await runCli(app.env, 'ledger', 'reconcile');
    expect(stdout).toContain('Transactions imported: 4.\n');
    const { available } = await stripeOf(port).balance.retrieve();
    const held = ((available[0]?.amount ?? 0) / 100).toFixed(2);
    expect(stdout).toMatch(new RegExp(`^Balance +EUR +${held} +${held} +0\\.00$`, 'm'));
    expect(stdout).toMatch(/^Balance +USD +0\.00 +0\.00 +0\.00$/m);
    expect(status).toBe(0);
    expect(await runCli(app.env, 'ledger', 'check')).toMatchObject({ status: 0 });
    expect(await readWholeBalance(seller)).toMatchObject({ balance: 460 });
  });
});
