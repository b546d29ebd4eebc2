import type Stripe from 'stripe';
import type { Scope } from '../scope.ts';
import type { EventDestination } from '../store/kinds.ts';
import { nulls } from './nulls.ts';

type Id = EventDestination['id'];

/** Where events go: all three to the product, each signed with a secret of its own. */
export const DESTINATIONS = {
  platform: 'we_sandbox',
  connected: 'we_sandbox_connect',
  thin: 'ed_sandbox_thin',
} as const satisfies Record<string, Id>;

export type EventOrigin = keyof typeof DESTINATIONS;

/** It gets every event until that is changed. */
export function findDestination(scope: Scope, id: Id): EventDestination {
  const stored = scope.forAccount(null).objects.find('event_destination', id);
  return stored ?? { id, isEnabled: true, enabledEvents: ['*'] };
}

/** While it is disabled, events are not sent, and never will be. */
export function updateDestination(
  scope: Scope,
  id: Id,
  change: { isEnabled?: boolean | undefined; enabledEvents?: string[] | undefined },
): EventDestination {
  const { objects } = scope.forAccount(null);
  const known = findDestination(scope, id);
  const changed = {
    id,
    isEnabled: change.isEnabled ?? known.isEnabled,
    enabledEvents: change.enabledEvents ?? known.enabledEvents,
  };
  const isStored = objects.find('event_destination', id) !== undefined;
  objects[isStored ? 'update' : 'insert']('event_destination', changed);
  return changed;
}

export function wantsEvent({ isEnabled, enabledEvents }: EventDestination, type: string): boolean {
  return isEnabled && (enabledEvents.includes('*') || enabledEvents.includes(type));
}

export function showWebhookEndpoint(
  { publicUrl }: Scope,
  { id, isEnabled, enabledEvents }: EventDestination,
): Stripe.WebhookEndpoint {
  return {
    id,
    object: 'webhook_endpoint',
    ...nulls(['api_version', 'application', 'description']),
    created: 0,
    enabled_events: enabledEvents,
    livemode: false,
    metadata: {},
    status: isEnabled ? 'enabled' : 'disabled',
    url: addressOf(publicUrl),
  };
}

export function showDestination(
  { publicUrl }: Scope,
  { id, isEnabled, enabledEvents }: EventDestination,
): Stripe.V2.Core.EventDestination {
  const atStart = new Date(0).toISOString();
  return {
    id,
    object: 'v2.core.event_destination',
    created: atStart,
    description: '',
    enabled_events: enabledEvents,
    event_payload: id === DESTINATIONS.thin ? 'thin' : 'snapshot',
    events_from: [id === DESTINATIONS.platform ? '@self' : '@accounts'],
    livemode: false,
    metadata: {},
    name: id,
    status: isEnabled ? 'enabled' : 'disabled',
    type: 'webhook_endpoint',
    updated: atStart,
    webhook_endpoint: { url: addressOf(publicUrl) },
  };
}

function addressOf(publicUrl: string): string {
  return `${publicUrl}/webhooks/stripe`;
}
