import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStripe } from '../../server/adapters/stripe/open-stripe.ts';
import {
  type HeldSale,
  moveToAvailability,
  moveWorth,
} from '../../server/books/ledger/sales-in-time.ts';
import { readConfig } from '../../server/ground/config/read-config.ts';
import { openPostgres } from '../../server/ground/database/postgres.ts';
import { openSqlite } from '../../server/ground/database/sqlite.ts';
import type { Database, DatabaseTransaction } from '../../server/ground/database/tables.ts';
import { transaction } from '../../server/ground/database/transaction.ts';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { bookBack, bookPayout } from '../../server/money/payouts/book-payout.ts';
import { findOverduePayouts, findWrongPayouts } from '../../server/money/payouts/check-payouts.ts';
import type { PayoutContext } from '../../server/money/payouts/context.ts';
import { followPayout } from '../../server/money/payouts/follow-payout.ts';
import { listPayouts } from '../../server/money/payouts/list-payouts.ts';
import { beginOnboarding, openPayoutDashboard } from '../../server/money/payouts/payout-account.ts';
import {
  InsufficientFundsError,
  type PayoutProvider,
  PayoutRefusedError,
} from '../../server/money/payouts/payout-provider.ts';
import { readMoney } from '../../server/money/payouts/read-money.ts';
import {
  approvePayout,
  cancelPayout,
  requestPayout,
} from '../../server/money/payouts/request-payout.ts';
import { auth, expectRefusal } from '../factories/account-requests.ts';
import { askGraphql, PASSWORD, readMail, readUserId, signUp } from '../factories/factories.ts';
import { sellOnce, waitUntilIdle } from '../factories/money.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { hearEvents } from '../harness/hear-events.ts';
import { expectHledgerAgrees } from '../harness/hledger.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { runCli } from '../harness/run-command.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf, webhookEnv } from '../harness/webhook.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const OPERATOR = 'operator@example.com';
/** Test bank accounts of the sandbox: payouts arrive at the first, and fail at the second. */
const GOOD_BANK = '000123456789';
const BAD_BANK = '000111111116';

/** The terms of an installation that holds what was earned for a week. */
const WITH_HOLD = { kind: 'connect', minimumCents: 500, costCents: 25, holdDays: 7 } as const;

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);
const env = {
  ...webhookEnv(sandboxPort),
  PAYOUTS: 'connect',
  HOLD_DAYS: '0',
  OPERATOR_EMAILS: OPERATOR,
  TAX: 'stripe',
};

