import type Stripe from 'stripe';
import type { Scope } from '../scope.ts';

const ID = 'we_sandbox';

/** The platform's only endpoint: the product's. It gets every event until that is changed. */
export function findWebhookEndpoint(scope: Scope): Stripe.WebhookEndpoint {
  const { objects, publicUrl } = scope.forAccount(null);
  return objects.find('webhook_endpoint', ID) ?? createEndpoint(`${publicUrl}/webhooks/stripe`);
}

function createEndpoint(url: string): Stripe.WebhookEndpoint {
  return {
    id: ID,
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: 0,
    description: null,
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  };
}

/** While it is disabled, events are not sent, and never will be. */
export function updateWebhookEndpoint(
  scope: Scope,
  {
    disabled,
    enabledEvents,
  }: { disabled: boolean | undefined; enabledEvents: string[] | undefined },
): Stripe.WebhookEndpoint {
  const { objects } = scope.forAccount(null);
  const endpoint = findWebhookEndpoint(scope);
  const changed: Stripe.WebhookEndpoint = {
    ...endpoint,
    ...(disabled !== undefined && { status: disabled ? 'disabled' : 'enabled' }),
    ...(enabledEvents && { enabled_events: enabledEvents }),
  };
  if (objects.find('webhook_endpoint', ID)) objects.update('webhook_endpoint', changed);
  else objects.insert('webhook_endpoint', changed);
  return changed;
}
