import type Stripe from 'stripe';
import { createPayout, ownerOf } from '../../operations/payouts.ts';
import { settlementOf } from '../../operations/record-balance-change.ts';
import { createTransfer, reverseTransfer } from '../../operations/transfers.ts';
import { type Endpoint, endpoint, listPage, listShape, lists, retrieves } from '../endpoint.ts';
import { cents, metadata, orNull, text, usd } from '../param-types.ts';

export const transfers: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/transfers',
    {
      amount: cents(),
      currency: usd(),
      description: orNull(text()),
      destination: text(),
      metadata: metadata().default({}),
      transfer_group: orNull(text()),
    },
    (scope, { destination, ...given }) =>
      createTransfer(scope, scope.objects.get('account', destination, 'destination'), given),
  ),
  retrieves('/v1/transfers', 'transfer'),
  lists('/v1/transfers', 'transfer', {
    destination: text().optional(),
    transfer_group: text().optional(),
  }),
  endpoint(
    'POST',
    '/v1/transfers/:id/reversals',
    { amount: cents().optional(), metadata: metadata().default({}) },
    (scope, params, ids) => reverseTransfer(scope, scope.objects.get('transfer', ids.id), params),
  ),
  endpoint('GET', '/v1/transfers/:id/reversals/:reversal', {}, (scope, _params, ids) =>
    scope.objects.get('transfer_reversal', ids.reversal),
  ),
  endpoint('GET', '/v1/transfers/:id/reversals', listShape, (scope, page, ids) =>
    listPage(scope, 'transfer_reversal', `/v1/transfers/${ids.id}/reversals`, {
      ...page,
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
      description: orNull(text()),
      metadata: metadata().default({}),
      statement_descriptor: orNull(text(22)),
    },
    (scope, given) => createPayout(scope, ownerOf(scope), given),
  ),
  retrieves('/v1/payouts', 'payout'),
  lists('/v1/payouts', 'payout', { status: text().optional() }),
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
  lists('/v1/balance_transactions', 'balance_transaction', {
    currency: text().optional(),
    source: text().optional(),
    type: text().optional(),
  }),
];
