import { type Endpoint, endpoint } from '../endpoint.ts';
import { listPage, listShape } from '../list-page.ts';
import { text } from '../param-types.ts';
import { retrieves } from '../retrieves.ts';

export const charges: Endpoint[] = [
  retrieves('/v1/charges', 'charge'),
  endpoint(
    'GET',
    '/v1/charges',
    { ...listShape, payment_intent: text().optional(), transfer_group: text().optional() },
    (scope, { payment_intent, transfer_group, ...page }) =>
      listPage(scope, 'charge', '/v1/charges', page, { payment_intent, transfer_group }),
  ),
  retrieves('/v1/payment_intents', 'payment_intent', 'intent'),
  endpoint('GET', '/v1/payment_intents', listShape, (scope, page) =>
    listPage(scope, 'payment_intent', '/v1/payment_intents', page),
  ),
  retrieves('/v1/payment_methods', 'payment_method', 'payment_method'),
];
