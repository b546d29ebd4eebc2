import type Stripe from 'stripe';
import { formatPrice } from '../money.ts';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import type { ConnectedAccount } from '../store/kinds.ts';
import { invalidRequest } from '../stripe-error.ts';
import { BLANK_CHARGE } from './create-charge.ts';
import { changeObject, emitEvent } from './emit-event.ts';
import { nulls } from './nulls.ts';
import { recordBalanceChange } from './record-balance-change.ts';
import { canBePaid } from './show-account.ts';

type NewTransfer = Pick<
  Stripe.Transfer,
  'amount' | 'currency' | 'description' | 'metadata' | 'transfer_group'
>;

/**
 * Moves money from the platform's balance to a connected account's.
 * @throws StripeError when the account may not receive it or the balance is too low
 */
export function createTransfer(
  scope: Scope,
  destination: ConnectedAccount,
  given: NewTransfer,
): Stripe.Transfer {
  if (!canBePaid(destination)) {
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
    description: given.description,
    source: id,
  });
  const payment = createTransferredPayment(scope.forAccount(destination.id), id, given);
  const transfer: Stripe.Transfer = {
    id,
    object: 'transfer',
    ...given,
    amount_reversed: 0,
    balance_transaction: sent.id,
    created: scope.now,
    destination: destination.id,
    destination_payment: payment.id,
    livemode: false,
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: null,
    source_type: 'card',
  };
  scope.objects.insert('transfer', transfer);
  emitEvent(scope, 'transfer.created', transfer);
  return transfer;
}

/** What a transfer looks like from the connected account that receives it: a payment. */
function createTransferredPayment(
  scope: Scope,
  transferId: string,
  { amount, transfer_group }: Pick<NewTransfer, 'amount' | 'transfer_group'>,
): Stripe.Charge {
  const id = newId('py');
  const received = recordBalanceChange(scope, {
    type: 'payment',
    amount,
    reportingCategory: 'charge',
    source: id,
  });
  const payment: Stripe.Charge = {
    ...BLANK_CHARGE,
    id,
    amount,
    amount_captured: amount,
    balance_transaction: received.id,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    ...nulls([
      'calculated_statement_descriptor',
      'description',
      'payment_intent',
      'payment_method',
    ]),
    ...nulls(['receipt_email', 'statement_descriptor', 'statement_descriptor_suffix']),
    captured: true,
    created: scope.now,
    metadata: {},
    paid: true,
    payment_method_details: { type: 'stripe_account', stripe_account: {} },
    source_transfer: transferId,
    status: 'succeeded',
    transfer_group,
  };
  scope.objects.insert('charge', payment);
  return payment;
}

/**
 * Takes back a transfer, whole or in part; `amount` in cents is all that is left when absent.
 * @throws StripeError when less is left of the transfer, or on the connected account
 */
export function reverseTransfer(
  scope: Scope,
  transfer: Stripe.Transfer,
  given: { amount?: number | undefined; metadata: Record<string, string> },
): Stripe.TransferReversal {
  const connected = scope.forAccount(transfer.destination as string);
  const left = transfer.amount - transfer.amount_reversed;
  const amount = given.amount ?? left;
  if (left === 0) throw invalidRequest(`Transfer ${transfer.id} is already fully reversed.`);
  if (amount > left) {
    throw invalidRequest(
      `Reversal amount (${formatPrice(amount)}) is greater than unreversed amount on transfer (${formatPrice(left)})`,
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
  scope.objects.insert('transfer_reversal', reversal);
  const { amount_reversed, reversals } = transfer;
  const changes = {
    amount_reversed: amount_reversed + amount,
    reversals: { ...reversals, data: [reversal, ...reversals.data] },
    reversed: amount === left,
  };
  changeObject(scope, transfer, 'transfer.reversed', changes, { amount_reversed });
  return reversal;
}
