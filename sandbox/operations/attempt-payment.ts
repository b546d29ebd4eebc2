import type Stripe from 'stripe';
import type { Decline } from '../declines.ts';
import type { Scope } from '../scope.ts';
import { completeSession } from './complete-session.ts';
import { createCharge } from './create-charge.ts';
import { type CardDetails, createPaymentMethod } from './create-payment-method.ts';
import { emitEvent } from './emit-event.ts';
import { ensurePaymentIntent } from './ensure-payment-intent.ts';
import { failPayment } from './fail-payment.ts';
import { succeedPayment } from './succeed-payment.ts';

export type PaymentResult =
  | { kind: 'completed'; session: Stripe.Checkout.Session }
  | { kind: 'authenticate' }
  | { kind: 'declined'; decline: Decline };

const SETTLES_AFTER_MS = 3000;

/** Tries to pay an open session with a test card. */
export function attemptPayment(
  scope: Scope,
  session: Stripe.Checkout.Session,
  details: CardDetails,
): PaymentResult {
  const { outcome } = details.card;
  const method = createPaymentMethod(scope, details);
  const intent = { ...ensurePaymentIntent(scope, session), payment_method: method.id };

  switch (outcome.kind) {
    case 'pays':
      succeedPayment(scope, intent, createCharge(scope, intent, method));
      return { kind: 'completed', session: completeSession(scope, session, details.email, 'paid') };

    case 'declined':
      failPayment(scope, intent, outcome.decline, createCharge(scope, intent, method));
      return { kind: 'declined', decline: outcome.decline };

    case 'authenticates': {
      const waiting: Stripe.PaymentIntent = {
        ...intent,
        next_action: {
          type: 'redirect_to_url',
          redirect_to_url: { return_url: session.url, url: `${session.url}/confirm` },
        },
        status: 'requires_action',
      };
      scope.objects.update('payment_intent', waiting);
      emitEvent(scope, 'payment_intent.requires_action', waiting);
      return { kind: 'authenticate' };
    }

    case 'settles-later': {
      const charge = createCharge(scope, intent, method);
      const processing: Stripe.PaymentIntent = {
        ...intent,
        latest_charge: charge.id,
        next_action: null,
        status: 'processing',
      };
      scope.objects.update('payment_intent', processing);
      emitEvent(scope, 'charge.pending', charge);
      emitEvent(scope, 'payment_intent.processing', processing);
      const task = outcome.succeeds ? 'settle_payment' : 'fail_settlement';
      scope.later(task, session.id, SETTLES_AFTER_MS);
      const completed = completeSession(scope, session, details.email, 'unpaid');
      return { kind: 'completed', session: completed };
    }
  }
}
