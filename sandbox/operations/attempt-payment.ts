import type Stripe from 'stripe';
import { DECLINES, type Decline } from '../declines.ts';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { createCharge } from './create-charge.ts';
import { type CardDetails, createPaymentMethod } from './create-payment-method.ts';
import { changeObject, emitEvent } from './emit-event.ts';
import { completeSession, sessionDetails } from './end-session.ts';
import { failPayment, succeedPayment } from './finish-payment.ts';
import { nulls } from './nulls.ts';

export type PaymentResult =
  | { kind: 'completed'; session: Stripe.Checkout.Session }
  | { kind: 'authenticate' }
  | { kind: 'declined'; decline: Decline };

const SETTLES_AFTER_MS = 3000;

export function attemptPayment(
  scope: Scope,
  session: Stripe.Checkout.Session,
  details: CardDetails,
): PaymentResult {
  const { outcome } = details.card;
  const method = createPaymentMethod(scope, details);
  const intent: Stripe.PaymentIntent = {
    ...ensurePaymentIntent(scope, session),
    payment_method: method.id,
  };

  switch (outcome.kind) {
    case 'pays':
      succeedPayment(scope, intent, createCharge(scope, intent, method));
      return { kind: 'completed', session: completeSession(scope, session, details.email, 'paid') };

    case 'declined':
      failPayment(scope, intent, outcome.decline, createCharge(scope, intent, method));
      return { kind: 'declined', decline: outcome.decline };

    case 'authenticates':
      changeObject(scope, intent, 'payment_intent.requires_action', {
        next_action: {
          type: 'redirect_to_url',
          redirect_to_url: { return_url: session.url, url: `${session.url}/confirm` },
        },
        status: 'requires_action',
      });
      return { kind: 'authenticate' };

    case 'settles-later': {
      const charge = createCharge(scope, intent, method);
      emitEvent(scope, 'charge.pending', charge);
      changeObject(scope, intent, 'payment_intent.processing', {
        latest_charge: charge.id,
        next_action: null,
        status: 'processing',
      });
      const task = outcome.succeeds ? 'settle_payment' : 'fail_settlement';
      scope.later(task, session.id, SETTLES_AFTER_MS);
      const completed = completeSession(scope, session, details.email, 'unpaid');
      return { kind: 'completed', session: completed };
    }
  }
}

/**
 * The payment intent of a session. As at the provider it comes into being when someone first tries
 * to pay, and serves every further attempt.
 */
function ensurePaymentIntent(scope: Scope, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
  if (typeof session.payment_intent === 'string') {
    return scope.objects.get('payment_intent', session.payment_intent);
  }
  const { paymentIntentData } = sessionDetails(scope, session.id);
  const id = newId('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    ...nulls(
      ['allowed_payment_method_types', 'application', 'application_fee_amount'],
      ['automatic_payment_methods', 'canceled_at', 'cancellation_reason', 'customer'],
      ['customer_account', 'excluded_payment_method_types', 'last_payment_error'],
      ['latest_charge', 'managed_payments', 'next_action', 'on_behalf_of', 'payment_method'],
      ['payment_method_configuration_details', 'payment_record', 'processing', 'review'],
      ['setup_future_usage', 'shipping', 'source', 'transfer_data'],
    ),
    amount: session.amount_total ?? 0,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    capture_method: 'automatic_async',
    client_secret: newId(`${id}_secret`, 25),
    confirmation_method: 'automatic',
    created: scope.now,
    currency: 'usd',
    livemode: false,
    payment_method_options: {},
    payment_method_types: ['card'],
    status: 'requires_payment_method',
    ...paymentIntentData,
  };
  scope.objects.insert('payment_intent', intent);
  session.payment_intent = id;
  scope.objects.update('checkout.session', session);
  emitEvent(scope, 'payment_intent.created', intent);
  return intent;
}

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
