import type Stripe from 'stripe';
import { formatCents } from '../money.ts';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { invalidRequest } from '../stripe-error.ts';
import { emitEvent } from './emit-event.ts';
import { recordBalanceChange } from './record-balance-change.ts';

/**
 * Takes back a transfer, whole or in part; `amount` in cents is all that is left when absent.
 * @throws StripeError when less is left of the transfer, or on the connected account
 */
export function reverseTransfer(
  scope: Scope,
  transfer: Stripe.Transfer,
  given: { amount: number | undefined; metadata: Record<string, string> },
): Stripe.TransferReversal {
  const connected = scope.forAccount(transfer.destination as string);
  const left = transfer.amount - transfer.amount_reversed;
  const amount = given.amount ?? left;
  if (left === 0) throw invalidRequest(`Transfer ${transfer.id} is already fully reversed.`);
  if (amount > left) {
    throw invalidRequest(
      `Reversal amount (${formatCents(amount)}) is greater than unreversed amount on transfer (${formatCents(left)})`,
      { param: 'amount' },
    );
  }
  if (connected.objects.balance() < amount) {
    throw invalidRequest(
      'The destination account does not have the funds to reverse this transfer.',
      { code: 'balance_insufficient' },
    );
  }
  const id = newId('trr');
  const payment = transfer.destination_payment as string;
  recordBalanceChange(connected, {
    type: 'payment_refund',
    amount: -amount,
    reportingCategory: 'refund',
    description: `REFUND FOR PAYMENT (${payment})`,
    source: payment,
  });
  const returned = recordBalanceChange(scope, {
    type: 'transfer_refund',
    amount,
    reportingCategory: 'transfer_reversal',
    description: `REFUND FOR TRANSFER (${transfer.id})`,
    source: id,
  });
  const reversal: Stripe.TransferReversal = {
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: returned.id,
    created: scope.now,
    currency: 'usd',
    destination_payment_refund: null,
    metadata: given.metadata,
    source_refund: null,
    transfer: transfer.id,
  };
  const reversed: Stripe.Transfer = {
    ...transfer,
    amount_reversed: transfer.amount_reversed + amount,
    reversals: { ...transfer.reversals, data: [reversal, ...transfer.reversals.data] },
    reversed: amount === left,
  };
  scope.objects.insert('transfer_reversal', reversal);
  scope.objects.update('transfer', reversed);
  emitEvent(scope, 'transfer.reversed', reversed, { amount_reversed: transfer.amount_reversed });
  return reversal;
}
