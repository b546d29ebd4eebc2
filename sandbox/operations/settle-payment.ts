import type Stripe from 'stripe';
import { DECLINES } from '../declines.ts';
import type { Scope } from '../scope.ts';
import { emitEvent } from './emit-event.ts';
import { failPayment } from './fail-payment.ts';
import { succeedPayment } from './succeed-payment.ts';

/** The money of a completed but unpaid session arrives. */
export function settlePayment(scope: Scope, sessionId: string): void {
  const { session, intent, charge } = unsettled(scope, sessionId);
  succeedPayment(scope, intent, charge);
  const paid: Stripe.Checkout.Session = { ...session, payment_status: 'paid' };
  scope.objects.update('checkout.session', paid);
  emitEvent(scope, 'checkout.session.async_payment_succeeded', paid);
}

/** The money of a completed but unpaid session never arrives. */
export function failSettlement(scope: Scope, sessionId: string): void {
  const { session, intent, charge } = unsettled(scope, sessionId);
  failPayment(scope, intent, DECLINES.settlement, charge);
  emitEvent(scope, 'checkout.session.async_payment_failed', session);
}

function unsettled(scope: Scope, sessionId: string) {
  const session = scope.objects.get('checkout.session', sessionId);
  const intent = scope.objects.get('payment_intent', session.payment_intent as string);
  const charge = scope.objects.get('charge', intent.latest_charge as string);
  return { session, intent, charge };
}
