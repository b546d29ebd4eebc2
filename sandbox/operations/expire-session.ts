import type Stripe from 'stripe';
import type { Scope } from '../scope.ts';
import { emitEvent } from './emit-event.ts';

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
