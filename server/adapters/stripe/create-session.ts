import Stripe from 'stripe';
import {
  CheckoutInProgressError,
  type CheckoutRequest,
} from '../../domain/purchases/card-provider.ts';
import type { ProviderWarnings } from './provider-warnings.ts';

/** Opens a checkout session, or answers the one that the same idempotency key opened. */
export async function createSession(
  stripe: Stripe,
  request: CheckoutRequest,
  warnings: Pick<ProviderWarnings, 'compareClocks'>,
): Promise<{ id: string; url: string | null }> {
  const metadata = {
    purchase_id: request.purchaseId,
    link_id: request.linkId,
    installation_id: request.installationId,
    fee_cents: request.feeCents,
    files_fingerprint: request.filesFingerprint,
  };
  try {
    const { id, url, lastResponse } = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: request.currency,
              unit_amount: request.priceCents,
              product_data: { name: request.title },
            },
          },
        ],
        client_reference_id: request.purchaseId,
        metadata,
        payment_intent_data: { metadata },
        ...(request.buyerEmail && { customer_email: request.buyerEmail }),
        adaptive_pricing: { enabled: false },
        success_url: request.successUrl,
        cancel_url: request.cancelUrl,
        expires_at: Math.floor(request.expiresAt / 1000),
      },
      { idempotencyKey: request.idempotencyKey },
    );
    warnings.compareClocks(lastResponse.headers.date);
    return { id, url };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) warnings.compareClocks(error.headers?.date);
    const inProgress =
      error instanceof Stripe.errors.StripeError && error.code === 'idempotency_key_in_use';
    throw inProgress ? new CheckoutInProgressError(error.message, { cause: error }) : error;
  }
}
