import type Stripe from 'stripe';
import { processingCost } from '../money.ts';
import type { Scope } from '../scope.ts';
import { findTestCardByLast4 } from '../test-cards.ts';
import { emitEvent } from './emit-event.ts';
import { recordBalanceChange } from './record-balance-change.ts';

/** Long enough for the sale to be seen, and within the five seconds that were promised. */
const DISPUTED_AFTER_MS = 2000;

/** Takes the money of a payment: the charge succeeds and with it the payment intent. */
export function succeedPayment(
  scope: Scope,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
): void {
  const balanceTransaction = recordBalanceChange(scope, {
    type: 'charge',
    amount: charge.amount,
    fee: processingCost(charge.amount),
    feeDescription: 'Stripe processing fees',
    reportingCategory: 'charge',
    description: charge.description,
    source: charge.id,
  });
  const succeeded: Stripe.Charge = {
    ...charge,
    amount_captured: charge.amount,
    balance_transaction: balanceTransaction.id,
    captured: true,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    status: 'succeeded',
  };
  const paid: Stripe.PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    status: 'succeeded',
  };
  scope.objects.update('charge', succeeded);
  scope.objects.update('payment_intent', paid);
  emitEvent(scope, 'charge.succeeded', succeeded);
  emitEvent(scope, 'payment_intent.succeeded', paid);

  const card = findTestCardByLast4(charge.payment_method_details?.card?.last4);
  if (card?.afterwards === 'disputed') scope.later('open_dispute', charge.id, DISPUTED_AFTER_MS);
}
