import { z } from 'zod';
import {
  createDestination,
  DESTINATIONS,
  deleteDestination,
  listDestinations,
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
    data: listDestinations(scope)
      .filter(({ id }) => id !== DESTINATIONS.thin)
      .map((destination) => showWebhookEndpoint(scope, destination)),
    has_more: false,
    url: ENDPOINTS,
  })),
  endpoint(
    'POST',
    ENDPOINTS,
    {
      url: text(),
      enabled_events: z.array(text()).min(1),
      connect: flag().optional(),
      api_version: text().optional(),
      description: text().optional(),
    },
    (scope, { url, connect, enabled_events: enabledEvents }) => {
      const id = connect ? DESTINATIONS.connected : DESTINATIONS.platform;
      const destination = createDestination(scope, id, { url, enabledEvents });
      const { secret } = destination.created;
      return { ...showWebhookEndpoint(scope, destination), secret };
    },
  ),
  endpoint('DELETE', `${ENDPOINTS}/:id`, {}, (scope, _params, ids) => {
    deleteDestination(scope, destinationOf(scope, ids.id));
    return { id: ids.id, object: 'webhook_endpoint', deleted: true };
  }),
  endpoint(
    'POST',
    `${ENDPOINTS}/:id`,
    { disabled: flag().optional(), enabled_events: z.array(text()).min(1).optional() },
    (scope, { disabled, enabled_events: enabledEvents }, ids) =>
      showWebhookEndpoint(
        scope,
        updateDestination(scope, destinationOf(scope, ids.id), {
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
      data: listDestinations(scope).map((destination) => showDestination(scope, destination)),
      next_page_url: null,
      previous_page_url: null,
    }),
  ),
  endpoint(
    'POST',
    EVENT_DESTINATIONS,
    {
      name: text(),
      type: choice(['webhook_endpoint']),
      event_payload: choice(['snapshot', 'thin']),
      events_from: z.array(choice(['@self', '@accounts'])).min(1),
      enabled_events: z.array(text()).min(1),
      webhook_endpoint: z.strictObject({ url: text() }),
      snapshot_api_version: text().optional(),
      include: z.array(choice(['webhook_endpoint.signing_secret', 'webhook_endpoint.url'])),
    },
    (scope, { event_payload: payload, events_from: from, webhook_endpoint: { url }, ...rest }) => {
      const destination = createDestination(scope, kindOf(payload, from), {
        url,
        enabledEvents: rest.enabled_events,
      });
      const { secret } = destination.created;
      const shown = { url, signing_secret: secret };
      return { ...showDestination(scope, destination), webhook_endpoint: shown };
    },
  ),
  endpoint('DELETE', `${EVENT_DESTINATIONS}/:id`, {}, (scope, _params, ids) => {
    deleteDestination(scope, destinationOf(scope, ids.id));
    return { id: ids.id, object: 'v2.core.event_destination' };
  }),
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

function kindOf(payload: string, from: string[]): EventDestination['id'] {
  if (payload === 'thin') return DESTINATIONS.thin;
  return from.includes('@accounts') ? DESTINATIONS.connected : DESTINATIONS.platform;
}

function updateShown(scope: Scope, id: string, change: Parameters<typeof updateDestination>[2]) {
  return showDestination(scope, updateDestination(scope, destinationOf(scope, id), change));
}

function destinationOf(scope: Scope, id: string): EventDestination['id'] {
  const found = listDestinations(scope).find((one) => one.id === id);
  if (!found) throw noSuch('webhook endpoint', id);
  return found.id;
}

export const events: Endpoint[] = [...snapshots, ...thin, ...webhookEndpoints, ...destinations];
