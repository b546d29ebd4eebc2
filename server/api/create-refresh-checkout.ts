import { type FulfilmentContext, fulfilPurchase } from '../domain/purchases/fulfil-purchase.ts';
import { findPurchaseBySession } from '../domain/purchases/queries.ts';

/** A page that polls asks us often; the provider is asked at most this often for one session. */
const EVERY_MS = 2_000;
const REMEMBERED = 1_000;

/**
 * Brings an unsettled purchase up to what the provider says now, so that a buyer who is back
 * before the webhook need not wait for it. Provider faults are logged: the webhook still comes.
 */
export function createRefreshCheckout(
  context: FulfilmentContext,
  logFault: (error: unknown) => void,
): (sessionId: string) => Promise<void> {
  const asked = new Map<string, number>();
  return async (sessionId) => {
    const now = context.now();
    if (now - (asked.get(sessionId) ?? 0) < EVERY_MS) return;
    const purchase = await findPurchaseBySession(context.db, sessionId);
    if (!purchase || purchase.state === 'settled' || purchase.state === 'failed') return;
    if (asked.size >= REMEMBERED) asked.clear();
    asked.set(sessionId, now);
    await fulfilPurchase(context, sessionId).catch(logFault);
  };
}
