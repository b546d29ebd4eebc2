import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { recordBalanceChange } from './record-balance-change.ts';

/** What a transfer looks like from the connected account that receives it: a payment. */
export function createTransferredPayment(
  scope: Scope,
  transferId: string,
  { amount, transferGroup }: { amount: number; transferGroup: string | null },
): Stripe.Charge {
  const id = newId('py');
  const received = recordBalanceChange(scope, {
    type: 'payment',
    amount,
    reportingCategory: 'charge',
    description: null,
    source: id,
  });
  const payment: Stripe.Charge = {
    id,
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: received.id,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: true,
    created: scope.now,
    currency: 'usd',
    customer: null,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_intent: null,
    payment_method: null,
    payment_method_details: { type: 'stripe_account', stripe_account: {} },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: transferId,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: transferGroup,
  };
  scope.objects.insert('charge', payment);
  return payment;
}
