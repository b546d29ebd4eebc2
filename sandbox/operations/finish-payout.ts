import type Stripe from 'stripe';
import type { Scope } from '../scope.ts';
import { bankAccountOf } from './bank-account-of.ts';
import { emitEvent } from './emit-event.ts';
import { recordBalanceChange } from './record-balance-change.ts';

/** Of the test bank account to which no money can be paid. */
const FAILING_LAST4 = '1116';

/** A payout reaches its bank account, or comes back from it. */
export function finishPayout(scope: Scope, id: string): void {
  const payout = scope.objects.get('payout', id);
  if (bankAccountOf(scope)?.last4 === FAILING_LAST4) failPayout(scope, payout);
  else {
    const paid: Stripe.Payout = { ...payout, status: 'paid' };
    scope.objects.update('payout', paid);
    emitEvent(scope, 'payout.paid', paid);
  }
}

function failPayout(scope: Scope, payout: Stripe.Payout): void {
  const returned = recordBalanceChange(scope, {
    type: 'payout_failure',
    amount: payout.amount,
    reportingCategory: 'payout_reversal',
    description: 'PAYOUT FAILURE',
    source: payout.id,
  });
  const failed: Stripe.Payout = {
    ...payout,
    failure_balance_transaction: returned.id,
    failure_code: 'no_account',
    failure_message:
      'The bank account details on file are probably incorrect. No bank account could be located with those details.',
    status: 'failed',
  };
  scope.objects.update('payout', failed);
  emitEvent(scope, 'payout.failed', failed);
}
