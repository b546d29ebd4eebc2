import type Stripe from 'stripe';
import { TAX_PERCENT } from '../money.ts';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import type { LineItemJson, PaymentIntentData, SessionLine } from '../store/kinds.ts';
import { detailsId } from './end-session.ts';

export interface NewCheckoutSession {
  adaptivePricing: boolean;
  allowPromotionCodes: boolean | null;
  automaticTax: boolean;
  billingAddressCollection: string | null;
  cancelUrl: string | null;
  clientReferenceId: string | null;
  customerCreation: string;
  customerEmail: string | null;
  /** Unix seconds. */
  expiresAt: number;
  lines: SessionLine[];
  locale: string | null;
  metadata: Record<string, string>;
  paymentIntentData: PaymentIntentData;
  submitType: string | null;
  successUrl: string;
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
    adaptive_pricing: { enabled: given.adaptivePricing },
    after_expiration: null,
    allow_promotion_codes: given.allowPromotionCodes,
    allowed_payment_method_types: null,
    amount_subtotal: sum('amount_subtotal'),
    amount_total: sum('amount_total'),
    automatic_tax: {
      enabled: given.automaticTax,
      liability: given.automaticTax ? { type: 'self' } : null,
      provider: given.automaticTax ? 'stripe' : null,
      status: given.automaticTax ? 'complete' : null,
    },
    billing_address_collection: given.billingAddressCollection,
    cancel_url: given.cancelUrl,
    client_reference_id: given.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: scope.now,
    currency: 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: given.customerCreation,
    customer_details: null,
    customer_email: given.customerEmail,
    discounts: [],
    expires_at: given.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: given.locale,
    managed_payments: null,
    metadata: given.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: given.submitType,
    subscription: null,
    success_url: given.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: sum('amount_tax') },
    ui_mode: 'hosted_page',
    url: `${scope.publicUrl}/sandbox/checkout/${id}`,
    wallet_options: null,
  };
  scope.objects.insert('checkout.session', session);
  scope.objects.insert('session_details', {
    id: detailsId(id),
    lines: given.lines,
    paymentIntentData: given.paymentIntentData,
  });
  scope.later('expire_session', id, given.expiresAt * 1000 - Date.now());
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
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: newId('prod', 14),
      recurring: null,
      tax_behavior: item.tax ?? 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: item.unitAmount,
      unit_amount_decimal: String(item.unitAmount),
    },
    quantity: item.quantity,
  };
}
