import { z } from 'zod';
import { findWebhookEndpoint, updateWebhookEndpoint } from '../../operations/webhook-endpoint.ts';
import { type Endpoint, endpoint, listPage, listShape, retrieves } from '../endpoint.ts';
import { flag, text } from '../param-types.ts';
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

const WEBHOOK_ENDPOINTS = '/v1/webhook_endpoints';

const webhookEndpoints: Endpoint[] = [
  endpoint('GET', WEBHOOK_ENDPOINTS, listShape, (scope) => ({
    object: 'list',
    data: [findWebhookEndpoint(scope)],
    has_more: false,
    url: WEBHOOK_ENDPOINTS,
  })),
  endpoint(
    'POST',
    `${WEBHOOK_ENDPOINTS}/:id`,
    { disabled: flag().optional(), enabled_events: z.array(text()).min(1).optional() },
    (scope, { disabled, enabled_events: enabledEvents }) =>
      updateWebhookEndpoint(scope, { disabled, enabledEvents }),
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
  ...webhookEndpoints,
];
