import { createHmac } from 'node:crypto';

/**
 * The value of the `Stripe-Signature` header: the moment in unix seconds and the HMAC of it and the
 * body (https://docs.stripe.com/webhooks#verify-manually).
 */
export function signPayload(payload: string, secret: string, now: number): string {
  const signature = createHmac('sha256', secret).update(`${now}.${payload}`).digest('hex');
  return `t=${now},v1=${signature}`;
}
