import type { z } from 'zod';
import { formatCents, LARGEST_CHARGE, SMALLEST_CHARGE } from '../../money.ts';
import { buildLineItem } from '../../operations/build-line-item.ts';
import type { NewCheckoutSession } from '../../operations/create-checkout-session.ts';
import { invalidRequest } from '../../stripe-error.ts';
import type { sessionShape } from './session-shape.ts';

type SessionParams = z.infer<z.ZodObject<typeof sessionShape>>;

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/**
 * Makes of the parameters what a new session consists of.
 * @throws StripeError when the total or the expiry is out of the provider's bounds
 */
export function readNewSession(params: SessionParams, now: number): NewCheckoutSession {
  const lines = params.line_items.map(({ metadata, price_data, quantity }) => {
    const { product_data: product, unit_amount: unitAmount } = price_data;
    return {
      item: buildLineItem({ name: product.name, unitAmount, quantity, metadata }, now),
      productDescription: product.description ?? null,
    };
  });
  refuseTotalOutOfBounds(lines.reduce((sum, { item }) => sum + item.amount_total, 0));
  const expiresAt = params.expires_at ?? now + DAY;
  refuseExpiryOutOfBounds(expiresAt, now);
  const intent = params.payment_intent_data;
  return {
    adaptivePricing: params.adaptive_pricing?.enabled ?? false,
    allowPromotionCodes: params.allow_promotion_codes ?? null,
    automaticTax: params.automatic_tax?.enabled ?? false,
    billingAddressCollection: params.billing_address_collection ?? null,
    cancelUrl: params.cancel_url ?? null,
    clientReferenceId: params.client_reference_id ?? null,
    customerCreation: params.customer_creation,
    customerEmail: params.customer_email ?? null,
    expiresAt,
    lines,
    locale: params.locale ?? null,
    metadata: params.metadata,
    paymentIntentData: {
      description: intent.description ?? null,
      metadata: intent.metadata ?? {},
      receipt_email: intent.receipt_email ?? null,
      statement_descriptor: intent.statement_descriptor ?? null,
      statement_descriptor_suffix: intent.statement_descriptor_suffix ?? null,
      transfer_group: intent.transfer_group ?? null,
    },
    submitType: params.submit_type ?? null,
    successUrl: params.success_url,
  };
}

function refuseTotalOutOfBounds(total: number): void {
  if (total < SMALLEST_CHARGE) {
    throw invalidRequest(
      `The Checkout Session's total amount due must add up to at least ${formatCents(SMALLEST_CHARGE)} usd`,
      { code: 'amount_too_small', param: 'line_items' },
    );
  }
  if (total > LARGEST_CHARGE) {
    throw invalidRequest(
      `The Checkout Session's total amount due must be no more than ${formatCents(LARGEST_CHARGE)} usd`,
      { code: 'amount_too_large', param: 'line_items' },
    );
  }
}

function refuseExpiryOutOfBounds(expiresAt: number, now: number): void {
  if (expiresAt < now + 30 * MINUTE) {
    throw invalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      { param: 'expires_at' },
    );
  }
  if (expiresAt > now + DAY) {
    throw invalidRequest(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    );
  }
}
