import type Stripe from 'stripe';
import type { Scope } from '../scope.ts';
import type { LineItemJson, SessionDetails } from '../store/kinds.ts';
import { emitEvent } from './emit-event.ts';

/** Ends a checkout well: the buyer has done their part, even if the money is still on its way. */
export function completeSession(
  scope: Scope,
  session: Stripe.Checkout.Session,
  email: string,
  paymentStatus: 'paid' | 'unpaid',
): Stripe.Checkout.Session {
  const completed: Stripe.Checkout.Session = {
    ...session,
    customer_details: {
      address: null,
      business_name: null,
      email,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    payment_status: paymentStatus,
    status: 'complete',
    url: null,
  };
  scope.objects.update('checkout.session', completed);
  emitEvent(scope, 'checkout.session.completed', completed);
  return completed;
}

/** Ends an open checkout without a payment; one that is not open stays as it is. */
export function expireSession(scope: Scope, session: Stripe.Checkout.Session) {
  if (session.status !== 'open') return session;
  const expired: Stripe.Checkout.Session = {
    ...session,
    status: 'expired',
    url: null,
  };
  scope.objects.update('checkout.session', expired);
  if (typeof session.payment_intent === 'string') {
    const canceled: Stripe.PaymentIntent = {
      ...scope.objects.get('payment_intent', session.payment_intent),
      canceled_at: scope.now,
      cancellation_reason: 'expired',
      next_action: null,
      status: 'canceled',
    };
    scope.objects.update('payment_intent', canceled);
    emitEvent(scope, 'payment_intent.canceled', canceled);
  }
  emitEvent(scope, 'checkout.session.expired', expired);
  return expired;
}

/** The id under which a session's lines and further particulars are kept. */
export function detailsId(sessionId: string): string {
  return `details_${sessionId}`;
}

export function sessionDetails(scope: Scope, sessionId: string): SessionDetails {
  return scope.objects.get('session_details', detailsId(sessionId));
}

/** A session's line items, which the session itself does not carry. */
export function lineItemsOf(scope: Scope, sessionId: string): LineItemJson[] {
  return sessionDetails(scope, sessionId).lines.map(({ item }) => item);
}
