import type Stripe from 'stripe';
import { signPayload } from './sign-payload.ts';

const TIMEOUT_MS = 10_000;

/** Posts one signed event; answers why it was not taken, or undefined when it was. */
export async function postEvent(
  event: Stripe.EventBase,
  { url, secret, signal }: { url: string; secret: string; signal: AbortSignal },
): Promise<string | undefined> {
  const body = JSON.stringify(event, null, 2);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signPayload(body, secret, Math.floor(Date.now() / 1000)),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return response.ok ? undefined : `status ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
