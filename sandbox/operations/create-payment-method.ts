import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import type { TestCard } from '../test-cards.ts';
import { nulls } from './nulls.ts';

export interface CardDetails {
  card: TestCard;
  expiryMonth: number;
  expiryYear: number;
  email: string;
}

/** Keeps a card for one payment; of its number only the last four digits. */
export function createPaymentMethod(
  scope: Scope,
  { card, expiryMonth, expiryYear, email }: CardDetails,
): Stripe.PaymentMethod {
  const method: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: { ...nulls(['city', 'line1', 'line2', 'postal_code', 'state']), country: 'US' },
      email,
      ...nulls(['name', 'phone', 'tax_id']),
    },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand,
      exp_month: expiryMonth,
      exp_year: expiryYear,
      funding: card.funding,
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: scope.now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  scope.objects.insert('payment_method', method);
  return method;
}
