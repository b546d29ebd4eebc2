import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import type { ThinEvent } from '../store/kinds.ts';
import { DESTINATIONS, findDestination, wantsEvent } from './event-destinations.ts';

/** Records that something happened to an object, as it looks now, and queues the webhook. */
export function emitEvent(
  scope: Scope,
  type: Stripe.Event['type'],
  object: object,
  previousAttributes?: object,
): void {
  const destination = scope.account ? DESTINATIONS.connected : DESTINATIONS.platform;
  const isSent = wantsEvent(findDestination(scope, destination), type);
  const event: Stripe.EventBase = {
    id: newId('evt'),
    object: 'event',
    ...(scope.account && { account: scope.account }),
    api_version: API_VERSION,
    created: scope.now,
    data: {
      object,
      ...(previousAttributes && { previous_attributes: previousAttributes }),
    },
    livemode: false,
    pending_webhooks: isSent ? 1 : 0,
    request: scope.request ?? { id: null, idempotency_key: null },
    type,
  };
  scope.objects.insert('event', event);
  if (isSent) scope.deliveries.add(event.id, Date.now());
}

type Changing =
  | Stripe.Charge
  | Stripe.Checkout.Session
  | Stripe.Dispute
  | Stripe.PaymentIntent
  | Stripe.Payout
  | Stripe.Refund
  | Stripe.Transfer;

/** Keeps what became of an object, and tells it. @returns the object as it is now */
export function changeObject<Changed extends Changing>(
  scope: Scope,
  object: Changed,
  type: Stripe.Event['type'],
  changes: Partial<Changed>,
  previousAttributes?: object,
): Changed {
  const changed = { ...object, ...changes };
  scope.objects.update<Changing['object']>(object.object, changed);
  emitEvent(scope, type, changed, previousAttributes);
  return changed;
}

/** An event of API v2, which says little more than which object to ask for. */
export function emitThinEvent(
  scope: Scope,
  type: Stripe.V2.Core.Event['type'],
  subject: ThinEvent['related_object'],
  data?: object,
): void {
  const event: ThinEvent = {
    id: newId('evt_test'),
    object: 'v2.core.event',
    created: new Date(scope.now * 1000).toISOString(),
    livemode: false,
    related_object: subject,
    type,
    ...(data && { data }),
  };
  scope.objects.insert('thin_event', event);
  if (wantsEvent(findDestination(scope, DESTINATIONS.thin), type)) {
    scope.deliveries.add(event.id, Date.now());
  }
}

/** The version of the provider's API that is spoken here; a test compares it with the SDK's. */
export const API_VERSION = '2026-10-28.endive';
