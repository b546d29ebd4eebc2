import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { nulls } from './nulls.ts';

/** What is the same of every charge at first. */
export const BLANK_CHARGE = {
  object: 'charge',
  ...nulls(
    ['application', 'application_fee', 'application_fee_amount', 'customer'],
    ['failure_balance_transaction', 'failure_code', 'failure_message', 'on_behalf_of'],
    ['outcome', 'receipt_number', 'receipt_url', 'review', 'shipping', 'source'],
    ['transfer_data'],
  ),
  amount_refunded: 0,
  currency: 'usd',
  disputed: false,
  fraud_details: {},
  livemode: false,
  refunded: false,
} as const satisfies Partial<Stripe.Charge>;

/** A charge of a payment intent's card, pending until someone says what became of it. */
export function createCharge(
  scope: Scope,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Stripe.Charge {
  const charge: Stripe.Charge = {
    ...BLANK_CHARGE,
    id: newId('ch'),
    amount: intent.amount,
    amount_captured: 0,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: intent.statement_descriptor ?? 'PADLINK SANDBOX',
    captured: false,
    created: scope.now,
    description: intent.description,
    metadata: intent.metadata,
    paid: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', ...(method.card && cardDetails(method.card, intent)) },
    radar_options: {},
    receipt_email: intent.receipt_email,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: 'pending',
    transfer_group: intent.transfer_group,
  };
  scope.objects.insert('charge', charge);
  return charge;
}

function cardDetails(
  card: Stripe.PaymentMethod.Card,
  intent: Stripe.PaymentIntent,
): Pick<Stripe.Charge.PaymentMethodDetails, 'card'> {
  return {
    card: {
      ...nulls(
        ['authorization_code', 'electronic_commerce_indicator', 'installments', 'mandate'],
        ['network_transaction_id', 'three_d_secure', 'transaction_link_id', 'wallet'],
      ),
      amount_authorized: intent.amount,
      brand: card.brand,
      checks: card.checks,
      country: card.country,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      funding: card.funding,
      last4: card.last4,
      network: card.brand,
      regulated_status: card.regulated_status,
    },
  };
}
