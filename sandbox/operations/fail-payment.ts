import type Stripe from 'stripe';
import type { Decline } from '../declines.ts';
import type { Scope } from '../scope.ts';
import { emitEvent } from './emit-event.ts';

/**
 * Records an attempt that did not pay; the payment intent waits for another. There is no charge
 * when the attempt ended before the card was charged, as with a failed authentication.
 */
export function failPayment(
  scope: Scope,
  intent: Stripe.PaymentIntent,
  decline: Decline,
  charge?: Stripe.Charge,
): void {
  if (charge) {
    const failed: Stripe.Charge = {
      ...charge,
      failure_code: decline.code,
      failure_message: decline.message,
      outcome: {
        advice_code: null,
        network_advice_code: null,
        network_decline_code: null,
        network_status: 'declined_by_network',
        reason: decline.declineCode ?? null,
        risk_level: 'normal',
        seller_message: 'The bank did not return any further details with this decline.',
        type: 'issuer_declined',
      },
      status: 'failed',
    };
    scope.objects.update('charge', failed);
    emitEvent(scope, 'charge.failed', failed);
  }
  const waiting: Stripe.PaymentIntent = {
    ...intent,
    last_payment_error: {
      type: charge ? 'card_error' : 'invalid_request_error',
      code: decline.code,
      ...(decline.declineCode && { decline_code: decline.declineCode }),
      ...(charge && { charge: charge.id }),
      message: decline.message,
      payment_method: scope.objects.get('payment_method', intent.payment_method as string),
    },
    latest_charge: charge?.id ?? intent.latest_charge,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  };
  scope.objects.update('payment_intent', waiting);
  emitEvent(scope, 'payment_intent.payment_failed', waiting);
}
