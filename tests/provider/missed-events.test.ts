import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOverdue } from '../../server/money/payments/check-ledger.ts';
import { runSql } from '../errors/run-sql.ts';
import { readMail, seeLink, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { expectBooks, waitUntilHandled } from '../factories/money.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { gatherLog } from '../harness/gather-log.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, readJson } from '../harness/person.ts';
import { startQuietProvider } from '../harness/quiet-provider.ts';
import { runCli } from '../harness/run-command.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { deliverWebhook, letHappen, stripeOf, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

describeOnSqliteFirst('a provider of which no event arrived for a day', (database) => {
  let provider: Awaited<ReturnType<typeof startQuietProvider>>;
  let app: App;
  let seller: Awaited<ReturnType<typeof signUp>>;
  const { logTo, readLog } = gatherLog();
  // It stands still, so that an hour is over when a test says so, and once.
  let clock = Date.now();

  beforeAll(async () => {
    provider = await startQuietProvider();
    const overrides = { ...provider.overrides, now: () => clock, catchUpEveryMs: 100, logTo };
    const env = { ...webhookEnv(0), LOG_LEVEL: 'warn' };
    app = await startApp({ database, env, overrides });
    seller = await signUp(app);
  });
  afterAll(async () => {
    await app?.stop();
    await provider?.stop();
  });

  const askedAt = () =>
    withDatabase(app, async (db) => {
      const cursor = db.selectFrom('provider_cursor').select('asked_at');
      return (await cursor.executeTakeFirst())?.asked_at;
    });

  const waitUntilNothingIsDue = () =>
    withDatabase(app, (db) =>
      eventually(async () => {
        const due = db.selectFrom('job').where('run_at', '<=', clock).where('died_at', 'is', null);
        expect(await due.select('kind').execute()).toEqual([]);
      }),
    );

  /** A checkout that was paid; its buyer comes back or not. */
  async function pay(card: string, name: string, { comesBack }: { comesBack: boolean }) {
    const { id } = await sellFile(seller, { price: 1000 });
    const buyer = createPerson(app);
    const checkoutUrl = await checkOut(buyer, id);
    const session = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
    await payAt(buyer, checkoutUrl, card, `${name}@example.com`);
    if (comesBack) await buyer.fetch(`/success?session_id=${session}`);
    const stripe = stripeOf(provider.port);
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
    return { id, buyer, session, payment: String(payment_intent) };
  }

  test('is caught up with in one reconciliation: sales, refunds and disputes, each mailed once', async () => {
    await eventually(async () => expect(await askedAt()).toBe(clock));
    const refunded = await pay(CARDS.pays, 'refunded', { comesBack: true });
    const disputed = await pay(CARDS.pays, 'disputed', { comesBack: true });
    const left = await pay(CARDS.pays, 'left', { comesBack: false });
    const failed = await pay(CARDS.failsLater, 'failed', { comesBack: true });
    for (const { buyer, id } of [refunded, disputed]) await waitUntilUnlocked(buyer, id);
    for (const name of ['refunded', 'disputed']) await readMail(app, `${name}@example.com`);
    // What follows a sale would see already what comes now.
    await waitUntilNothingIsDue();
    const stripe = stripeOf(provider.port);
    await stripe.refunds.create({ payment_intent: refunded.payment });
    await letHappen(provider.port, 'disputes', { payment_intent: disputed.payment });
    await eventually(async () => {
      const { data } = await stripe.events.list({ limit: 100 });
      const types = data.map(({ type }) => type);
      expect(types).toContain('charge.dispute.funds_withdrawn');
      expect(types).toContain('checkout.session.async_payment_failed');
    });
    const job = (id: string, kind: string, attempts: number, payload: object) =>
      `insert into job (id, kind, payload, lane, run_at, attempts, unended, locked_until, died_at,
         last_error, created_at)
       values ('${id}', '${kind}', '${JSON.stringify(payload)}', 'follow-ups', 0, ${attempts}, 0, 0, 1,
         'Error: no provider', 0);`;
    // Nobody else asks, and one job died of three days without a provider, another of its payment.
    await runSql(
      app,
      `delete from job;
       ${job('outage', 'review-payment', 83, { paymentIntentId: 'pi_of_nobody' })}
       ${job('mismatch', 'expire-checkout', 1, { sessionId: 'cs_of_nobody' })}`,
    );
    expect(await seeLink(refunded.buyer, refunded.id)).toMatchObject({ unlocked: true });

    clock += DAY_MS;
    const sold = { provider: -941, platform_fee: 80, creator: 920, processing_cost: -59 };
    await waitUntilUnlocked(left.buyer, left.id);
    await eventually(async () => {
      // The clock by which a try that failed would be repeated stands still.
      await runSql(app, 'update job set run_at = 0 where died_at is null');
      for (const { buyer, id } of [refunded, disputed]) {
        expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
      }
      // The evidence in the open dispute waits for its deadline.
      const jobs = await withDatabase(app, (db) =>
        db.selectFrom('job').select('id').where('kind', '!=', 'attach-evidence').execute(),
      );
      expect(jobs).toEqual([{ id: 'mismatch' }]);
    });
    await runSql(app, "delete from job where id = 'mismatch'");
    await expectBooks(app, left.id, sold);
    await expectBooks(app, refunded.id, {
      provider: 59,
      platform_fee: 0,
      creator: 0,
      processing_cost: -59,
    });
    await expectBooks(app, disputed.id, {
      ...sold,
      provider: 1559,
      creator: -80,
      dispute_fee: -1500,
    });
    await waitUntilHandled(app);
    expect(await askedAt()).toBe(clock);
    expect(readLog().match(/events of the payment provider had not arrived/g)).toHaveLength(1);

    // What arrives after all changes nothing more.
    const { data } = await stripe.events.list({ limit: 100 });
    for (const event of data) expect((await deliverWebhook(app, event)).status).toBe(200);
    await waitUntilHandled(app);
    const mails = await readJson<{ to: string; subject: string }[]>(
      await fetch(`${app.origin}/mailbox.json`),
    );
    const subjectsTo = (to: string) =>
      mails.flatMap((mail) => (mail.to === to ? mail.subject.replace(/:.*/, '') : [])).sort();
    expect(subjectsTo('left@example.com')).toEqual(['Your purchase']);
    expect(subjectsTo('refunded@example.com')).toEqual(['Your purchase']);
    expect(subjectsTo('disputed@example.com')).toEqual(['Your purchase']);
    expect(subjectsTo('failed@example.com')).toEqual(['Your payment did not go through']);
    expect(subjectsTo(seller.email).filter((subject) => /disputed/.test(subject))).toHaveLength(1);
    expect(await seeLink(failed.buyer, failed.id)).toMatchObject({ unlocked: false });
  });

  test('tells what changed about the accounts of creators', async () => {
    const { id } = await stripeOf(provider.port).v2.core.accounts.create({
      dashboard: 'express',
      identity: { country: 'us' },
      defaults: {
        responsibilities: { fees_collector: 'application', losses_collector: 'application' },
      },
    });
    await letHappen(provider.port, `accounts/${id}/require`);
    clock += 2 * HOUR_MS;
    const stored = () =>
      withDatabase(app, (db) =>
        db.selectFrom('webhook_event').select('type').where('account', '=', id).execute(),
      );
    await eventually(async () =>
      expect(await stored()).toEqual([{ type: 'v2.core.account[requirements].updated' }]),
    );
  });

  test('leaves purchases under way that nobody asks after to the next reconciliation', async () => {
    clock = Date.now();
    await eventually(async () => expect(await askedAt()).toBe(clock));
    const goOn = stopClock();
    const { id } = await pay(CARDS.failsLater, 'forgotten', { comesBack: true });
    await runSql(app, 'delete from job; delete from webhook_event');
    goOn();
    await runSql(app, `update provider_cursor set read_until = ${clock + DAY_MS}`);
    await eventually(async () => {
      const { data } = await stripeOf(provider.port).events.list({ limit: 1 });
      expect(data[0]?.type).toBe('checkout.session.async_payment_failed');
    });
    clock += 2 * HOUR_MS;
    await readMail(app, 'forgotten@example.com', /did not go through/);
    const [purchase] = await withDatabase(app, (db) =>
      db.selectFrom('purchase').where('link_id', '=', id).select('state').execute(),
    );
    expect(purchase).toEqual({ state: 'failed' });
  });

  test('is named by the ledger check where an event, a cost or an import is overdue', async () => {
    await runSql(
      app,
      `insert into webhook_event (id, type, mode, payload, received_at)
         values ('evt_late', 'charge.refunded', 'test', '{}', ${Date.now() - 2 * HOUR_MS})`,
    );
    const check = await runCli(app.env, 'ledger', 'check');
    expect(check.status).toBe(1);
    expect(check.stdout).toMatch(/^Event evt_late \(charge\.refunded\) arrived at .* handled\.$/m);
    await runSql(app, "delete from webhook_event where id = 'evt_late'");
    await withDatabase(app, async (db) => {
      const { id } = await db
        .updateTable('purchase')
        .set({ settled_at: 1, state: 'settled' })
        .where('buyer_email', '=', 'forgotten@example.com')
        .returning('id')
        .executeTakeFirstOrThrow();
      const cost = expect.stringContaining(`Purchase ${id} was paid more than a day`);
      const books = /^The provider's books (.+), and should be every hour: /;
      const never = expect.stringMatching(books);
      expect(await findOverdue(db, 3 * HOUR_MS)).toEqual([]);
      expect(await findOverdue(db, DAY_MS + 2)).toEqual([cost, never]);
      const imported = {
        provider_account: 'sandbox',
        mode: 'test',
        imported_until: DAY_MS,
      } as const;
      await db.insertInto('provider_books').values(imported).execute();
      expect(await findOverdue(db, DAY_MS + 2)).toEqual([cost]);
      const [, stopped] = await findOverdue(db, DAY_MS + 4 * HOUR_MS);
      expect(books.exec(stopped ?? '')?.[1]).toBe('were last imported at 1970-01-02T00:00:00.000Z');
    });
  });
});
