import type Stripe from 'stripe';
import { formatPrice } from '../money.ts';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { invalidRequest } from '../stripe-error.ts';
import { findTestCardByLast4 } from '../test-cards.ts';
import { changeObject, emitEvent } from './emit-event.ts';
import { nulls } from './nulls.ts';
import { recordBalanceChange } from './record-balance-change.ts';

interface NewRefund extends Pick<Stripe.Refund, 'metadata' | 'reason'> {
  /** Cents; all that is left when absent. */
  amount?: number | undefined;
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
    ...nulls(['customer', 'customer_account', 'receipt_number', 'source_transfer_reversal']),
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
    status: afterwards === 'refund-pending' ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  scope.objects.insert('refund', refund);
  emitEvent(scope, 'refund.created', refund);
  const { amount_refunded, refunded } = charge;
  changeObject(
    scope,
    charge,
    'charge.refunded',
    { amount_refunded: amount_refunded + amount, refunded: amount === left },
    { amount_refunded, refunded },
  );
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
  const { status } = refund;
  changeObject(scope, refund, 'refund.updated', { status: 'succeeded' }, { status });
}

/** The buyer's bank sends a refund back: its money returns to the balance and to the charge. */
export function failRefund(scope: Scope, id: string): void {
  const refund = scope.objects.get('refund', id);
  const charge = scope.objects.get('charge', refund.charge as string);
  const returned = recordBalanceChange(scope, {
    type: 'refund_failure',
    amount: refund.amount,
    description: 'REFUND FAILURE FOR CHARGE',
    source: id,
  });
  scope.objects.update('charge', {
    ...charge,
    amount_refunded: charge.amount_refunded - refund.amount,
    refunded: false,
  });
  const { status } = refund;
  const failure = {
    failure_balance_transaction: returned.id,
    failure_reason: 'expired_or_canceled_card',
    status: 'failed',
  } as const;
  const failed = changeObject(scope, refund, 'refund.updated', failure, { status });
  emitEvent(scope, 'refund.failed', failed, { status });
}
