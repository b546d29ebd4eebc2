import type Stripe from 'stripe';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { openStripe } from '../../server/adapters/stripe/open-stripe.ts';
import { recordPayout } from '../../server/books/ledger/balance.ts';
import { enqueue } from '../../server/ground/outbox/jobs.ts';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { sweepAddresses } from '../../server/money/payments/dispute-evidence.ts';
import { type ReviewContext, reviewPayment } from '../../server/money/payments/review-payment.ts';
import { deleteAccount } from '../../server/people/accounts/delete-account.ts';
import { startProviderProxy } from '../errors/provider-proxy.ts';
import { runSql } from '../errors/run-sql.ts';
import {
  graphql,
  readMail,
  readUserId,
  seeLink,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import {
  expectBooks,
  readWholeBalance,
  sellOnce,
  waitUntilHandled,
  waitUntilIdle,
} from '../factories/money.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { hearEvents } from '../harness/hear-events.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { deliverWebhook, findEvent, letHappen, stripeOf, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

// A sale of 1000 cents, and the provider's fee of 1500 for a dispute.
const SOLD = { provider: -941, platform_fee: 80, creator: 920, processing_cost: -59 };
const DISPUTED = { ...SOLD, provider: 1559, creator: -80, dispute_fee: -1500 };
const EIGHT_DAYS_MS = 8 * 24 * 60 * 60 * 1000;
const WON = { ...SOLD, provider: 559, dispute_fee: -1500 };

const provider = await startProviderProxy();
afterAll(provider.stop);
const sandboxPort = Number(provider.env.SANDBOX_PORT);
const env = webhookEnv(sandboxPort);
const stripe = stripeOf(sandboxPort);

describeOnSqliteFirst('a dispute in the books', (database) => {
  let later = 0;
  const now = () => Date.now() + later;
  const app = useApp({ database, env, overrides: { ...provider.overrides, now } });
  let seller: Awaited<ReturnType<typeof signUp>>;

  beforeEach(async () => {
    later = 0;
    seller = await signUp(app);
  });
  afterEach(() => provider.answerWith());

  async function sellDisputed({ title = '' } = {}) {
    const sale = await sellOnce(seller, sandboxPort, { title });
    if (title) await updateLink(seller, { id: sale.id, title: 'Renamed since' });
    const { id: dispute } = await lets(sale.payment, 'needs_response');
    await expectBooks(app, sale.id, DISPUTED);
    return { ...sale, dispute };
  }

  test('takes its amount from the creator and its fee from the platform, and a won one gives the amount back', async () => {
    const { id, buyer, dispute } = await sellDisputed();
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    expect(await readWholeBalance(seller)).toEqual({ balance: -80, pending: 0, available: -80 });
    await stripe.disputes.update(dispute, {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    });
    await waitUntilUnlocked(buyer, id);
    await expectBooks(app, id, WON);
    expect(await readWholeBalance(seller)).toEqual({ balance: 920, pending: 920, available: 0 });
  });

  const waitUntilMailed = () =>
    withDatabase(app, (db) =>
      eventually(async () => {
        const waiting = db.selectFrom('job').where('lane', '=', 'mail').select('kind');
        expect(await waiting.execute()).toEqual([]);
      }),
    );

  async function countNotices(): Promise<number> {
    await waitUntilMailed();
    const mails = await readJson<{ to: string; subject: string }[]>(
      await fetch(`${app.origin}/mailbox.json`),
    );
    return mails.filter(({ to, subject }) => to === seller.email && /disputed/.test(subject))
      .length;
  }

  test('is told to its seller by one email, however often it is reported, without naming the buyer', async () => {
    const { payment } = await sellDisputed({ title: 'Notes on optics' });
    const event = await findEvent(sandboxPort, 'charge.dispute.created');
    await Promise.all(
      [1, 2, 3].map((copy) =>
        deliverWebhook(app, { ...event, id: `${event.id}_${payment}_${copy}` }),
      ),
    );
    await waitUntilHandled(app);
    const mail = await readMail(app, seller.email, /disputed/);
    expect(mail.subject).toBe('A payment was disputed: Notes on optics');
    expect(mail.text).toContain('at their bank: $10.00 for Notes on optics, paid on ');
    expect(mail.text).toContain('please send it to the operator of this site within a week.');
    expect(mail.html).toContain(`href="${app.origin}/dashboard/sales"`);
    expect(mail.text + mail.html).not.toContain(BUYER_EMAIL);
    expect(await countNotices()).toBe(1);
  });

  test('that is over before its email is sent is not told', async () => {
    const { id } = await sellOnce(seller, sandboxPort);
    await withDatabase(app, async (db) => {
      const { id: purchaseId } = await db
        .selectFrom('purchase')
        .where('link_id', '=', id)
        .select('id')
        .executeTakeFirstOrThrow();
      await enqueue(db, 'send-payment-disputed', { purchaseId }, Date.now());
    });
    expect(await countNotices()).toBe(0);
  });

  test('that is lost leaves its amount with the creator, whose webhook is told when it is opened and closed', async () => {
    const heard = await hearEvents(seller);
    const { id, buyer, dispute } = await sellDisputed();
    const sale = { linkId: id, gross: 1000, fee: 80, net: 920, test: true };
    const about = { id: dispute, amount: 1000, currency: 'usd' };
    const told = (type: string, state: string) => ({
      type,
      data: { sale, dispute: { ...about, state }, owner: expect.any(String) },
    });
    await eventually(async () =>
      expect(await heard(/^dispute/)).toMatchObject([told('dispute.opened', 'open')]),
    );
    await stripe.disputes.close(dispute);
    await findEvent(sandboxPort, 'charge.dispute.closed');
    await waitUntilHandled(app);
    await eventually(async () =>
      expect(await heard(/^dispute/)).toMatchObject([
        told('dispute.opened', 'open'),
        told('dispute.closed', 'lost'),
      ]),
    );
    expect(JSON.stringify(await heard(/./))).not.toContain(BUYER_EMAIL);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false, key: null });
    await expectBooks(app, id, DISPUTED);
    expect(await readWholeBalance(seller)).toMatchObject({ balance: -80 });
  });

  test('is booked once, however often and in whatever order its events come', async () => {
    const { id, buyer, dispute } = await sellDisputed();
    const evidence = { uncategorized_text: 'winning_evidence' };
    await stripe.disputes.update(dispute, { evidence, submit: true });
    await waitUntilUnlocked(buyer, id);
    const types = ['funds_reinstated', 'closed', 'created', 'funds_withdrawn'];
    for (const [number, type] of types.entries()) {
      const event = await findEvent(sandboxPort, `charge.dispute.${type}`);
      await Promise.all(
        [1, 2, 3].map((copy) =>
          deliverWebhook(app, { ...event, id: `${event.id}_${number}_${copy}` }),
        ),
      );
    }
    await waitUntilHandled(app);
    await expectBooks(app, id, WON);
  });

  const lets = (payment: string, status: string) =>
    letHappen<Stripe.Dispute>(sandboxPort, 'disputes', { payment_intent: payment, status });

  /** The state of the grant of a sale, once all that the provider told has been acted on. */
  const readGrant = (id: string) =>
    withDatabase(app, async (db) => {
      await waitUntilIdle(db, sandboxPort, now);
      const grant = db.selectFrom('access_grant').where('link_id', '=', id).select('state');
      return (await grant.executeTakeFirstOrThrow()).state;
    });

  test.each([
    [['It was delivered'], 'suspended', DISPUTED],
    [['losing_evidence'], 'ended', DISPUTED],
    [['appealable_evidence', 'It was delivered'], 'suspended', DISPUTED],
    [['appealable_evidence', 'losing_evidence'], 'ended', DISPUTED],
    [['appealable_evidence', 'winning_evidence'], 'active', WON],
  ])('that is answered by %j leaves the access %s', async ([answer = '', appeal], state, books) => {
    const { id, buyer, dispute } = await sellDisputed();
    // Of one that is over by then, nobody is told.
    await waitUntilMailed();
    const decided = await stripe.disputes.update(dispute, {
      evidence: { uncategorized_text: answer },
    });
    if (appeal !== undefined) {
      expect(await readGrant(id), decided.status).toBe('suspended');
      // As it is where the provider calls it lost until it is appealed.
      await withDatabase(app, (db) =>
        db.updateTable('access_grant').set({ state: 'ended' }).where('link_id', '=', id).execute(),
      );
      const evidence = { appeal: { card: { reason_for_filing: appeal } } };
      await stripe.disputes.update(dispute, { evidence });
    }
    expect(await readGrant(id)).toBe(state);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: state === 'active' });
    await expectBooks(app, id, books);
    expect(await countNotices()).toBe(1);
  });

  test.each([
    ['that was prevented', 'prevented', []],
    ['that is only an inquiry', 'warning_needs_response', ['A question', 'winning_evidence']],
  ])('%s moves no money and leaves the content', async (_kind, status, answers) => {
    for (const answer of ['', ...answers]) {
      const { id, buyer, payment } = await sellOnce(seller, sandboxPort);
      const { id: dispute } = await lets(payment, status);
      const evidence = { uncategorized_text: answer };
      if (answer) await stripe.disputes.update(dispute, { evidence });
      expect(await readGrant(id), answer).toBe('active');
      expect(await seeLink(buyer, id)).toMatchObject({ unlocked: true });
      await expectBooks(app, id, SOLD);
    }
    expect(await countNotices()).toBe(0);
  });

  test('that is over by an answer which overtakes an older one is over', async () => {
    const { id, payment } = await sellOnce(seller, sandboxPort);
    await expectBooks(app, id, SOLD);
    const apiUrl = `http://127.0.0.1:${sandboxPort}`;
    const target = { kind: 'sandbox', apiUrl, webhookSecret: '' } as const;
    const log = { warn() {}, error() {} };
    const { provider: real } = openStripe(target, log);
    await withDatabase(app, async (db) => {
      const costBearers = { refundCost: 'platform', disputeFee: 'platform' } as const;
      const context = { db, provider: real, now, publicUrl: app.origin, costBearers };
      let asked = 0;
      /** Is asked while the dispute is open; before that is written down, it is over. */
      const slow: ReviewContext['provider'] = {
        ...real,
        async retrievePayment(name) {
          const report = await real.retrievePayment(name);
          asked += 1;
          if (asked > 1) return report;
          await reviewPayment(context, name);
          const dispute = { id: 'dp_open', stage: 'open' as const, amountCents: 1000 };
          const open = { ...dispute, awaitsAnswer: false, respondBy: null, evidence: {} };
          return { ...report, disputes: [{ ...open, isSent: false, createdAt: now() }] };
        },
      };
      await reviewPayment({ ...context, provider: slow }, payment);
      expect(asked).toBe(2);
    });
    expect(await readGrant(id)).toBe('active');
  });

  test('that an inquiry escalated to is a dispute', async () => {
    const { id, payment } = await sellOnce(seller, sandboxPort);
    const inquiry = await lets(payment, 'warning_needs_response');
    const evidence = { uncategorized_text: 'escalate_inquiry_evidence' };
    await stripe.disputes.update(inquiry.id, { evidence });
    expect(await readGrant(id)).toBe('suspended');
    await expectBooks(app, id, DISPUTED);
  });

  test('reserves the share of the creator while it is an inquiry, and so does a pending refund', async () => {
    const { id, payment } = await sellOnce(seller, sandboxPort);
    await expectBooks(app, id, SOLD);
    const inquiry = await lets(payment, 'warning_needs_response');
    expect(await readGrant(id)).toBe('active');
    expect(await readWholeBalance(seller)).toEqual({ balance: 920, pending: 920, available: 0 });
    later = EIGHT_DAYS_MS;
    expect(await readWholeBalance(seller)).toEqual({ balance: 920, pending: 920, available: 0 });
    const payout = { ownerId: await readUserId(seller), mode: 'test' as const, amountCents: 1 };
    await expect(
      withDatabase(app, (db) =>
        recordPayout({ db, now, holdMs: EIGHT_DAYS_MS }, { ...payout, reference: payment }),
      ),
    ).rejects.toThrow('$0.01 is more than the $0.00 available.');
    await stripe.disputes.update(inquiry.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    await readGrant(id);
    expect(await readWholeBalance(seller)).toEqual({ balance: 920, pending: 0, available: 920 });

    provider.answerWith((answer, path) => {
      if (!path.startsWith('/v1/refunds?')) return answer;
      const { data } = answer as Stripe.ApiList<Stripe.Refund>;
      return { ...answer, data: data.map((refund) => ({ ...refund, status: 'pending' })) };
    });
    await stripe.refunds.create({ payment_intent: payment, amount: 333 });
    expect(await readGrant(id)).toBe('active');
    await expectBooks(app, id, SOLD);
    expect(await readWholeBalance(seller)).toEqual({ balance: 920, pending: 306, available: 614 });
    provider.answerWith();
    const refunded = await findEvent(sandboxPort, 'charge.refunded');
    await deliverWebhook(app, { ...refunded, id: `${refunded.id}_again` });
    await waitUntilHandled(app);
    await expectBooks(app, id, { ...SOLD, provider: -608, platform_fee: 53, creator: 614 });
    expect(await readWholeBalance(seller)).toEqual({ balance: 614, pending: 0, available: 614 });
  });

  test.each([
    ['of a status that is not known yet', 'unheard_of', 'needs_response'],
    ['of a status that is not known yet and that took no money', 'unheard_of', 'prevented'],
    ['that is won and has not given the money back', 'won', 'needs_response'],
  ])('%s suspends the access', async (_kind, told, status) => {
    provider.answerWith((answer, path) => {
      if (!path.startsWith('/v1/disputes?')) return answer;
      const { data } = answer as Stripe.ApiList<Stripe.Dispute>;
      return { ...answer, data: data.map((dispute) => ({ ...dispute, status: told })) };
    });
    const { id, buyer, payment } = await sellOnce(seller, sandboxPort);
    await lets(payment, status);
    expect(await readGrant(id)).toBe('suspended');
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    expect(await withDatabase(app, checkLedger)).toEqual([]);
  });
});

