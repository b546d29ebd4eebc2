import { createTransfer } from '../../operations/create-transfer.ts';
import { reverseTransfer } from '../../operations/reverse-transfer.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { listPage, listShape } from '../list-page.ts';
import { cents, metadata, text, usd } from '../param-types.ts';
import { retrieves } from '../retrieves.ts';

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
