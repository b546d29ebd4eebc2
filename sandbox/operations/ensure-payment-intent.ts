import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { emitEvent } from './emit-event.ts';
import { sessionDetails } from './session-details.ts';

/**
 * The payment intent of a session. As at the provider it comes into being when someone first tries
 * to pay, and serves every further attempt.
 */
export function ensurePaymentIntent(
  scope: Scope,
  session: Stripe.Checkout.Session,
): Stripe.PaymentIntent {
  if (typeof session.payment_intent === 'string') {
    return scope.objects.get('payment_intent', session.payment_intent);
  }
  const { paymentIntentData } = sessionDetails(scope, session.id);
  const id = newId('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: session.amount_total ?? 0,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: newId(`${id}_secret`, 25),
    confirmation_method: 'automatic',
    created: scope.now,
    currency: 'usd',
    customer: null,
    customer_account: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    status: 'requires_payment_method',
    transfer_data: null,
    ...paymentIntentData,
  };
  scope.objects.insert('payment_intent', intent);
  session.payment_intent = id;
  scope.objects.update('checkout.session', session);
  emitEvent(scope, 'payment_intent.created', intent);
  return intent;
}
