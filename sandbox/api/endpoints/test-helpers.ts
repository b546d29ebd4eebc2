import type Stripe from 'stripe';
import { requireMore } from '../../operations/accounts.ts';
import { OPENING_STATUSES, openDispute } from '../../operations/disputes.ts';
import { reportCost } from '../../operations/finish-payment.ts';
import { recordBalanceChange } from '../../operations/record-balance-change.ts';
import { showAccountV1 } from '../../operations/show-account.ts';
import type { Scope } from '../../scope.ts';
import type { Settlement } from '../../store/kinds.ts';
import { invalidRequest } from '../../stripe-error.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { choice, decimal, integer, text } from '../param-types.ts';

/**
 * What happens at the provider by itself, at the moment a test asks for it. The paths are the
 * sandbox's own.
 */
export const testHelpers: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/test_helpers/disputes',
    { payment_intent: text(), status: choice(OPENING_STATUSES).default('needs_response') },
    (scope, { payment_intent, status }) => {
      const dispute = openDispute(scope, chargeOf(scope, payment_intent).id, status);
      if (!dispute) throw invalidRequest('Nothing is left of this payment to be disputed.');
      return dispute;
    },
  ),
  endpoint('POST', '/v1/test_helpers/payment_intents/:id/report_cost', {}, (scope, _params, ids) =>
    reportCost(scope, chargeOf(scope, ids.id)),
  ),
  endpoint(
    'POST',
    '/v1/test_helpers/accounts/:id/require',
    { requirement: text().default('identity.individual.verification.document') },
    (scope, { requirement }, ids) => {
      const account = scope.objects.get('account', ids.id);
      return showAccountV1(requireMore(scope, account, requirement));
    },
  ),
  endpoint(
    'POST',
    '/v1/test_helpers/settlement',
    { currency: text(3), exchange_rate: decimal() },
    (scope, { currency, exchange_rate: exchangeRate }) =>
      settleIn(scope, { id: 'settlement', currency, exchangeRate }),
  ),
  endpoint(
    'POST',
    '/v1/test_helpers/balance_transactions',
    {
      type: choice(['stripe_fee', 'payout', 'payout_failure', 'topup', 'reserve_transaction']),
      amount: integer(Number.MIN_SAFE_INTEGER),
    },
    (scope, change) => recordBalanceChange(scope, { ...change, source: null }),
  ),
];

function chargeOf(scope: Scope, paymentIntent: string): Stripe.Charge {
  const intent = scope.objects.get('payment_intent', paymentIntent, 'payment_intent');
  return scope.objects.get('charge', intent.latest_charge as string);
}

/** From now on the platform's balance is in this currency, at this rate until the next call. */
function settleIn(scope: Scope, settlement: Settlement): Settlement {
  const { objects } = scope;
  const [first] = objects.list('balance_transaction', { limit: 1 }).data;
  if (first && first.currency !== settlement.currency) {
    throw invalidRequest(`The balance is in ${first.currency} already.`, { param: 'currency' });
  }
  const known = objects.find('settlement', settlement.id);
  objects[known ? 'update' : 'insert']('settlement', settlement);
  return settlement;
}
