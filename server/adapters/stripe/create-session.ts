import type { Logger } from 'pino';
import Stripe from 'stripe';
import { fitUnits } from '../../../contract/characters.ts';
import {
  CheckoutInProgressError,
  type CheckoutRequest,
} from '../../selling/purchases/card-provider.ts';
import { writeNotes } from './notes.ts';

/** Characters of what is sold, as the provider shows it. */
const MOST_OF_NAME = 250;

/** Below this difference nothing is refused; the header counts whole seconds. */
const NOTICED_MS = 60_000;

/**
 * Strangers can send requests that are refused: the log counts a provider's lines that repeat. It
 * recognizes them by their message, which therefore must not contain the figures.
 */
const provider = 'stripe';

export type ProviderWarnings = ReturnType<typeof createProviderWarnings>;

/** Tells the operator what is wrong between this server and the provider. */
export function createProviderWarnings(log: Pick<Logger, 'warn' | 'error'>) {
  let refused = 0;
  return {
    /** Told of each answer's `Date` header. */
    compareClocks(date: string | undefined): void {
      const difference = Date.now() - Date.parse(date ?? '');
      if (!(Math.abs(difference) > NOTICED_MS)) return;
      const seconds = Math.round(Math.abs(difference) / 1000);
      const side = difference > 0 ? 'ahead of' : 'behind';
      log.error(
        { provider, seconds },
        `this server's clock is ${side} the payment provider's by the seconds given here: correct it, or checkouts and webhooks will be refused`,
      );
    },
    /** A signature was valid, and this many seconds old by this server's clock. */
    staleWebhook(seconds: number): void {
      log.error(
        { provider, seconds },
        "a webhook was refused: by this server's clock, the provider signed it too long ago, by the seconds given here. Correct the clock, unless the webhook was delayed on its way; the provider will send it again",
      );
    },
    /** A signature was valid, and what it signs says of no event. */
    unreadableWebhook(): void {
      log.warn({ provider }, 'a webhook was refused: it is rightly signed, and says of no event');
    },
    forgedWebhook(): void {
      refused += 1;
      log.warn(
        { provider, refused },
        'a webhook was refused: its signature was made with no secret in the settings. Compare STRIPE_WEBHOOK_SECRET, and with PAYOUTS=connect the two beside it, with the secrets of the endpoints at the provider, unless a stranger sent it',
      );
    },
  };
}

/** Opens a checkout session, or returns the one that the same idempotency key opened. */
export async function createSession(
  stripe: Stripe,
  request: CheckoutRequest,
  warnings: Pick<ProviderWarnings, 'compareClocks'>,
): Promise<{ id: string; url: string | null }> {
  const metadata = writeNotes(request);
  try {
    const { id, url, lastResponse } = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: request.lines.map(({ title, agreedCents }) => ({
          quantity: 1,
          price_data: {
            currency: request.currency,
            unit_amount: agreedCents,
            ...(request.taxed && { tax_behavior: 'exclusive' as const }),
            product_data: { name: fitUnits(title, MOST_OF_NAME) },
          },
        })),
        client_reference_id: metadata.purchase_id,
        metadata,
        payment_intent_data: { metadata },
        ...(request.buyerEmail && { customer_email: request.buyerEmail }),
        adaptive_pricing: { enabled: false },
        ...(request.taxed && { automatic_tax: { enabled: true } }),
        success_url: request.successUrl,
        cancel_url: request.cancelUrl,
        expires_at: Math.floor(request.expiresAt / 1000),
      },
      { idempotencyKey: request.idempotencyKey },
    );
    warnings.compareClocks(lastResponse.headers.date);
    return { id, url };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    warnings.compareClocks(error.headers?.date);
    if (error.param === 'customer_email' && request.buyerEmail) {
      // Of an account elsewhere, such as admin@intranet: its owner types another one.
      const anew = { buyerEmail: null, idempotencyKey: `${request.idempotencyKey}-no-address` };
      return createSession(stripe, { ...request, ...anew }, warnings);
    }
    const inProgress = error.code === 'idempotency_key_in_use';
    throw inProgress ? new CheckoutInProgressError(error.message, { cause: error }) : error;
  }
}
