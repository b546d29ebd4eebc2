import Stripe from 'stripe';
import { eventually } from './eventually.ts';

export const WEBHOOK_SECRET = 'whsec_test_secret';
export const CONNECT_WEBHOOK_SECRET = 'whsec_of_connected_accounts';
export const THIN_WEBHOOK_SECRET = 'whsec_of_thin_events';

/** The provider's official client, pointed at the sandbox. */
export function stripeOf(sandboxPort: number): Stripe {
  return new Stripe('sk_test_padlink', {
    host: '127.0.0.1',
    port: sandboxPort,
    protocol: 'http',
    maxNetworkRetries: 0,
  });
}

/** Lets something happen that the provider does by itself: sandbox/README.md lists what there is. */
export async function letHappen<Answer = object>(
  sandboxPort: number,
  path: string,
  params: Record<string, string> = {},
): Promise<Answer> {
  const answer = stripeOf(sandboxPort).rawRequest('POST', `/v1/test_helpers/${path}`, params);
  return (await answer) as Answer;
}

/** Settings of a product whose sandbox listens there, and which takes what deliverWebhook sends. */
export function webhookEnv(sandboxPort: number) {
  return {
    PAYMENTS: 'sandbox',
    SANDBOX_PORT: String(sandboxPort),
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_CONNECT_WEBHOOK_SECRET: CONNECT_WEBHOOK_SECRET,
    STRIPE_THIN_WEBHOOK_SECRET: THIN_WEBHOOK_SECRET,
  };
}

/** The provider's newest event of a type. */
export async function findEvent(sandboxPort: number, type: string): Promise<Stripe.Event> {
  return await eventually(async () => {
    const { data } = await stripeOf(sandboxPort).events.list({ type, limit: 1 });
    if (!data[0]) throw new Error(`No event ${type}.`);
    return data[0];
  });
}

/**
 * Delivers an event as the provider does, signed.
 * @param signedAgo in seconds
 * @param secret of the endpoint it is sent to
 */
export function deliverWebhook(
  app: { origin: string },
  event: object,
  signedAgo = 0,
  secret = WEBHOOK_SECRET,
): Promise<Response> {
  const payload = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(Date.now() / 1000) - signedAgo,
  });
  return fetch(`${app.origin}/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  });
}
