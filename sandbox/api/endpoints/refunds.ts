import type Stripe from 'stripe';
import { createRefund } from '../../operations/create-refund.ts';
import type { Scope } from '../../scope.ts';
import { invalidRequest } from '../../stripe-error.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { listPage, listShape } from '../list-page.ts';
import { cents, choice, metadata, text } from '../param-types.ts';
import { retrieves } from '../retrieves.ts';

export const refunds: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/refunds',
    {
      amount: cents().optional(),
      charge: text().optional(),
      metadata: metadata().default({}),
      payment_intent: text().optional(),
      reason: choice(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    },
    (scope, params) =>
      createRefund(scope, chargeToRefund(scope, params), {
        amount: params.amount,
        metadata: params.metadata,
        reason: params.reason ?? null,
      }),
  ),
  retrieves('/v1/refunds', 'refund'),
  endpoint(
    'GET',
    '/v1/refunds',
    { ...listShape, charge: text().optional(), payment_intent: text().optional() },
    (scope, { charge, payment_intent, ...page }) =>
      listPage(scope, 'refund', '/v1/refunds', page, { charge, payment_intent }),
  ),
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