describeOnSqliteFirst('a payout that a creator asks for', (database) => {
  let later = 0;
  const now = () => Date.now() + later;
  const app = useApp({ database, env, overrides: { now } });
  let db: Database;
  let provider: PayoutProvider;
  let creator: Awaited<ReturnType<typeof signUp>>;
  let ownerId: string;

  beforeAll(() => {
    const { database: place } = readConfig(app.env);
    db =
      place.kind === 'sqlite'
        ? openSqlite(place.file)
        : openPostgres(place.url, { onLost: () => {}, patient: true });
    const target = { kind: 'sandbox', webhookSecret: '', connect: true } as const;
    const log = { warn() {}, error() {} };
    const apiUrl = `http://127.0.0.1:${sandboxPort}`;
    provider = openStripe({ ...target, apiUrl }, log).payoutProvider;
  });
  afterAll(() => db.destroy());

  beforeEach(async () => {
    creator = await signUp(app);
    ownerId = await readUserId(creator);
  });
  afterEach(() => {
    later = 0;
  });

  /** What the running product has as well; with a clock ahead of it, its jobs wait for this test. */
  const contextOf = (changes: Partial<PayoutContext> = {}): PayoutContext => ({
    db,
    provider,
    now,
    account: async () => 'sandbox',
    terms: { kind: 'connect', minimumCents: 2500, costCents: 25, holdDays: 0 },
    ...changes,
  });
  const ask = (context = contextOf(), amountCents?: number) =>
    requestPayout(context, { ownerId, signedInAt: context.now(), amountCents });
  const payoutOf = async (id: string) =>
    (await listPayouts(db, ownerId, 'test', null)).payouts.find((payout) => payout.id === id);
  const untilState = (id: string, state: string) =>
    eventually(async () => expect(await payoutOf(id)).toMatchObject({ state }));
  const transfersOf = async (id: string) =>
    (await stripe.transfers.list({ transfer_group: id })).data;
  const choose = (url: string, bankAccount: string) =>
    fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ bankAccount }),
      redirect: 'manual',
    });

  async function connect(bankAccount = GOOD_BANK): Promise<void> {
    const urls = { returnUrl: `${app.origin}/done`, refreshUrl: `${app.origin}/again` };
    const person = { ownerId, email: creator.email, name: 'Ada', country: 'US' };
    await choose(await beginOnboarding(contextOf(), { ...person, ...urls }), bankAccount);
    await eventually(async () =>
      expect((await readMoney(contextOf(), ownerId)).account.state).toBe('ready'),
    );
  }

  /** As if an earlier payout had been approved. */
  async function trust(): Promise<void> {
    const payout = await ask(contextOf(), 2500);
    await approvePayout(contextOf(), { kind: 'cli' }, payout.id);
    await untilState(payout.id, 'sent');
  }

  const balanceOf = async () => (await readMoney(contextOf(), ownerId)).balanceCents;

  async function expectOrder(): Promise<void> {
    expect([...(await checkLedger(db)), ...(await findWrongPayouts(db))]).toEqual([]);
  }

  test('waits for the operator the first time, goes through to the bank, and is told by mail and to a webhook', async () => {
    const heard = await hearEvents(creator);
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    expect((await readMoney(contextOf(), ownerId)).obstacle).toBe(
      'Connect a payout account first.',
    );
    await connect();
    expect(await readMoney(contextOf(), ownerId)).toMatchObject({
      balanceCents: 9470,
      availableCents: 9470,
      pendingCents: 0,
      obstacle: null,
      account: { state: 'ready', bankAccount: 'STRIPE TEST BANK ••6789', missing: [] },
    });
    const { id, ...asked } = await ask();
    expect(asked).toMatchObject({
      amountCents: 9470,
      costCents: 25,
      arrivesCents: 9445,
      state: 'requested',
      note: 'It is waiting for approval, as every first payout does.',
    });
    const underWay = { balanceCents: 0, inTransitCents: 9445 };
    expect(await readMoney(contextOf(), ownerId)).toMatchObject(underWay);
    const mail = await readMail(app, OPERATOR, /first payout/);
    expect(mail.text).toContain(`npm run cli -- payouts approve ${id}`);
    expect((await runCli(app.env, 'payouts', 'list', '--waiting')).stdout).toMatch(
      new RegExp(`^${id}  waiting .+  \\$94\\.70  ${creator.email}\n$`),
    );
    // What is mailed from now on is in the language that is chosen meanwhile.
    const german = new URLSearchParams({ back: '/', language: 'de' });
    await creator.fetch('/language', { method: 'POST', body: german });
    expect(await runCli(app.env, 'payouts', 'approve', id)).toMatchObject({ status: 0 });
    await untilState(id, 'paid');
    expect((await readMail(app, creator.email, /unterwegs/)).text).toContain(
      '94,45\u00a0$ sind unterwegs an STRIPE TEST BANK ••6789.',
    );
    expect((await readMail(app, creator.email, /überwiesen/)).subject).toBe(
      'Ihre Auszahlung wurde überwiesen: 94,45\u00a0$',
    );
    expect(await heard(/^payout/)).toMatchObject([
      {
        type: 'payout.paid',
        data: {
          payout: {
            id,
            amount: 9470,
            cost: 25,
            arrives: 9445,
            currency: 'usd',
            test: true,
            bankAccount: 'STRIPE TEST BANK ••6789',
          },
          owner: ownerId,
        },
      },
    ]);
    const over = { balanceCents: 0, inTransitCents: 0 };
    expect(await readMoney(contextOf(), ownerId)).toMatchObject(over);
    expect(await transfersOf(id)).toMatchObject([{ amount: 9445, metadata: { payout_id: id } }]);
    await waitUntilIdle(db, sandboxPort, now);
    const { stdout } = await runCli(app.env, 'ledger', 'reconcile');
    expect(stdout).toMatch(/Balance +USD.+ 0\.00\n/);
    const { cents } = await db
      .selectFrom('ledger_line')
      .where('account', '=', 'payout_in_transit')
      .select(({ fn }) => fn.sum<number | string>('amount_cents').as('cents'))
      .executeTakeFirstOrThrow();
    expect(Number(cents)).toBe(0);
    await expectOrder();
  });

  test('fails at a bank that does not take it, and reaches another one that its creator names', async () => {
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    await connect(BAD_BANK);
    const { id } = await ask();
    await approvePayout(contextOf(), { kind: 'cli' }, id);
    await untilState(id, 'failed');
    expect((await readMail(app, creator.email, /did not go through/)).text).toContain(
      'No bank account could be located with those details.',
    );
    await choose(await openPayoutDashboard(contextOf(), ownerId), GOOD_BANK);
    const changed = await readMail(app, creator.email, /bank account for your payouts/);
    expect(changed.text).toContain('Payouts from your account now go to STRIPE TEST BANK ••6789.');
    await untilState(id, 'paid');
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    const { obstacle, heldUntil } = await readMoney(contextOf(), ownerId);
    const held = /^Payouts are held (until .+ UTC), because the bank account was changed\.$/;
    const [, until] = held.exec(obstacle ?? '') ?? [];
    expect(until).toMatch(/^until [A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d UTC$/);
    expect(changed.text).toContain(`no payout can be requested ${until}.`);
    expect(heldUntil).toBeGreaterThan(now() + 2.9 * DAY_MS);
    await expect(ask()).rejects.toThrow(obstacle ?? '');
    await expectOrder();
  });

  test('is booked back once the bank has refused it three times', async () => {
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    await connect();
    let ahead = DAY_MS;
    const refuses: PayoutProvider = {
      ...provider,
      payOut: () => Promise.reject(new PayoutRefusedError('The account is closed')),
    };
    const context = contextOf({ provider: refuses, now: () => now() + ahead });
    const { id } = await ask(context);
    await approvePayout(context, { kind: 'cli' }, id);
    for (const note of ['failed', 'failed']) {
      await followPayout(context, id);
      expect(await payoutOf(id)).toMatchObject({
        state: note,
        note: 'The account is closed. It is tried again once you have changed the bank account, or in a day.',
      });
      await followPayout(context, id);
      ahead += DAY_MS;
    }
    expect(await balanceOf()).toBe(0);
    await followPayout(context, id);
    expect(await payoutOf(id)).toMatchObject({ state: 'reversed', note: 'The account is closed.' });
    expect(await balanceOf()).toBe(9470);
    expect(await transfersOf(id)).toMatchObject([{ amount: 9445, reversed: true }]);
    await expectOrder();
  });

  test('survives the loss of every answer: one transfer, one payout, one entry', async () => {
    stopClock();
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    await connect();
    const losesEach = new Map<string, number>();
    const forgetful = new Proxy(provider, {
      get(target, name: keyof PayoutProvider) {
        const call = target[name];
        if (typeof call !== 'function') return call;
        return async (...words: never[]) => {
          const answer = await (call as (...words: never[]) => Promise<unknown>)(...words);
          const calls = (losesEach.get(name) ?? 0) + 1;
          losesEach.set(name, calls);
          if (calls === 1) throw new Error('The answer was lost');
          return answer;
        };
      },
    });
    const context = contextOf({ provider: forgetful, now: () => now() + DAY_MS });
    const { id } = await ask(context);
    await approvePayout(context, { kind: 'cli' }, id);
    const crashes = async () => {
      for (let crash = 0; ; crash += 1) {
        const lost = await followPayout(context, id).then(
          () => null,
          (error: Error) => error,
        );
        if (!lost) return crash;
        expect(lost.message).toBe('The answer was lost');
      }
    };
    expect(await crashes()).toBeGreaterThanOrEqual(5);
    expect(await payoutOf(id)).toMatchObject({ state: 'sent' });
    const [transfer, ...others] = await transfersOf(id);
    expect(others).toEqual([]);
    const account = String(transfer?.destination);
    const { data } = await stripe.payouts.list({}, { stripeAccount: account });
    expect(data).toMatchObject([{ amount: 9445, metadata: { payout_id: id } }]);
    await expectOrder();
  });

  test('waits, and says why, while the provider holds too little', async () => {
    stopClock();
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    await connect();
    let holds = 0;
    let transfers = 0;
    const poor: PayoutProvider = {
      ...provider,
      readAvailable: async () => holds,
      async transfer(request) {
        transfers += 1;
        if (transfers === 1) throw new InsufficientFundsError('Too little');
        // What is being asked for is not taken back any more.
        const cancelled = cancelPayout(contextOf(), { ownerId, payoutId: request.payoutId });
        await expect(cancelled).rejects.toThrow('already on its way');
        expect(request.idempotencyKey).toBe(`payout-${request.payoutId}-1`);
        return provider.transfer(request);
      },
    };
    const context = contextOf({ provider: poor, now: () => now() + DAY_MS });
    const { id } = await ask(context);
    await approvePayout(context, { kind: 'cli' }, id);
    const waiting = {
      state: 'requested',
      note: 'The payment provider has not released enough money for it yet. It is tried again every hour.',
    };
    for (holds of [9444, 9445]) {
      const before = context.now();
      const again = await followPayout(context, id);
      expect(again).toBeGreaterThanOrEqual(before + HOUR_MS);
      expect(again).toBeLessThanOrEqual(context.now() + HOUR_MS);
      expect(await payoutOf(id)).toMatchObject(waiting);
    }
    expect(transfers).toBe(1);
    await followPayout(context, id);
    expect(await payoutOf(id)).toMatchObject({ state: 'sent', note: null });
    await expectOrder();
  });

  test('is held at the provider too while its bank account was just changed', {
    tags: 'long',
  }, async () => {
    stopClock();
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    await connect();
    const pending: PayoutProvider = {
      ...provider,
      payOut: () => Promise.reject(new InsufficientFundsError('Pending')),
    };
    const context = contextOf({ provider: pending, now: () => now() + DAY_MS });
    const { id } = await ask(context);
    await approvePayout(context, { kind: 'cli' }, id);
    await followPayout(context, id);
    expect(await payoutOf(id)).toMatchObject({
      state: 'requested',
      note: 'The money is on its way to your payout account.',
    });
    await choose(await openPayoutDashboard(contextOf(), ownerId), BAD_BANK);
    await eventually(async () =>
      expect(await payoutOf(id)).toMatchObject({
        state: 'requested',
        note: expect.stringMatching(
          /^Payouts are held .+, because the bank account was changed\.$/,
        ),
      }),
    );
    await followPayout(contextOf({ now: () => now() + 4 * DAY_MS }), id);
    expect(await payoutOf(id)).toMatchObject({
      state: 'sent',
      note: null,
      bankAccount: 'STRIPE TEST BANK ••1116',
    });
    await expectOrder();
  });

  test('is left alone while another account of the provider is used', async () => {
    stopClock();
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    await connect();
    const before = contextOf({ now: () => now() + DAY_MS });
    const { id } = await ask(before);
    await approvePayout(before, { kind: 'cli' }, id);
    const unknown = () => Promise.reject(new PayoutRefusedError('No such account'));
    const elsewhere = contextOf({
      account: async () => 'another',
      provider: { ...provider, findTransfer: async () => null, transfer: unknown, payOut: unknown },
      now: before.now,
    });
    for (let look = 0; look < 4; look += 1) {
      expect(await followPayout(elsewhere, id)).toBeGreaterThan(before.now());
    }
    expect(await payoutOf(id)).toMatchObject({ state: 'requested' });
    await followPayout(before, id);
    expect(await payoutOf(id)).toMatchObject({ state: 'sent' });
    await expectOrder();
  });

  async function sellTwice() {
    const early = await sellOnce(creator, sandboxPort);
    const late = await sellOnce(creator, sandboxPort);
    // A look at their payments would take back what the test changes.
    await waitUntilIdle(db, sandboxPort, now);
    const sales = await db
      .selectFrom('purchase')
      .innerJoin('payment', 'payment.id', 'purchase.payment_id')
      .where('payment_intent_id', 'in', [early.payment, late.payment])
      .orderBy('settled_at')
      .select(['purchase.id', 'settled_at'])
      .execute();
    return { sales, late };
  }

  test('is of what is past the hold and available at the provider; the rest is explained by date', async () => {
    const { sales, late } = await sellTwice();
    await runCli(app.env, 'ledger', 'reconcile');
    const soldAt = sales[1]?.settled_at ?? 0;
    const atProvider = soldAt + 10 * DAY_MS;
    await db
      .updateTable('provider_transaction')
      .set({ available_on: atProvider })
      .where('cause', '=', `sale:${late.payment}`)
      .execute();
    await transaction(db, (trx) => moveToAvailability(trx, `sale:${late.payment}`, atProvider));
    const readAt = (time: number) =>
      readMoney(contextOf({ terms: WITH_HOLD, now: () => time }), ownerId);
    const readAfter = (days: number) => readAt(soldAt + days * DAY_MS + 1);
    const first = { availableOn: (sales[0]?.settled_at ?? 0) + 7 * DAY_MS, sales: 1 };
    const second = { availableOn: atProvider, amountCents: 920, sales: 1 };
    expect(await readAfter(1)).toMatchObject({
      balanceCents: 1840,
      pendingCents: 1840,
      availableCents: 0,
      reservedCents: 0,
      releases: [{ ...first, amountCents: 920 }, second],
      obstacle: 'Connect a payout account first.',
    });
    await db
      .insertInto('reserve')
      .values({
        purchase_id: sales[0]?.id ?? '',
        owner_id: ownerId,
        mode: 'test',
        amount_cents: 300,
        sold_at: first.availableOn - 7 * DAY_MS,
      })
      .execute();
    const reserved = {
      ...({ purchaseId: sales[0]?.id ?? '', ownerId, mode: 'test' } as const),
      soldAt: sales[0]?.settled_at ?? 0,
    };
    await transaction(db, (trx) => moveWorth(trx, reserved, -300));
    expect(await readAfter(1)).toMatchObject({
      pendingCents: 1840,
      availableCents: 0,
      reservedCents: 300,
      releases: [{ ...first, amountCents: 620 }, second],
    });
    expect(await readAt(first.availableOn - 1)).toMatchObject({ pendingCents: 1840 });
    expect(await readAt(first.availableOn)).toMatchObject({ pendingCents: 1220 });
    expect(await readAfter(8)).toMatchObject({
      pendingCents: 1220,
      availableCents: 620,
      reservedCents: 300,
      releases: [second],
    });
    expect(await readAfter(10)).toMatchObject({ availableCents: 1540, releases: [] });
  });

  test('explains a sale whose money was held back for a while by its own time', async () => {
    const { sales } = await sellTwice();
    const [first, second] = sales.map(({ id, settled_at }) => ({
      ...({ purchaseId: id, ownerId, mode: 'test' } as const),
      soldAt: settled_at ?? 0,
    })) as [HeldSale, HeldSale];
    const reserve = (sale: HeldSale) =>
      transaction(db, async (trx) => {
        const { purchaseId: purchase_id, soldAt: sold_at } = sale;
        const held = {
          purchase_id,
          owner_id: ownerId,
          mode: 'test',
          amount_cents: 920,
          sold_at,
        } as const;
        await trx.insertInto('reserve').values(held).execute();
        await moveWorth(trx, sale, -920);
      });
    await reserve(first);
    await reserve(second);
    await transaction(db, async (trx) => {
      await trx.deleteFrom('reserve').where('purchase_id', '=', first.purchaseId).execute();
      await moveWorth(trx, first, 920);
    });
    expect(
      await readMoney(contextOf({ terms: WITH_HOLD, now: () => second.soldAt + 1 }), ownerId),
    ).toMatchObject({
      reservedCents: 920,
      releases: [{ availableOn: first.soldAt + 7 * DAY_MS, amountCents: 920, sales: 1 }],
    });
  });

  test('of a hundred at once takes what is available, once', async () => {
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    await connect();
    const context = contextOf({ now: () => now() + DAY_MS });
    // A slow machine has no connection for some of them within its time, and says to try again.
    const askAgain = (): ReturnType<typeof ask> =>
      ask(context, 3000).catch((error) => {
        if (error.code !== 'UNAVAILABLE') throw error;
        return askAgain();
      });
    const answers = await Promise.allSettled(Array.from({ length: 100 }, askAgain));
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(answers.length - refused.length).toBe(3);
    for (const answer of refused) {
      expect(answer).toMatchObject({ reason: { code: 'PAYOUT_REFUSED' } });
    }
    expect(await balanceOf()).toBe(470);
    await expectOrder();
  });

  test('goes to an account that is opened and changed within a day of signing in', async () => {
    const codes = async () =>
      Promise.all(
        ['mutation { beginPayoutOnboarding }', 'mutation { openPayoutDashboard }'].map(
          async (mutation) => (await askGraphql(creator, mutation)).errors?.[0]?.extensions?.code,
        ),
      );
    later = 25 * HOUR_MS;
    expect(await codes()).toEqual(['SESSION_NOT_FRESH', 'SESSION_NOT_FRESH']);
    later = 23 * HOUR_MS;
    expect(await codes()).not.toContain('SESSION_NOT_FRESH');
  });

  test('is refused for an old sign-in, too little, too much, and after a change of the password', async () => {
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    await connect();
    const old = { ownerId, signedInAt: now() - 10 * 60_000 };
    await expect(requestPayout(contextOf(), old)).rejects.toMatchObject({
      code: 'SESSION_NOT_FRESH',
    });
    for (const [cents, sentence] of [
      [2499, 'The minimum payout is $25.00.'],
      [9471, '$94.71 is more than the $94.70 available.'],
      [2500.5, 'The minimum payout is $25.00.'],
    ] as const) {
      await expect(ask(contextOf(), cents)).rejects.toThrow(sentence);
    }
    const passwords = { currentPassword: PASSWORD, newPassword: 'Other-horse-battery-9' };
    expect((await auth(creator, 'change-password', passwords)).status).toBe(200);
    await expect(ask()).rejects.toThrow(/held until .+, because your email address or password/);
    expect((await readMail(app, creator.email, /password was changed/)).text).toContain(
      'For three days, no payout can be requested or sent.',
    );
    const context = contextOf({ now: () => now() + 3 * DAY_MS + 1000 });
    expect(await ask(context)).toMatchObject({ state: 'requested' });
  });

  test('is taken back by its creator, or refused by the operator, while it was not sent', {
    tags: 'long',
  }, async () => {
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    await connect();
    const first = await ask();
    await cancelPayout(contextOf(), { ownerId, payoutId: first.id });
    expect(await payoutOf(first.id)).toMatchObject({ state: 'reversed' });
    const second = await ask();
    await expect(
      cancelPayout(contextOf(), { ownerId: 'another', payoutId: second.id }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const refused = await runCli(
      app.env,
      ...['payouts', 'refuse', second.id, '--reason', 'Please write to us first.'],
    );
    expect(refused).toMatchObject({ status: 0 });
    expect((await readMail(app, creator.email, /returned/)).text).toContain(
      'Reason: Please write to us first.',
    );
    for (const payoutId of [first.id, second.id]) {
      await expect(cancelPayout(contextOf(), { ownerId, payoutId })).rejects.toThrow(
        'already on its way or completed',
      );
    }
    expect(await balanceOf()).toBe(9470);
    await trust();
    const left = await ask();
    expect(left).toMatchObject({ amountCents: 6970, note: null });
    expect(await balanceOf()).toBe(0);
    const deletion = { password: PASSWORD, confirmation: creator.email };
    await expectRefusal(await auth(creator, 'delete-user', deletion), 409, 'ACCOUNT_NOT_SETTLED');
    await expectOrder();
  });

  test('that differs from its entry, was never owed, or takes too long is named by the check', async () => {
    await sellOnce(creator, sandboxPort, { price: 10_000 });
    await connect();
    const { id } = await ask(contextOf(), 3000);
    const ofPayout = (days: number) => findOverduePayouts(db, now() + days * DAY_MS);
    expect(await ofPayout(2)).toEqual([]);
    expect(await ofPayout(4)).toContainEqual(
      expect.stringContaining(`Payout ${id} has been waiting for your approval since`),
    );
    const undone = new Error('Undone');
    const faultsAfter = async (change: (trx: DatabaseTransaction) => Promise<unknown>) => {
      let faults: string[] = [];
      const tried = transaction(db, async (trx) => {
        await change(trx);
        faults = await findWrongPayouts(trx);
        throw undone;
      });
      await expect(tried).rejects.toBe(undone);
      return faults;
    };
    const set = (changes: { amount_cents: number } | { state: 'reversed' }) =>
      faultsAfter((trx) => trx.updateTable('payout').set(changes).where('id', '=', id).execute());
    expect(await set({ amount_cents: 3001 })).toEqual([
      `Payout ${id} is requested, and its entry payout:${id} does not fit.`,
    ]);
    expect(await set({ state: 'reversed' })).toEqual([
      `Payout ${id} is reversed, and its entry payout_reversal:${id} does not fit.`,
    ]);
    const gone = (trx: DatabaseTransaction) =>
      trx.deleteFrom('payout').where('id', '=', id).execute();
    expect(await faultsAfter(gone)).toEqual([`The entry payout:${id} belongs to no payout.`]);
    const account = { provider_account: 'sandbox', account_id: 'acct_1', bank_account: null };
    const amounts = { amount_cents: 6471, cost_cents: 25 };
    const beyond = await faultsAfter((trx) =>
      bookPayout(trx, { ...account, ...amounts, owner_id: ownerId, mode: 'test' }, now()),
    );
    expect(beyond).toEqual([expect.stringContaining('is $0.01 more than its creator was owed.')]);
    const whole = { ...account, ...amounts, amount_cents: 6470, owner_id: ownerId } as const;
    const byClocksThatDiffer = await faultsAfter(async (trx) => {
      const back = await bookPayout(trx, { ...whole, mode: 'test' }, now());
      await bookBack(trx, back.id, { because: 'It is asked for again.', tell: false }, now());
      await bookPayout(trx, { ...whole, mode: 'test' }, now() - 4 * 60_000);
    });
    expect(byClocksThatDiffer).toEqual([]);
  });

  test('leaves books that hledger accepts, whatever became of it, with a refund and taxes', {
    tags: 'long',
  }, async () => {
    const { payment } = await sellOnce(creator, sandboxPort, { price: 1000 });
    const { id } = await db
      .selectFrom('purchase')
      .innerJoin('payment', 'payment.id', 'purchase.payment_id')
      .where('payment_intent_id', '=', payment)
      .select('purchase.id')
      .executeTakeFirstOrThrow();
    const part = ['--amount', '3.33', '--reason', 'Sent late'];
    expect(await runCli(app.env, 'refund', id, ...part)).toMatchObject({ status: 0 });
    await eventually(async () => expect(await balanceOf()).toBeLessThan(920));
    await waitUntilIdle(db, sandboxPort, now);
    expect(await runCli(app.env, 'ledger', 'reconcile')).toMatchObject({ status: 0 });
    const states = await db.selectFrom('payout').select('state').distinct().execute();
    expect(states.map(({ state }) => state)).toEqual(
      expect.arrayContaining(['requested', 'paid', 'reversed']),
    );
    const taxed = db.selectFrom('ledger_line').where('account', '=', 'tax_payable').selectAll();
    expect(await taxed.executeTakeFirst()).toBeDefined();
    await expectHledgerAgrees(app.env, db, sandboxPort);
  });
});
