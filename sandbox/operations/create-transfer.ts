import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { invalidRequest } from '../stripe-error.ts';
import { createTransferredPayment } from './create-transferred-payment.ts';
import { emitEvent } from './emit-event.ts';
import { recordBalanceChange } from './record-balance-change.ts';

export interface NewTransfer {
  /** Cents. */
  amount: number;
  description: string | null;
  metadata: Record<string, string>;
  transferGroup: string | null;
}

/**
 * Moves money from the platform's balance to a connected account's.
 * @throws StripeError when the account may not receive it or the balance is too low
 */
export function createTransfer(
  scope: Scope,
  destination: Stripe.Account,
  given: NewTransfer,
): Stripe.Transfer {
  if (destination.capabilities?.transfers !== 'active') {
    throw invalidRequest(
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      { code: 'insufficient_capabilities_for_transfer', param: 'destination' },
    );
  }
  if (scope.objects.balance() < given.amount) {
    throw invalidRequest('You have insufficient available funds in your Stripe account.', {
      code: 'balance_insufficient',
    });
  }
  const id = newId('tr');
  const sent = recordBalanceChange(scope, {
    type: 'transfer',
    amount: -given.amount,
    reportingCategory: 'transfer',
    description: given.description,
    source: id,
  });
  const payment = createTransferredPayment(scope.forAccount(destination.id), id, given);
  const transfer: Stripe.Transfer = {
    id,
    object: 'transfer',
    amount: given.amount,
    amount_reversed: 0,
    balance_transaction: sent.id,
    created: scope.now,
    currency: 'usd',
    description: given.description,
    destination: destination.id,
    destination_payment: payment.id,
    livemode: false,
    metadata: given.metadata,
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: null,
    source_type: 'card',
    transfer_group: given.transferGroup,
  };
  scope.objects.insert('transfer', transfer);
  emitEvent(scope, 'transfer.created', transfer);
  return transfer;
}
