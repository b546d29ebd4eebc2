import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import type { ConnectedAccount } from '../store/kinds.ts';
import { invalidRequest } from '../stripe-error.ts';
import { emitEvent } from './emit-event.ts';
import { recordBalanceChange } from './record-balance-change.ts';
import { canBePaid } from './show-account.ts';

interface NewPayout {
  /** Cents. */
  amount: number;
  description: string | null;
  metadata: Record<string, string>;
  statementDescriptor: string | null;
}

const FINISHED_AFTER_MS = 2000;

/**
 * Sends money from an account's balance to its bank account; whether it arrives shows shortly.
 * @throws StripeError when the account has no bank account or too little money
 */
export function createPayout(
  scope: Scope,
  account: ConnectedAccount | undefined,
  given: NewPayout,
): Stripe.Payout {
  if (!account?.bankAccount) {
    throw invalidRequest("Sorry, you don't have any external accounts in that currency (usd).");
  }
  if (!canBePaid(account)) {
    throw invalidRequest(
      'Payouts are not enabled for this account: it has yet to provide what is required of it.',
      { code: 'payouts_not_allowed' },
    );
  }
  if (scope.objects.balance() < given.amount) {
    throw invalidRequest('You have insufficient funds in your Stripe account for this payout.', {
      code: 'balance_insufficient',
    });
  }
  const id = newId('po');
  const sent = recordBalanceChange(scope, {
    type: 'payout',
    amount: -given.amount,
    reportingCategory: 'payout',
    description: given.description ?? 'STRIPE PAYOUT',
    source: id,
  });
  const payout: Stripe.Payout = {
    id,
    object: 'payout',
    amount: given.amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: scope.now,
    automatic: false,
    balance_transaction: sent.id,
    created: scope.now,
    currency: 'usd',
    description: given.description,
    destination: account.bankAccount.id,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: given.metadata,
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: given.statementDescriptor,
    status: 'pending',
    trace_id: null,
    type: 'bank_account',
  };
  scope.objects.insert('payout', payout);
  emitEvent(scope, 'payout.created', payout);
  scope.later('finish_payout', id, FINISHED_AFTER_MS);
  return payout;
}

/** Of the test bank account to which no money can be paid. */
const FAILING_LAST4 = '1116';

/** A payout reaches its bank account, or comes back from it. */
export function finishPayout(scope: Scope, id: string): void {
  const payout = scope.objects.get('payout', id);
  if (ownerOf(scope)?.bankAccount?.last4 === FAILING_LAST4) failPayout(scope, payout);
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

/** The connected account acted for. The platform's own payouts are no part of the sandbox. */
export function ownerOf({ account, forAccount }: Scope): ConnectedAccount | undefined {
  return account === null ? undefined : forAccount(null).objects.find('account', account);
}
