import { type FulfilmentContext, fulfilPurchase } from './fulfil-purchase.ts';
import type { Purchase } from './tables.ts';

/**
 * Ends a checkout at the provider, so that it cannot be paid any more. One that was paid meanwhile
 * settles instead.
 * @returns the purchase as it is now, or null when the provider or we know no such session
 */
export async function closeCheckout(
  context: FulfilmentContext,
  sessionId: string,
): Promise<Purchase | null> {
  await context.provider.expireCheckout(sessionId);
  return fulfilPurchase(context, sessionId);
}
