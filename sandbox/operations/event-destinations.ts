import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import type { EventDestination } from '../store/kinds.ts';
import { invalidRequest } from '../stripe-error.ts';
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
  const known = findDestination(scope, id);
  return keep(scope, {
    ...known,
    isEnabled: change.isEnabled ?? known.isEnabled,
    enabledEvents: change.enabledEvents ?? known.enabledEvents,
  });
}

/** @throws StripeError where there is one of its kind: the provider would take several, up to 16 */
export function createDestination(
  scope: Scope,
  id: Id,
  { url, enabledEvents }: { url: string; enabledEvents: string[] },
): EventDestination & Required<Pick<EventDestination, 'created'>> {
  if (!findDestination(scope, id).isDeleted) {
    throw invalidRequest(`The sandbox has one destination of each kind: delete ${id} first.`);
  }
  const created = { url, secret: newId('whsec') };
  const destination = { id, isEnabled: true, enabledEvents, created };
  keep(scope, destination);
  return destination;
}

/** Its events are lost from now on. */
export function deleteDestination(scope: Scope, id: Id): void {
  keep(scope, { id, isEnabled: false, enabledEvents: [], isDeleted: true });
}

function keep(scope: Scope, destination: EventDestination): EventDestination {
  const { objects } = scope.forAccount(null);
  const isStored = objects.find('event_destination', destination.id) !== undefined;
  objects[isStored ? 'update' : 'insert']('event_destination', destination);
  return destination;
}

/** Those that there are. */
export const listDestinations = (scope: Scope): EventDestination[] =>
  Object.values(DESTINATIONS)
    .map((id) => findDestination(scope, id))
    .filter(({ isDeleted }) => !isDeleted);

export function wantsEvent({ isEnabled, enabledEvents }: EventDestination, type: string): boolean {
  return isEnabled && (enabledEvents.includes('*') || enabledEvents.includes(type));
}

export function showWebhookEndpoint(
  { publicUrl }: Scope,
  { id, isEnabled, enabledEvents, created }: EventDestination,
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
    url: created?.url ?? addressOf(publicUrl),
  };
}

export function showDestination(
  { publicUrl }: Scope,
  { id, isEnabled, enabledEvents, created }: EventDestination,
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
    webhook_endpoint: { url: created?.url ?? addressOf(publicUrl) },
  };
}

function addressOf(publicUrl: string): string {
  return `${publicUrl}/webhooks/stripe`;
}
