import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import type { ConnectedAccount } from '../store/kinds.ts';
import { invalidRequest } from '../stripe-error.ts';
import { changeObject, emitEvent } from './emit-event.ts';
import { nulls } from './nulls.ts';
import { recordBalanceChange } from './record-balance-change.ts';
import { canBePaid } from './show-account.ts';

type NewPayout = Pick<
  Stripe.Payout,
  'amount' | 'currency' | 'description' | 'metadata' | 'statement_descriptor'
>;

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
    description: given.description ?? 'STRIPE PAYOUT',
    source: id,
  });
  const payout: Stripe.Payout = {
    id,
    object: 'payout',
    ...nulls(
      ['application_fee', 'application_fee_amount', 'failure_balance_transaction'],
      ['failure_code', 'failure_message', 'original_payout', 'payout_method', 'reversed_by'],
      ['trace_id'],
    ),
    ...given,
    arrival_date: scope.now,
    automatic: false,
    balance_transaction: sent.id,
    created: scope.now,
    destination: account.bankAccount.id,
    livemode: false,
    method: 'standard',
    reconciliation_status: 'not_applicable',
    source_type: 'card',
    status: 'pending',
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
  else changeObject(scope, payout, 'payout.paid', { status: 'paid' });
}

function failPayout(scope: Scope, payout: Stripe.Payout): void {
  const returned = recordBalanceChange(scope, {
    type: 'payout_failure',
    amount: payout.amount,
    reportingCategory: 'payout_reversal',
    description: 'PAYOUT FAILURE',
    source: payout.id,
  });
  changeObject(scope, payout, 'payout.failed', {
    failure_balance_transaction: returned.id,
    failure_code: 'no_account',
    failure_message:
      'The bank account details on file are probably incorrect. No bank account could be located with those details.',
    status: 'failed',
  });
}

/** The connected account acted for. The platform's own payouts are no part of the sandbox. */
export function ownerOf({ account, forAccount }: Scope): ConnectedAccount | undefined {
  return account === null ? undefined : forAccount(null).objects.find('account', account);
}
