import { z } from 'zod';
import { answerDispute, closeDispute } from '../../operations/answer-dispute.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { listPage, listShape } from '../list-page.ts';
import { flag, text } from '../param-types.ts';
import { retrieves } from '../retrieves.ts';

const evidence = z.strictObject({
  access_activity_log: text(20_000).optional(),
  product_description: text(20_000).optional(),
  uncategorized_text: text(20_000).optional(),
});

export const disputes: Endpoint[] = [
  retrieves('/v1/disputes', 'dispute'),
  endpoint(
    'GET',
    '/v1/disputes',
    { ...listShape, charge: text().optional(), payment_intent: text().optional() },
    (scope, { charge, payment_intent, ...page }) =>
      listPage(scope, 'dispute', '/v1/disputes', page, { charge, payment_intent }),
  ),
  endpoint(
    'POST',
    '/v1/disputes/:id',
    { evidence, submit: flag().default(true) },
    (scope, params, ids) =>
      answerDispute(scope, scope.objects.get('dispute', ids.id), params.evidence, params.submit),
  ),
  endpoint('POST', '/v1/disputes/:id/close', {}, (scope, _params, ids) =>
    closeDispute(scope, scope.objects.get('dispute', ids.id)),
  ),
];
