import { bankAccountOf } from '../../operations/bank-account-of.ts';
import { createPayout } from '../../operations/create-payout.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { listPage, listShape } from '../list-page.ts';
import { cents, metadata, text, usd } from '../param-types.ts';
import { retrieves } from '../retrieves.ts';

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
      createPayout(scope, bankAccountOf(scope)?.id, {
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
