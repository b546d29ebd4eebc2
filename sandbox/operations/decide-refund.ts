import type Stripe from 'stripe';
import type { Scope } from '../scope.ts';
import { emitEvent } from './emit-event.ts';
import { recordBalanceChange } from './record-balance-change.ts';

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
