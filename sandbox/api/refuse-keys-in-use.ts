import type { FastifyReply, FastifyRequest } from 'fastify';
import { StripeError } from '../stripe-error.ts';

/**
 * Refuses a request whose idempotency key is held by another one that is still being answered.
 * Returns the hook to run as soon as a request's headers are there.
 */
export function refuseKeysInUse() {
  const inUse = new Set<string>();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || typeof key !== 'string') return;
    const held = JSON.stringify([request.headers['stripe-account'], key]);
    if (inUse.has(held)) {
      throw new StripeError(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      });
    }
    inUse.add(held);
    reply.raw.once('close', () => inUse.delete(held));
  };
}
