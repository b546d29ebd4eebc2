import Stripe from 'stripe';
import type { DisputeMovement } from '../../books/ledger/follow-payment.ts';
import {
  type Evidence,
  type PaymentReport,
  RefundRefusedError,
  type RefundRequest,
  type ReportedDispute,
} from '../../selling/purchases/card-provider.ts';
import { fitNote } from './notes.ts';

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
    refunds: refunds.reverse().map(({ id, amount, status, metadata, created }) => ({
      id,
      refundId: metadata?.refund_id ?? null,
      purchaseId: metadata?.purchase_id ?? null,
      amountCents: amount,
      state: refundStateOf(status),
      createdAt: created * 1000,
    })),
    disputeMovements: disputes.flatMap(movementsOf),
    disputes: disputes.map(toDispute),
  };
}

/** Statuses in which the bank waits for evidence. An appeal takes none but its own reason. */
const AWAITING: string[] = ['needs_response', 'warning_needs_response'];

function toDispute(dispute: Stripe.Dispute): ReportedDispute {
  const { id, amount, status, created, evidence, evidence_details: details } = dispute;
  return {
    id,
    amountCents: amount,
    stage: STAGES.get(status) ?? 'open',
    awaitsAnswer: AWAITING.includes(status),
    respondBy: details.due_by === null ? null : details.due_by * 1000,
    evidence: {
      product_description: evidence.product_description,
      access_activity_log: evidence.access_activity_log,
      customer_email_address: evidence.customer_email_address,
      customer_purchase_ip: evidence.customer_purchase_ip,
      service_date: evidence.service_date,
      uncategorized_text: evidence.uncategorized_text,
    },
    isSent: details.submission_count > 0,
    createdAt: created * 1000,
  };
}

export async function attachEvidence(
  stripe: Stripe,
  disputeId: string,
  evidence: Evidence,
  submit: boolean,
): Promise<void> {
  const texts = Object.entries(evidence).filter(([, text]) => text);
  await stripe.disputes.update(disputeId, { evidence: Object.fromEntries(texts), submit });
}

/** The payments of every refund and dispute that was opened since a time in UTC milliseconds. */
export async function listReturnedPayments(stripe: Stripe, since: number): Promise<Set<string>> {
  const opened = { created: { gte: Math.floor(since / 1000) }, limit: PAGE };
  const [refunds, disputes] = await Promise.all([
    collect(stripe.refunds.list(opened)),
    collect(stripe.disputes.list(opened)),
  ]);
  const payments = [...refunds, ...disputes].map(({ payment_intent: payment }) => idOf(payment));
  return new Set(payments.filter((id) => id !== null));
}

export async function refundPayment(
  stripe: Stripe,
  { paymentIntentId, reason, idempotencyKey, amountCents, notes }: RefundRequest,
): Promise<void> {
  const metadata = notes && {
    purchase_id: notes.purchaseId,
    ...(notes.refundId && { refund_id: notes.refundId }),
    ...(notes.reason && { reason: fitNote(notes.reason) }),
  };
  const amount = amountCents === undefined ? {} : { amount: amountCents };
  try {
    await stripe.refunds.create(
      { payment_intent: paymentIntentId, reason, ...amount, ...(metadata && { metadata }) },
      { idempotencyKey },
    );
  } catch (error) {
    const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError;
    // A conflict is with another request of the same key, which may be refunding.
    if (!isRefused || error.statusCode === 409) throw error;
    throw new RefundRefusedError(whyRefused(error), error);
  }
}

function whyRefused({ code, param }: Stripe.errors.StripeError): RefundRefusedError['why'] {
  if (code === 'charge_already_refunded') return 'nothing-left';
  if (code === 'charge_disputed') return 'disputed';
  return param === 'amount' ? 'too-large' : 'other';
}

/** The id of what the provider names by it, or tells whole. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
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
export function refundStateOf(status: Stripe.Refund['status']): 'pending' | 'succeeded' | 'failed' {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

/**
 * An account that settles in another currency reports the movements of a dispute in that currency,
 * each at the rate of its day. Converted back they may be a cent off: the dispute says what it is
 * about.
 */
function movementsOf({ id, amount, currency, balance_transactions }: Stripe.Dispute) {
  return balance_transactions.map(
    (moved): DisputeMovement => ({
      disputeId: id,
      id: moved.id,
      amountCents: moved.currency === currency ? moved.amount : Math.sign(moved.amount) * amount,
      feeCents: toChargeCents(moved, moved.fee),
    }),
  );
}

/** What the provider keeps is known in the currency that the account settles in alone. */
function toChargeCents({ exchange_rate: rate }: Stripe.BalanceTransaction, cents: number): number {
  return rate ? Math.round(cents / rate) : cents;
}

type Stage = PaymentReport['disputes'][number]['stage'];
/** The values that the provider's client names, without "or any other text". */
type Named<Value> = Value extends string ? (string extends Value ? never : Value) : never;

/** The compiler misses here what a newer client names; an unknown status counts as open. */
const STAGE_OF: Record<Named<Stripe.Dispute.Status>, Stage> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'over',
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'over',
  prevented: 'over',
  lost: 'lost',
};
const STAGES = new Map<string, Stage>(Object.entries(STAGE_OF));
