import type Stripe from 'stripe';
import { formatPrice } from '../money.ts';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { invalidRequest } from '../stripe-error.ts';
import { findTestCardByLast4 } from '../test-cards.ts';
import { emitEvent } from './emit-event.ts';
import { recordBalanceChange } from './record-balance-change.ts';

interface NewRefund {
  /** Cents; all that is left when absent. */
  amount: number | undefined;
  reason: Stripe.Refund['reason'];
  metadata: Record<string, string>;
}

const DECIDED_AFTER_MS = 2000;

/**
 * Gives a charge back, whole or in part.
 * @throws StripeError when the charge did not succeed, is disputed, or has less than that left
 */
export function createRefund(scope: Scope, charge: Stripe.Charge, given: NewRefund): Stripe.Refund {
  const left = charge.amount - charge.amount_refunded;
  const amount = given.amount ?? left;
  refuseImpossible(charge, left, amount);

  const afterwards = findTestCardByLast4(charge.payment_method_details?.card?.last4)?.afterwards;
  const id = newId('re');
  const balanceTransaction = recordBalanceChange(scope, {
    type: 'refund',
    amount: -amount,
    reportingCategory: 'refund',
    description: 'REFUND FOR CHARGE',
    source: id,
  });
  const refund: Stripe.Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: balanceTransaction.id,
    charge: charge.id,
    created: scope.now,
    currency: 'usd',
    customer: null,
    customer_account: null,
    destination_details: {
      type: 'card',
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
    },
    metadata: given.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: given.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: afterwards === 'refund-pending' ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  const refunded: Stripe.Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  };
  scope.objects.insert('refund', refund);
  scope.objects.update('charge', refunded);
  emitEvent(scope, 'refund.created', refund);
  emitEvent(scope, 'charge.refunded', refunded, {
    amount_refunded: charge.amount_refunded,
    refunded: charge.refunded,
  });
  if (afterwards === 'refund-pending') scope.later('settle_refund', id, DECIDED_AFTER_MS);
  if (afterwards === 'refund-fails') scope.later('fail_refund', id, DECIDED_AFTER_MS);
  return refund;
}

function refuseImpossible(charge: Stripe.Charge, left: number, amount: number): void {
  if (charge.status !== 'succeeded') {
    throw invalidRequest(`Charge ${charge.id} did not succeed, so it cannot be refunded.`);
  }
  if (charge.disputed) {
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
      charge: charge.id,
    });
  }
  if (left === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      charge: charge.id,
    });
  }
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${formatPrice(amount)}) is greater than unrefunded amount on charge (${formatPrice(left)})`,
      { param: 'amount' },
    );
  }
}

/** A pending refund reaches the buyer's bank. */
export function settleRefund(scope: Scope, id: string): void {
  const refund = scope.objects.get('refund', id);
  const settled: Stripe.Refund = { ...refund, status: 'succeeded' };
  scope.objects.update('refund', settled);
  emitEvent(scope, 'refund.updated', settled, { status: refund.status });
}

/** The buyer's bank sends a refund back: its money returns to the balance and to the charge. */
export function failRefund(scope: Scope, id: string): void {
  const refund = scope.objects.get('refund', id);
  const charge = scope.objects.get('charge', refund.charge as string);
  const returned = recordBalanceChange(scope, {
    type: 'refund_failure',
    amount: refund.amount,
    reportingCategory: 'refund_failure',
    description: 'REFUND FAILURE FOR CHARGE',
    source: id,
  });
  const failed: Stripe.Refund = {
    ...refund,
    failure_balance_transaction: returned.id,
    failure_reason: 'expired_or_canceled_card',
    status: 'failed',
  };
  scope.objects.update('refund', failed);
  scope.objects.update('charge', {
    ...charge,
    amount_refunded: charge.amount_refunded - refund.amount,
    refunded: false,
  });
  emitEvent(scope, 'refund.updated', failed, { status: refund.status });
  emitEvent(scope, 'refund.failed', failed, { status: refund.status });
}
