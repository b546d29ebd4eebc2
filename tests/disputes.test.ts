import type Stripe from 'stripe';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { recordPayout } from '../server/ledger/balance.ts';
import { enqueue } from '../server/outbox/jobs.ts';
import { checkLedger } from '../server/payments/check-ledger.ts';
import { startProviderProxy } from './errors/provider-proxy.ts';
import {
  readMail,
  readUserId,
  seeLink,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from './factories.ts';
import { eventually } from './harness/eventually.ts';
import {
  expectBooks,
  readWholeBalance,
  sellOnce,
  waitUntilHandled,
  waitUntilIdle,
} from './money.ts';
import { describeOnBothDatabases } from './on-both-databases.ts';
import { BUYER_EMAIL } from './payment.ts';
import { readJson } from './person.ts';
import { useApp } from './use-app.ts';
import { deliverWebhook, findEvent, letHappen, stripeOf, webhookEnv } from './webhook.ts';
import { withDatabase } from './with-database.ts';

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

describeOnBothDatabases('a dispute in the books', (database) => {
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
    expect(mail.html).toContain(`href="${app.origin}/dashboard"`);
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

  test('that is lost leaves its amount with the creator', async () => {
    const { id, buyer, dispute } = await sellDisputed();
    await stripe.disputes.close(dispute);
    await findEvent(sandboxPort, 'charge.dispute.closed');
    await waitUntilHandled(app);
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
    const decided = await stripe.disputes.update(dispute, {
      evidence: { uncategorized_text: answer },
    });
    if (appeal !== undefined) {
      expect(await readGrant(id), decided.status).toBe('suspended');
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

describeOnBothDatabases('DISPUTE_FEE=creator', (database) => {
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
