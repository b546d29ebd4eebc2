import type Stripe from 'stripe';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { listPage, listShape } from '../list-page.ts';
import { text } from '../param-types.ts';
import { retrieves } from '../retrieves.ts';

export const balance: Endpoint[] = [
  endpoint('GET', '/v1/balance', {}, (scope): Stripe.Balance => {
    const amount = scope.objects.balance();
    return {
      object: 'balance',
      available: [{ amount, currency: 'usd', source_types: { card: amount } }],
      livemode: false,
      pending: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
    };
  }),
  retrieves('/v1/balance_transactions', 'balance_transaction'),
  endpoint(
    'GET',
    '/v1/balance_transactions',
    { ...listShape, source: text().optional(), type: text().optional() },
    (scope, { source, type, ...page }) =>
      listPage(scope, 'balance_transaction', '/v1/balance_transactions', page, { source, type }),
  ),
];
