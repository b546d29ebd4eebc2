import type Stripe from 'stripe';
import { z } from 'zod';
import { answerDispute, closeDispute } from '../../operations/disputes.ts';
import { createRefund } from '../../operations/refunds.ts';
import type { Scope } from '../../scope.ts';
import { invalidRequest } from '../../stripe-error.ts';
import { type Endpoint, endpoint, lists, retrieves } from '../endpoint.ts';
import { cents, choice, emailAddress, flag, metadata, orNull, text } from '../param-types.ts';

export const charges: Endpoint[] = [
  retrieves('/v1/charges', 'charge'),
  lists('/v1/charges', 'charge', {
    payment_intent: text().optional(),
    transfer_group: text().optional(),
  }),
  retrieves('/v1/payment_intents', 'payment_intent', 'intent'),
  lists('/v1/payment_intents', 'payment_intent'),
  retrieves('/v1/payment_methods', 'payment_method', 'payment_method'),
];

/** What refunds and disputes can be found by. */
const ofPayment = { charge: text().optional(), payment_intent: text().optional() };

export const refunds: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/refunds',
    {
      amount: cents().optional(),
      charge: text().optional(),
      metadata: metadata().default({}),
      payment_intent: text().optional(),
      reason: orNull(choice(['duplicate', 'fraudulent', 'requested_by_customer'])),
    },
    (scope, params) => createRefund(scope, chargeToRefund(scope, params), params),
  ),
  retrieves('/v1/refunds', 'refund'),
  lists('/v1/refunds', 'refund', ofPayment),
];

function chargeToRefund(
  scope: Scope,
  given: { charge?: string | undefined; payment_intent?: string | undefined },
): Stripe.Charge {
  if (given.charge) return scope.objects.get('charge', given.charge, 'charge');
  if (!given.payment_intent) {
    throw invalidRequest(
      'One of the following params should be provided for this request: payment_intent or charge.',
      { code: 'parameter_missing' },
    );
  }
  const intent = scope.objects.get('payment_intent', given.payment_intent, 'payment_intent');
  if (typeof intent.latest_charge !== 'string') {
    throw invalidRequest(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      { param: 'payment_intent' },
    );
  }
  return scope.objects.get('charge', intent.latest_charge);
}

const evidence = z.strictObject({
  access_activity_log: text(20_000).optional(),
  customer_email_address: emailAddress().optional(),
  customer_purchase_ip: text().optional(),
  service_date: text().optional(),
  appeal: z.strictObject({ card: z.strictObject({ reason_for_filing: text(20_000) }) }).optional(),
  product_description: text(20_000).optional(),
  uncategorized_text: text(20_000).optional(),
});

export const disputes: Endpoint[] = [
  retrieves('/v1/disputes', 'dispute'),
  lists('/v1/disputes', 'dispute', ofPayment),
  endpoint(
    'POST',
    '/v1/disputes/:id',
    { evidence: evidence.default({}), submit: flag().default(true) },
    (scope, params, ids) =>
      answerDispute(scope, scope.objects.get('dispute', ids.id), params.evidence, params.submit),
  ),
  endpoint('POST', '/v1/disputes/:id/close', {}, (scope, _params, ids) =>
    closeDispute(scope, scope.objects.get('dispute', ids.id)),
  ),
];
