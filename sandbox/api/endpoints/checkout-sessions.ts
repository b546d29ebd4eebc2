import { createCheckoutSession } from '../../operations/create-checkout-session.ts';
import { expireSession } from '../../operations/expire-session.ts';
import { lineItemsOf } from '../../operations/session-details.ts';
import { invalidRequest } from '../../stripe-error.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { listPage, listShape } from '../list-page.ts';
import { choice, text } from '../param-types.ts';
import { retrieves } from '../retrieves.ts';
import { readNewSession } from './read-new-session.ts';
import { sessionShape } from './session-shape.ts';

const PATH = '/v1/checkout/sessions';

export const checkoutSessions: Endpoint[] = [
  endpoint('POST', PATH, sessionShape, (scope, params) =>
    createCheckoutSession(scope, readNewSession(params, scope.now)),
  ),
  retrieves(PATH, 'checkout.session', 'session'),
  endpoint(
    'GET',
    PATH,
    {
      ...listShape,
      payment_intent: text().optional(),
      status: choice(['complete', 'expired', 'open']).optional(),
    },
    (scope, { payment_intent, status, ...page }) =>
      listPage(scope, 'checkout.session', PATH, page, { payment_intent, status }),
  ),
  endpoint('POST', `${PATH}/:id/expire`, {}, (scope, _params, ids) => {
    const session = scope.objects.get('checkout.session', ids.id, 'session');
    if (session.status !== 'open') {
      throw invalidRequest(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    }
    return expireSession(scope, session);
  }),
  endpoint('GET', `${PATH}/:id/line_items`, {}, (scope, _params, ids) => {
    const { id } = scope.objects.get('checkout.session', ids.id, 'session');
    const data = lineItemsOf(scope, id);
    return { object: 'list', data, has_more: false, url: `${PATH}/${id}/line_items` };
  }),
];
