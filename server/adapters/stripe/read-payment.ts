import Stripe from 'stripe';
import type { DisputeMovement } from '../../ledger/follow-payment.ts';
import type { PaymentReport, RefundRequest } from '../../payments/card-provider.ts';

/** The provider's largest page of a list. */
export const PAGE = 100;

/** Everything that happened to a payment so far: its cost, its refunds and its disputes. */
export async function readPayment(stripe: Stripe, paymentIntentId: string): Promise<PaymentReport> {
  const payment = { payment_intent: paymentIntentId, limit: PAGE };
  const [intent, refunds, disputes] = await Promise.all([
    stripe.paymentIntents.retrieve(paymentIntentId, {
      expand: ['latest_charge.balance_transaction'],
    }),
    collect(stripe.refunds.list(payment)),
    collect(stripe.disputes.list(payment)),
  ]);
  return {
    amountCents: intent.amount,
    processingCostCents: costOf(intent),
    // The provider lists the newest first.
    refunds: refunds.reverse().map(({ id, amount, status }) => ({
      id,
      amountCents: amount,
      state: refundStateOf(status),
    })),
    disputeMovements: disputes.flatMap(movementsOf),
    dispute: disputeOf(disputes),
  };
}

/** The payments of every refund and dispute that was opened since a time in UTC milliseconds. */
export async function listReturnedPayments(stripe: Stripe, since: number): Promise<Set<string>> {
  const opened = { created: { gte: Math.floor(since / 1000) }, limit: PAGE };
  const [refunds, disputes] = await Promise.all([
    collect(stripe.refunds.list(opened)),
    collect(stripe.disputes.list(opened)),
  ]);
  const payments = [...refunds, ...disputes].map(({ payment_intent: payment }) =>
    typeof payment === 'string' ? payment : payment?.id,
  );
  return new Set(payments.filter((id) => id !== undefined));
}

export async function refundPayment(
  stripe: Stripe,
  { paymentIntentId, reason, idempotencyKey }: RefundRequest,
): Promise<void> {
  try {
    await stripe.refunds.create({ payment_intent: paymentIntentId, reason }, { idempotencyKey });
  } catch (error) {
    const isStripes = error instanceof Stripe.errors.StripeError;
    if (!isStripes || error.code !== 'charge_already_refunded') throw error;
  }
}

async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

function costOf({ latest_charge: charge }: Stripe.PaymentIntent): number | null {
  if (!charge || typeof charge === 'string') return null;
  const booked = charge.balance_transaction;
  if (!booked || typeof booked === 'string') return null;
  return toChargeCents(booked, booked.fee);
}

/** An unknown newer status counts as pending: nothing is booked for it. */
function refundStateOf(status: Stripe.Refund['status']): 'pending' | 'succeeded' | 'failed' {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

function movementsOf({ id, balance_transactions }: Stripe.Dispute): DisputeMovement[] {
  return balance_transactions.map((moved) => ({
    disputeId: id,
    id: moved.id,
    amountCents: toChargeCents(moved, moved.amount),
    feeCents: toChargeCents(moved, moved.fee),
  }));
}

/** An account that settles in another currency reports amounts in that currency. */
function toChargeCents({ exchange_rate: rate }: Stripe.BalanceTransaction, cents: number): number {
  return rate ? Math.round(cents / rate) : cents;
}

/** Inquiries (warning_*) withdraw no money; 'prevented' and 'won' leave none withdrawn. */
function disputeOf(disputes: Stripe.Dispute[]): PaymentReport['dispute'] {
  const statuses = new Set(disputes.map(({ status }) => status));
  if (statuses.has('lost')) return 'lost';
  return statuses.has('needs_response') || statuses.has('under_review') ? 'open' : 'none';
}
