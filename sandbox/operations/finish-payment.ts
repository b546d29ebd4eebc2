import type Stripe from 'stripe';
import { DECLINES, type Decline } from '../declines.ts';
import { processingCost } from '../money.ts';
import type { Scope } from '../scope.ts';
import { findTestCardByLast4 } from '../test-cards.ts';
import { changeObject, emitEvent } from './emit-event.ts';
import { recordBalanceChange } from './record-balance-change.ts';

/** Long enough for the sale to be seen, and within the five seconds that were promised. */
const DISPUTED_AFTER_MS = 2000;

/** What a card network says of a charge, whatever it decides. */
const OUTCOME = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  risk_level: 'normal',
} as const;

/** Takes the money of a payment: the charge succeeds and with it the payment intent. */
export function succeedPayment(
  scope: Scope,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
): void {
  const card = findTestCardByLast4(charge.payment_method_details?.card?.last4);
  changeObject(scope, charge, 'charge.succeeded', {
    amount_captured: charge.amount,
    balance_transaction: card?.afterwards === 'cost-unreported' ? null : receive(scope, charge),
    captured: true,
    outcome: {
      ...OUTCOME,
      network_status: 'approved_by_network',
      reason: null,
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    status: 'succeeded',
  });
  changeObject(scope, intent, 'payment_intent.succeeded', {
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    status: 'succeeded',
  });
  if (card?.afterwards === 'disputed') scope.later('open_dispute', charge.id, DISPUTED_AFTER_MS);
}

/** The money of a charge, less its cost, enters the balance. Returns the balance transaction's id. */
function receive(scope: Scope, charge: Stripe.Charge): string {
  return recordBalanceChange(scope, {
    type: 'charge',
    amount: charge.amount,
    fee: processingCost(charge.amount),
    feeDescription: 'Stripe processing fees',
    description: charge.description,
    source: charge.id,
  }).id;
}

/** As with the provider's asynchronous capture, a charge may have been paid before its cost is known. */
export function reportCost(scope: Scope, charge: Stripe.Charge): Stripe.Charge {
  if (charge.balance_transaction !== null) return charge;
  const received = { balance_transaction: receive(scope, charge) };
  return changeObject(scope, charge, 'charge.updated', received, { balance_transaction: null });
}

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
    changeObject(scope, charge, 'charge.failed', {
      failure_code: decline.code,
      failure_message: decline.message,
      outcome: {
        ...OUTCOME,
        network_status: 'declined_by_network',
        reason: decline.declineCode ?? null,
        seller_message: 'The bank did not return any further details with this decline.',
        type: 'issuer_declined',
      },
      status: 'failed',
    });
  }
  changeObject(scope, intent, 'payment_intent.payment_failed', {
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
  });
}

/** The money of a completed but unpaid session arrives. */
export function settlePayment(scope: Scope, sessionId: string): void {
  const { session, intent, charge } = unsettled(scope, sessionId);
  succeedPayment(scope, intent, charge);
  changeObject(scope, session, 'checkout.session.async_payment_succeeded', {
    payment_status: 'paid',
  });
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
