import type { Mode } from './tables.ts';

interface CheckoutRequest {
  purchaseId: string;
  linkId: string;
  /** Shown on the provider's page. */
  title: string;
  priceCents: number;
  currency: string;
  buyerEmail: string | null;
  successUrl: string;
  cancelUrl: string;
  /** UTC milliseconds. */
  expiresAt: number;
  /** Same key and request: the provider answers the same session instead of a second one. */
  idempotencyKey: string;
}

/** A checkout session as the provider reports it now. */
export interface CheckoutSession {
  id: string;
  /** The provider's hosted page; null once the session is over. */
  url: string | null;
  /** The purchase it was created for; null for a session that is not ours. */
  purchaseId: string | null;
  status: 'open' | 'complete' | 'expired';
  paid: boolean;
  /** Before taxes that the provider adds. */
  subtotalCents: number;
  currency: string;
  paymentIntentId: string | null;
  buyerEmail: string | null;
}

/** What became of a payment after it was made, as the provider reports it now. */
export interface PaymentReport {
  amountCents: number;
  refundedCents: number;
  /** Of disputes that withdrew money; an inquiry withdraws none and counts as 'none'. */
  dispute: 'none' | 'open' | 'lost';
}

/** The card payment provider, as far as buying needs it. */
export interface CardProvider {
  mode: Mode;
  /** Whose money it is at the provider: purchases of different accounts never mix. */
  account(): Promise<string>;
  createCheckout(request: CheckoutRequest): Promise<{ id: string; url: string | null }>;
  /** Null when the provider knows no such session. */
  retrieveCheckout(sessionId: string): Promise<CheckoutSession | null>;
  retrievePayment(paymentIntentId: string): Promise<PaymentReport>;
}
