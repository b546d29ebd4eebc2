import Stripe from 'stripe';
import type {
  CardProvider,
  CheckoutSession,
  PaymentReport,
} from '../../domain/purchases/card-provider.ts';
import type { ProviderEvent } from '../../domain/purchases/receive-webhook.ts';

export type StripeTarget =
  | { kind: 'stripe'; secretKey: string; webhookSecret: string; live: boolean }
  /** The built-in sandbox: the same SDK against its loopback API. */
  | { kind: 'sandbox'; apiUrl: string; webhookSecret: string };

export interface StripeAdapter {
  provider: CardProvider;
  /** The event when the signature is the provider's and fresh, else null. */
  verifyWebhook(body: Buffer, signature: string): ProviderEvent | null;
}

/** The age in seconds up to which a signed webhook is accepted (the provider's own default). */
const SIGNATURE_TOLERANCE_S = 300;

export function openStripe(target: StripeTarget): StripeAdapter {
  const stripe = createClient(target);
  return {
    provider: {
      mode: target.kind === 'stripe' && target.live ? 'live' : 'test',
      account: accountReader(stripe, target),
      async createCheckout(request) {
        const session = await stripe.checkout.sessions.create(
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
            metadata: { purchase_id: request.purchaseId, link_id: request.linkId },
            payment_intent_data: {
              metadata: { purchase_id: request.purchaseId, link_id: request.linkId },
            },
            ...(request.buyerEmail && { customer_email: request.buyerEmail }),
            adaptive_pricing: { enabled: false },
            success_url: request.successUrl,
            cancel_url: request.cancelUrl,
            expires_at: Math.floor(request.expiresAt / 1000),
          },
          { idempotencyKey: request.idempotencyKey },
        );
        return { id: session.id, url: session.url };
      },
      async retrieveCheckout(sessionId) {
        const session = await orNullWhenMissing(stripe.checkout.sessions.retrieve(sessionId));
        return session && toSession(session);
      },
      async retrievePayment(paymentIntentId) {
        const [intent, disputes] = await Promise.all([
          stripe.paymentIntents.retrieve(paymentIntentId, { expand: ['latest_charge'] }),
          stripe.disputes.list({ payment_intent: paymentIntentId, limit: 100 }),
        ]);
        const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
        return {
          amountCents: intent.amount,
          refundedCents: charge?.amount_refunded ?? 0,
          dispute: disputeOf(disputes.data),
        };
      },
    },
    verifyWebhook(body, signature) {
      try {
        const event = stripe.webhooks.constructEvent(
          body,
          signature,
          target.webhookSecret,
          SIGNATURE_TOLERANCE_S,
        );
        return {
          id: event.id,
          type: event.type,
          mode: event.livemode ? 'live' : 'test',
          payload: body.toString('utf8'),
        };
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
        throw error;
      }
    },
  };
}

function createClient(target: StripeTarget): Stripe {
  const common = { maxNetworkRetries: 2, timeout: 20_000, telemetry: false };
  if (target.kind === 'stripe') return new Stripe(target.secretKey, common);
  const { hostname, port } = new URL(target.apiUrl);
  return new Stripe('sk_test_sandbox', { ...common, host: hostname, port, protocol: 'http' });
}

/** Asked once and kept; asked again after a failure. */
function accountReader(stripe: Stripe, target: StripeTarget): () => Promise<string> {
  if (target.kind === 'sandbox') return async () => 'sandbox';
  let known: string | undefined;
  return async () => {
    known ??= (await stripe.accounts.retrieveCurrent()).id;
    return known;
  };
}

async function orNullWhenMissing<Found>(answer: Promise<Found>): Promise<Found | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing')
      return null;
    throw error;
  }
}

function toSession(session: Stripe.Checkout.Session): CheckoutSession {
  const intent = session.payment_intent;
  return {
    id: session.id,
    url: session.url,
    purchaseId: session.metadata?.purchase_id ?? null,
    status: toStatus(session.status),
    paid: session.payment_status === 'paid',
    subtotalCents: session.amount_subtotal ?? 0,
    currency: session.currency ?? '',
    paymentIntentId: typeof intent === 'string' ? intent : (intent?.id ?? null),
    buyerEmail: session.customer_details?.email ?? session.customer_email,
  };
}

/** A status newer than this code counts as open: nothing is granted for it. */
function toStatus(status: Stripe.Checkout.Session['status']): CheckoutSession['status'] {
  if (status === 'complete') return 'complete';
  return status === 'expired' ? 'expired' : 'open';
}

/** Inquiries (warning_*) withdraw no money; 'prevented' and 'won' leave none withdrawn. */
function disputeOf(disputes: Stripe.Dispute[]): PaymentReport['dispute'] {
  const statuses = new Set(disputes.map(({ status }) => status));
  if (statuses.has('lost')) return 'lost';
  return statuses.has('needs_response') || statuses.has('under_review') ? 'open' : 'none';
}
