import fc from 'fast-check';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { startTestSandbox } from '../../sandbox/testing/start-test-sandbox.ts';
import { openStripe } from '../../server/adapters/stripe/open-stripe.ts';
import { signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { expectBooks, sellOnce } from '../factories/money.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { useApp } from '../harness/use-app.ts';
import { letHappen, stripeOf, webhookEnv } from '../harness/webhook.ts';

const sandboxPort = await findFreePort();
const settleAt = (exchange_rate: string) =>
  letHappen(sandboxPort, 'settlement', { currency: 'eur', exchange_rate });

// At these rates 1000 cents, converted and converted back, are 999.
const RATES = ['0.850427', '0.850434'] as const;

describeOnSqliteFirst('an account that settles in euros', (database) => {
  const app = useApp({ database, env: webhookEnv(sandboxPort) });

  test('has its books in dollars, to the cent of what was sold, refunded and disputed', async () => {
    const seller = await signUp(app);
    const stripe = stripeOf(sandboxPort);
    await settleAt(RATES[0]);
    const sold = { provider: -941, platform_fee: 80, creator: 920, processing_cost: -59 };

    const refunded = await sellOnce(seller, sandboxPort);
    await stripe.refunds.create({ payment_intent: refunded.payment });
    await expectBooks(app, refunded.id, { ...sold, provider: 59, platform_fee: 0, creator: 0 });

    const { id, payment, buyer } = await sellOnce(seller, sandboxPort);
    await settleAt(RATES[1]);
    const dispute = await letHappen<Stripe.Dispute>(sandboxPort, 'disputes', {
      payment_intent: payment,
    });
    await expectBooks(app, id, { ...sold, provider: 1559, creator: -80, dispute_fee: -1500 });
    await settleAt(RATES[0]);
    await stripe.disputes.update(dispute.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    await waitUntilUnlocked(buyer, id);
    await expectBooks(app, id, { ...sold, provider: 559, dispute_fee: -1500 });
  });
});

test('at any rates, refunds and disputes are told in the cents of the sale', async () => {
  const { helper, openSession, pay, sandbox, stripe } = await startTestSandbox();
  const silent = { warn() {}, error() {} };
  const target = { kind: 'sandbox' as const, apiUrl: sandbox.apiUrl, webhookSecret: 'whsec_test' };
  const { provider } = openStripe(target, silent);
  const rate = fc.integer({ min: 300_000, max: 3_000_000 }).map((millionths) => millionths / 1e6);
  const settle = (exchange_rate: number) =>
    helper('settlement', { currency: 'eur', exchange_rate: String(exchange_rate) });

  async function sell(unit_amount: number): Promise<string> {
    const price_data = { currency: 'usd', unit_amount, product_data: { name: 'Study pack' } };
    const session = await openSession({ line_items: [{ quantity: 1, price_data }] });
    await pay(session, '4242 4242 4242 4242');
    return String((await stripe.checkout.sessions.retrieve(session.id)).payment_intent);
  }

  const sale = fc.record({
    price: fc.integer({ min: 100, max: 99_999_999 }),
    /** Millionths of it. */
    refunded: fc.integer({ min: 1, max: 500_000 }),
    sold: rate,
    disputed: rate,
    won: rate,
  });
  await fc.assert(
    fc.asyncProperty(sale, async ({ price, refunded, ...rates }) => {
      await settle(rates.sold);
      const payment_intent = await sell(price);
      const amount = Math.ceil((price * refunded) / 1e6);
      await stripe.refunds.create({ payment_intent, amount });
      await settle(rates.disputed);
      const { id } = await helper<Stripe.Dispute>('disputes', { payment_intent });
      await settle(rates.won);
      await stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });

      const { processingCostCents, refunds, disputes, disputeMovements } =
        await provider.retrievePayment(payment_intent);
      const left = price - amount;
      expect(refunds).toMatchObject([{ amountCents: amount }]);
      expect(disputes).toMatchObject([{ id, amountCents: left, stage: 'over' }]);
      expect(disputeMovements).toMatchObject([
        { disputeId: id, amountCents: -left },
        { disputeId: id, amountCents: left, feeCents: 0 },
      ]);
      // Known in euros alone: half a cent of those is the best there is.
      const cost = Math.round(price * 0.029) + 30;
      const off = (cents: number | null | undefined, exact: number) =>
        Math.abs((cents ?? 0) - exact);
      expect(off(processingCostCents, cost)).toBeLessThanOrEqual(0.5 / rates.sold + 0.5);
      expect(off(disputeMovements[0]?.feeCents, 1500)).toBeLessThanOrEqual(
        0.5 / rates.disputed + 0.5,
      );
    }),
    { numRuns: 40 },
  );
});