const DAY_MS = 24 * 60 * 60 * 1000;

describeOnSqliteFirst('the evidence in a dispute', (database) => {
  let later = 0;
  const now = () => Date.now() + later;
  const app = useApp({ database, env, overrides: { ...provider.overrides, now } });
  let seller: Awaited<ReturnType<typeof signUp>>;

  beforeEach(async () => {
    later = 0;
    seller = await signUp(app);
  });

  /** A download is recorded once its bytes have left. */
  const waitUntilRecorded = (responses: number) =>
    withDatabase(app, (db) =>
      eventually(async () => {
        const newest = db.selectFrom('delivery').orderBy('started_at', 'desc').select('responses');
        expect((await newest.executeTakeFirst())?.responses).toBe(responses);
      }),
    );

  const settle = () => withDatabase(app, (db) => waitUntilIdle(db, sandboxPort, now));

  async function dispute(payment: string, status = 'needs_response') {
    const params = { payment_intent: payment, status };
    const { id } = await letHappen<Stripe.Dispute>(sandboxPort, 'disputes', params);
    return { id, read: () => stripe.disputes.retrieve(id) };
  }

  const seeDispute = async () => {
    const query =
      '{ listSales { items { dispute { amount state respondBy evidence deliveries } } } }';
    type Sales = { listSales: { items: { dispute: unknown }[] } };
    return (await graphql<Sales>(seller, query)).listSales.items[0]?.dispute;
  };

  test('says what was delivered, is attached once and sent a day before the deadline', async () => {
    const { id, buyer, payment } = await sellOnce(seller, sandboxPort, { title: 'Optics' });
    const download = () => buyer.fetch(`/p/${id}/content`);
    const { headers } = await download();
    await buyer.fetch(headers.get('location') ?? '', {
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' },
    });
    await waitUntilRecorded(1);
    const opened = await dispute(payment, 'warning_needs_response');
    await settle();
    const { evidence, evidence_details: details, status } = await opened.read();
    expect(status).toBe('warning_needs_response');
    expect(details).toMatchObject({ has_evidence: true, submission_count: 0 });
    expect(evidence).toMatchObject({
      customer_email_address: BUYER_EMAIL,
      customer_purchase_ip: '127.0.0.1',
      product_description: expect.stringContaining('“Optics”. Files: '),
      uncategorized_text: expect.stringContaining('"padlink": "signed receipt"'),
    });
    const log = evidence.access_activity_log?.split('\n') ?? [];
    expect(log[0]).toMatch(/: checkout of purchase [0-9a-f-]+ begun, .+ at 127\.0\.0\.1$/);
    expect(log[1]).toMatch(
      / UTC: notes\.pdf, \d+ bytes in 1 response, sent to the end of what was asked for, Firefox on Linux at 127\.0\.0\.1$/,
    );
    expect(await seeDispute()).toMatchObject({
      amount: 1000,
      state: 'inquiry',
      evidence: 'attached',
      respondBy: expect.stringMatching(/^20/),
      deliveries: [expect.stringMatching(/^notes\.pdf: (.+) of \1 were sent on 20/)],
    });
    expect(JSON.stringify(await seeDispute())).not.toContain('127.0.0.1');

    provider.takeRequests();
    await runSql(app, "update job set run_at = 0 where kind = 'attach-evidence'");
    await settle();
    await stripe.disputes.update(opened.id, {
      evidence: { product_description: 'By the operator' },
      submit: false,
    });
    await buyer.fetch((await download()).headers.get('location') ?? '');
    await waitUntilRecorded(2);
    later = 6 * DAY_MS + 60_000;
    await eventually(async () => expect((await opened.read()).status).toMatch(/under_review/));
    const sent = (await opened.read()).evidence;
    expect(sent.access_activity_log).toContain('bytes in 2 responses');
    expect(sent.product_description).toBe('By the operator');
    expect(await seeDispute()).toMatchObject({ respondBy: null, evidence: 'sent' });
    const written = provider
      .takeRequests()
      .filter((asked) => asked.startsWith('POST /v1/disputes'));
    expect(written).toHaveLength(1);
  });

  test('without a delivery is attached and left to the operator', async () => {
    const { payment } = await sellOnce(seller, sandboxPort);
    const opened = await dispute(payment);
    await settle();
    expect((await opened.read()).evidence).toMatchObject({
      access_activity_log: null,
      customer_email_address: BUYER_EMAIL,
    });
    later = 6 * DAY_MS + 60_000;
    await settle();
    expect(await opened.read()).toMatchObject({
      status: 'needs_response',
      evidence_details: { submission_count: 0 },
    });
    expect(await seeDispute()).toMatchObject({ state: 'open', deliveries: [] });
  });

  test('keeps addresses for 180 days, or until the buyer deletes the account', async () => {
    const readAddresses = () =>
      withDatabase(app, async (db) => {
        const purchases = db.selectFrom('purchase').select(['buyer_address', 'buyer_browser']);
        const deliveries = db.selectFrom('delivery').select(['address', 'browser']);
        return [...(await purchases.execute()), ...(await deliveries.execute())].flatMap((row) =>
          Object.values(row).filter((value) => value !== null),
        );
      });
    const forget = (days: number) =>
      withDatabase(app, (db) => sweepAddresses(db, Date.now() + days * DAY_MS));
    await forget(181);
    const { id, buyer } = await sellOnce(seller, sandboxPort);
    await buyer.fetch((await buyer.fetch(`/p/${id}/content`)).headers.get('location') ?? '');
    await eventually(async () => expect(await readAddresses()).toHaveLength(4));
    await forget(179);
    expect(await readAddresses()).toContain('127.0.0.1');
    await forget(181);
    expect(await readAddresses()).toEqual([]);
    const member = await signUp(app);
    const { id: link } = await sellFile(seller, { price: 1000 });
    await payFor(member, link);
    await waitUntilUnlocked(member, link);
    await member.fetch((await member.fetch(`/p/${link}/content`)).headers.get('location') ?? '');
    await eventually(async () => expect(await readAddresses()).toHaveLength(4));
    await withDatabase(app, async (db) => deleteAccount({ db, now }, await readUserId(member)));
    expect(await readAddresses()).toEqual([]);
  });
});

describeOnSqliteFirst('DISPUTE_FEE=creator', (database) => {
  const app = useApp({ database, env: { ...env, DISPUTE_FEE: 'creator' } });

  test('lets the creator pay the fee of a dispute, however it ends', async () => {
    const seller = await signUp(app);
    const { id, payment } = await sellOnce(seller, sandboxPort);
    const { id: dispute } = await letHappen<Stripe.Dispute>(sandboxPort, 'disputes', {
      payment_intent: payment,
    });
    await expectBooks(app, id, { ...DISPUTED, creator: -1580, dispute_fee: 0 });
    await stripe.disputes.update(dispute, {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    await expectBooks(app, id, { ...WON, creator: -580, dispute_fee: 0 });
    expect(await readWholeBalance(seller)).toEqual({ balance: -580, pending: 0, available: -580 });
  });
});
