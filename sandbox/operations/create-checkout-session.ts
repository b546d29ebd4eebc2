import type Stripe from 'stripe';
import { TAX_PERCENT } from '../money.ts';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import type { LineItemJson, PaymentIntentData, SessionLine } from '../store/kinds.ts';
import { detailsId } from './end-session.ts';
import { nulls } from './nulls.ts';

export interface NewCheckoutSession {
  adaptivePricing: boolean;
  automaticTax: boolean;
  lines: SessionLine[];
  paymentIntentData: PaymentIntentData;
  /** What the session shows as it was given. */
  shown: Pick<
    Stripe.Checkout.Session,
    | 'allow_promotion_codes'
    | 'billing_address_collection'
    | 'cancel_url'
    | 'client_reference_id'
    | 'customer_creation'
    | 'customer_email'
    | 'expires_at'
    | 'locale'
    | 'metadata'
    | 'submit_type'
    | 'success_url'
  >;
}

/** Opens a checkout for someone to pay on the hosted page, until it expires. */
export function createCheckoutSession(
  scope: Scope,
  given: NewCheckoutSession,
): Stripe.Checkout.Session {
  const id = newId('cs_test', 58);
  const sum = (amount: 'amount_subtotal' | 'amount_tax' | 'amount_total') =>
    given.lines.reduce((cents, { item }) => cents + item[amount], 0);
  const session: Stripe.Checkout.Session = {
    id,
    object: 'checkout.session',
    ...nulls(
      ['after_expiration', 'allowed_payment_method_types', 'client_secret'],
      ['collected_information', 'consent', 'consent_collection', 'currency_conversion'],
      ['customer', 'customer_account', 'customer_details', 'integration_identifier', 'invoice'],
      ['invoice_creation', 'managed_payments', 'origin_context', 'payment_intent'],
      ['payment_link', 'payment_method_configuration_details', 'permissions', 'recovered_from'],
      ['saved_payment_method_options', 'setup_intent', 'shipping_address_collection'],
      ['shipping_cost', 'subscription', 'wallet_options'],
    ),
    ...given.shown,
    adaptive_pricing: { enabled: given.adaptivePricing },
    amount_subtotal: sum('amount_subtotal'),
    amount_total: sum('amount_total'),
    automatic_tax: {
      enabled: given.automaticTax,
      liability: given.automaticTax ? { type: 'self' } : null,
      provider: given.automaticTax ? 'stripe' : null,
      status: given.automaticTax ? 'complete' : null,
    },
    created: scope.now,
    currency: 'usd',
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    discounts: [],
    livemode: false,
    mode: 'payment',
    payment_method_collection: 'if_required',
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    phone_number_collection: { enabled: false },
    shipping_options: [],
    status: 'open',
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: sum('amount_tax') },
    ui_mode: 'hosted_page',
    url: `${scope.publicUrl}/sandbox/checkout/${id}`,
  };
  scope.objects.insert('checkout.session', session);
  scope.objects.insert('session_details', {
    id: detailsId(id),
    lines: given.lines,
    paymentIntentData: given.paymentIntentData,
  });
  scope.later('expire_session', id, session.expires_at * 1000 - Date.now());
  return session;
}

interface NewLineItem {
  name: string;
  /** Cents for one. */
  unitAmount: number;
  quantity: number;
  metadata: Record<string, string>;
  /** How the tax relates to the amount; null where none is computed. */
  tax: 'exclusive' | 'inclusive' | null;
}

/** The tax on an amount, or in it: at the one rate that the sandbox knows. */
function taxIn(cents: number, behavior: NewLineItem['tax']): number {
  if (behavior === null) return 0;
  const base = behavior === 'inclusive' ? 100 + TAX_PERCENT : 100;
  return Math.round((cents * TAX_PERCENT) / base);
}

/** A line of a checkout with the one-off price and product that the provider makes up for it. */
export function buildLineItem(item: NewLineItem, now: number): LineItemJson {
  const subtotal = item.unitAmount * item.quantity;
  const tax = taxIn(subtotal, item.tax);
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: subtotal,
    amount_tax: tax,
    amount_total: item.tax === 'inclusive' ? subtotal : subtotal + tax,
    currency: 'usd',
    description: item.name,
    metadata: item.metadata,
    price: {
      id: newId('price'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: now,
      currency: 'usd',
      ...nulls(['custom_unit_amount', 'lookup_key', 'nickname', 'recurring', 'tiers_mode']),
      livemode: false,
      metadata: {},
      product: newId('prod', 14),
      tax_behavior: item.tax ?? 'unspecified',
      transform_quantity: null,
      type: 'one_time',
      unit_amount: item.unitAmount,
      unit_amount_decimal: String(item.unitAmount),
    },
    quantity: item.quantity,
  };
}
