import type Stripe from 'stripe';
import { DECLINES } from '../declines.ts';
import type { Scope } from '../scope.ts';
import type { PaymentResult } from './attempt-payment.ts';
import { completeSession } from './complete-session.ts';
import { createCharge } from './create-charge.ts';
import { failPayment } from './fail-payment.ts';
import { succeedPayment } from './succeed-payment.ts';

/** The payment of an open session that waits for its buyer to authenticate, if there is one. */
export function findAwaitingPayment(
  scope: Scope,
  session: Stripe.Checkout.Session,
): Stripe.PaymentIntent | undefined {
  if (session.status !== 'open' || typeof session.payment_intent !== 'string') return undefined;
  const intent = scope.objects.get('payment_intent', session.payment_intent);
  return intent.status === 'requires_action' ? intent : undefined;
}

/** Goes on with a payment after the buyer has, or has not, shown their bank who they are. */
export function finishAuthentication(
  scope: Scope,
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent,
  authenticated: boolean,
): PaymentResult {
  if (!authenticated) {
    failPayment(scope, intent, DECLINES.authentication);
    return { kind: 'declined', decline: DECLINES.authentication };
  }
  const method = scope.objects.get('payment_method', intent.payment_method as string);
  succeedPayment(scope, intent, createCharge(scope, intent, method));
  const email = method.billing_details.email ?? '';
  return { kind: 'completed', session: completeSession(scope, session, email, 'paid') };
}
