import type Stripe from 'stripe';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { findWebhookEndpoint } from './webhook-endpoint.ts';

/** Records that something happened to an object, as it looks now, and queues the webhook. */
export function emitEvent(
  scope: Scope,
  type: Stripe.Event['type'],
  object: object,
  previousAttributes?: object,
): void {
  const isSent = wantsEvent(findWebhookEndpoint(scope), type);
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

function wantsEvent({ status, enabled_events }: Stripe.WebhookEndpoint, type: string): boolean {
  return status === 'enabled' && (enabled_events.includes('*') || enabled_events.includes(type));
}

/** The version of the provider's API that is spoken here; a test compares it with the SDK's. */
export const API_VERSION = '2026-10-28.endive';
