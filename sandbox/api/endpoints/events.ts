import { z } from 'zod';
import {
  DESTINATIONS,
  findDestination,
  showDestination,
  showWebhookEndpoint,
  updateDestination,
} from '../../operations/event-destinations.ts';
import type { Scope } from '../../scope.ts';
import type { EventDestination } from '../../store/kinds.ts';
import { noSuch } from '../../stripe-error.ts';
import { type Endpoint, endpoint, listPage, listShape, retrieves } from '../endpoint.ts';
import { choice, flag, integer, text } from '../param-types.ts';

const types = z.array(text()).max(20).optional();

const snapshots: Endpoint[] = [
  retrieves('/v1/events', 'event'),
  endpoint(
    'GET',
    '/v1/events',
    { ...listShape, type: text().optional(), types },
    (scope, { type, types, ...page }) =>
      listPage(scope, 'event', '/v1/events', { ...page, type: type ?? types }),
  ),
];

const THIN = '/v2/core/events';

const thin: Endpoint[] = [
  endpoint('GET', `${THIN}/:id`, {}, (scope, _params, ids) =>
    scope.objects.get('thin_event', ids.id),
  ),
  endpoint(
    'GET',
    THIN,
    {
      limit: integer(1, 100).default(20),
      object_id: text().optional(),
      page: text().optional(),
      types,
    },
    (scope, { limit, object_id: subject, page: startingAfter, types: type }) => {
      const { data, hasMore } = scope.objects.list('thin_event', {
        limit,
        startingAfter,
        fields: { type, 'related_object.id': subject },
      });
      const next = new URLSearchParams({ limit: String(limit), page: data.at(-1)?.id ?? '' });
      if (subject) next.set('object_id', subject);
      for (const [index, one] of (type ?? []).entries()) next.set(`types[${index}]`, one);
      return { data, next_page_url: hasMore ? `${THIN}?${next}` : null, previous_page_url: null };
    },
  ),
];

const ENDPOINTS = '/v1/webhook_endpoints';

const webhookEndpoints: Endpoint[] = [
  endpoint('GET', ENDPOINTS, listShape, (scope) => ({
    object: 'list',
    data: [DESTINATIONS.platform, DESTINATIONS.connected].map((id) =>
      showWebhookEndpoint(scope, findDestination(scope, id)),
    ),
    has_more: false,
    url: ENDPOINTS,
  })),
  endpoint(
    'POST',
    `${ENDPOINTS}/:id`,
    { disabled: flag().optional(), enabled_events: z.array(text()).min(1).optional() },
    (scope, { disabled, enabled_events: enabledEvents }, ids) =>
      showWebhookEndpoint(
        scope,
        updateDestination(scope, destinationOf(ids.id), {
          isEnabled: disabled === undefined ? undefined : !disabled,
          enabledEvents,
        }),
      ),
  ),
];

const EVENT_DESTINATIONS = '/v2/core/event_destinations';

function switches(action: 'disable' | 'enable'): Endpoint {
  return endpoint('POST', `${EVENT_DESTINATIONS}/:id/${action}`, {}, (scope, _params, ids) =>
    updateShown(scope, ids.id, { isEnabled: action === 'enable' }),
  );
}

const destinations: Endpoint[] = [
  endpoint(
    'GET',
    EVENT_DESTINATIONS,
    {
      include: z.array(choice(['webhook_endpoint.url'])).optional(),
      limit: integer(1, 100).optional(),
    },
    (scope) => ({
      data: Object.values(DESTINATIONS).map((id) =>
        showDestination(scope, findDestination(scope, id)),
      ),
      next_page_url: null,
      previous_page_url: null,
    }),
  ),
  endpoint(
    'POST',
    `${EVENT_DESTINATIONS}/:id`,
    { enabled_events: z.array(text()).min(1) },
    (scope, { enabled_events: enabledEvents }, ids) =>
      updateShown(scope, ids.id, { enabledEvents }),
  ),
  switches('disable'),
  switches('enable'),
];

function updateShown(scope: Scope, id: string, change: Parameters<typeof updateDestination>[2]) {
  return showDestination(scope, updateDestination(scope, destinationOf(id), change));
}

function destinationOf(id: string): EventDestination['id'] {
  const found = Object.values(DESTINATIONS).find((one) => one === id);
  if (!found) throw noSuch('webhook endpoint', id);
  return found;
}

export const events: Endpoint[] = [...snapshots, ...thin, ...webhookEndpoints, ...destinations];
