import type Stripe from 'stripe';
import { createPayout, ownerOf } from '../../operations/payouts.ts';
import { settlementOf } from '../../operations/record-balance-change.ts';
import { createTransfer, reverseTransfer } from '../../operations/transfers.ts';
import { type Endpoint, endpoint, listPage, listShape, retrieves } from '../endpoint.ts';
import { cents, metadata, text, usd } from '../param-types.ts';

export const transfers: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/transfers',
    {
      amount: cents(),
      currency: usd(),
      description: text().optional(),
      destination: text(),
      metadata: metadata().default({}),
      transfer_group: text().optional(),
    },
    (scope, params) => {
      const destination = scope.objects.get('account', params.destination, 'destination');
      return createTransfer(scope, destination, {
        amount: params.amount,
        description: params.description ?? null,
        metadata: params.metadata,
        transferGroup: params.transfer_group ?? null,
      });
    },
  ),
  retrieves('/v1/transfers', 'transfer'),
  endpoint(
    'GET',
    '/v1/transfers',
    { ...listShape, destination: text().optional(), transfer_group: text().optional() },
    (scope, { destination, transfer_group, ...page }) =>
      listPage(scope, 'transfer', '/v1/transfers', page, { destination, transfer_group }),
  ),
  endpoint(
    'POST',
    '/v1/transfers/:id/reversals',
    { amount: cents().optional(), metadata: metadata().default({}) },
    (scope, params, ids) =>
      reverseTransfer(scope, scope.objects.get('transfer', ids.id), {
        amount: params.amount,
        metadata: params.metadata,
      }),
  ),
  endpoint('GET', '/v1/transfers/:id/reversals/:reversal', {}, (scope, _params, ids) =>
    scope.objects.get('transfer_reversal', ids.reversal),
  ),
  endpoint('GET', '/v1/transfers/:id/reversals', listShape, (scope, page, ids) =>
    listPage(scope, 'transfer_reversal', `/v1/transfers/${ids.id}/reversals`, page, {
      transfer: scope.objects.get('transfer', ids.id).id,
    }),
  ),
];

export const payouts: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/payouts',
    {
      amount: cents(),
      currency: usd(),
      description: text().optional(),
      metadata: metadata().default({}),
      statement_descriptor: text(22).optional(),
    },
    (scope, params) =>
      createPayout(scope, ownerOf(scope), {
        amount: params.amount,
        description: params.description ?? null,
        metadata: params.metadata,
        statementDescriptor: params.statement_descriptor ?? null,
      }),
  ),
  retrieves('/v1/payouts', 'payout'),
  endpoint('GET', '/v1/payouts', { ...listShape, status: text().optional() }, (scope, params) => {
    const { status, ...page } = params;
    return listPage(scope, 'payout', '/v1/payouts', page, { status });
  }),
];

export const balance: Endpoint[] = [
  endpoint('GET', '/v1/balance', {}, (scope): Stripe.Balance => {
    const amount = scope.objects.balance();
    const { currency = 'usd' } = settlementOf(scope) ?? {};
    return {
      object: 'balance',
      available: [{ amount, currency, source_types: { card: amount } }],
      livemode: false,
      pending: [{ amount: 0, currency, source_types: { card: 0 } }],
    };
  }),
  retrieves('/v1/balance_transactions', 'balance_transaction'),
  endpoint(
    'GET',
    '/v1/balance_transactions',
    {
      ...listShape,
      currency: text().optional(),
      source: text().optional(),
      type: text().optional(),
    },
    (scope, { currency, source, type, ...page }) =>
      listPage(scope, 'balance_transaction', '/v1/balance_transactions', page, {
        currency,
        source,
        type,
      }),
  ),
];
