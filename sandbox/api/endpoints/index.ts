import { z } from 'zod';
import { type Endpoint, endpoint, listPage, listShape, retrieves } from '../endpoint.ts';
import { text } from '../param-types.ts';
import { accounts } from './accounts.ts';
import { charges, disputes, refunds } from './charges.ts';
import { checkoutSessions } from './checkout-sessions.ts';
import { testHelpers } from './test-helpers.ts';
import { balance, payouts, transfers } from './transfers.ts';

const events: Endpoint[] = [
  retrieves('/v1/events', 'event'),
  endpoint(
    'GET',
    '/v1/events',
    { ...listShape, type: text().optional(), types: z.array(text()).max(20).optional() },
    (scope, { type, types, ...page }) =>
      listPage(scope, 'event', '/v1/events', page, { type: type ?? types }),
  ),
];

/** All that the sandbox can do. */
export const ENDPOINTS: Endpoint[] = [
  ...accounts,
  ...balance,
  ...charges,
  ...checkoutSessions,
  ...disputes,
  ...events,
  ...payouts,
  ...refunds,
  ...testHelpers,
  ...transfers,
];
