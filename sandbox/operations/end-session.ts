import type Stripe from 'stripe';
import type { Scope } from '../scope.ts';
import type { LineItemJson, SessionDetails } from '../store/kinds.ts';
import { changeObject } from './emit-event.ts';
import { nulls } from './nulls.ts';

/** Ends a checkout well: the buyer has done their part, even if the money is still on its way. */
export function completeSession(
  scope: Scope,
  session: Stripe.Checkout.Session,
  email: string,
  paymentStatus: 'paid' | 'unpaid',
): Stripe.Checkout.Session {
  return changeObject(scope, session, 'checkout.session.completed', {
    customer_details: {
      ...nulls(['address', 'business_name', 'individual_name', 'name', 'phone']),
      email,
      tax_exempt: 'none',
      tax_ids: [],
    },
    payment_status: paymentStatus,
    status: 'complete',
    url: null,
  });
}

/** Ends an open checkout without a payment; one that is not open stays as it is. */
export function expireSession(scope: Scope, session: Stripe.Checkout.Session) {
  if (session.status !== 'open') return session;
  if (typeof session.payment_intent === 'string') {
    const intent = scope.objects.get('payment_intent', session.payment_intent);
    changeObject(scope, intent, 'payment_intent.canceled', {
      canceled_at: scope.now,
      cancellation_reason: 'expired',
      next_action: null,
      status: 'canceled',
    });
  }
  return changeObject(scope, session, 'checkout.session.expired', { status: 'expired', url: null });
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
