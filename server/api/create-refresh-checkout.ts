import type { Viewer } from '../domain/accounts/viewer.ts';
import { type FulfilmentContext, fulfilPurchase } from '../domain/purchases/fulfil-purchase.ts';
import { findLastCheckout, findPurchaseBySession } from '../domain/purchases/queries.ts';
import type { Purchase } from '../domain/purchases/tables.ts';
import { waitAtMost } from './wait-at-most.ts';

/** A page that polls asks us often; the provider is asked at most this often for one session. */
const EVERY_MS = 2_000;
/** A page is shown after this long, whatever the provider does. */
const WAIT_MS = 2_000;
const REMEMBERED = 1_000;

interface Asked {
  at: number;
  /** Whether the provider gave an answer. */
  answered: Promise<boolean>;
  isOver: boolean;
}

/**
 * Brings unsettled purchases up to what the provider says now, so that a buyer who is back before
 * the webhook need not wait for it. Nobody waits longer than 2 seconds; a later answer still
 * counts, and until it is there nobody asks again. Provider faults are logged: the webhook still
 * comes.
 */
export function createRefreshCheckout(
  context: FulfilmentContext,
  logFault: (error: unknown) => void,
) {
  const { db, now } = context;
  const asked = new Map<string, Asked>();

  function ask(sessionId: string): Promise<boolean> {
    const last = asked.get(sessionId);
    if (last && (!last.isOver || now() - last.at < EVERY_MS)) return last.answered;
    const asking: Asked = {
      at: now(),
      isOver: false,
      answered: fulfilPurchase(context, sessionId)
        .then(() => true)
        .catch((error: unknown) => {
          logFault(error);
          return false;
        })
        .finally(() => {
          asking.isOver = true;
        }),
    };
    asked.delete(sessionId);
    asked.set(sessionId, asking);
    const [oldest] = asked.keys();
    if (asked.size > REMEMBERED && oldest !== undefined) asked.delete(oldest);
    return asking.answered;
  }

  const refresh = (sessionId: string) => waitAtMost(WAIT_MS, ask(sessionId), () => false);

  return {
    async refreshCheckout(sessionId: string): Promise<void> {
      const purchase = await findPurchaseBySession(db, sessionId);
      if (!purchase || purchase.state === 'settled' || purchase.state === 'failed') return;
      await refresh(sessionId);
    },

    /** Whether a checkout of the link is open to the viewer of which the provider says: nothing is paid. */
    async hasOpenCheckout(viewer: Viewer, linkId: string): Promise<boolean> {
      const isOpen = (purchase: Purchase | undefined) =>
        purchase?.state === 'open' && purchase.expires_at > now();
      const last = await findLastCheckout(db, viewer, linkId);
      if (!last?.session_id || !(isOpen(last) || last.state === 'processing')) return false;
      return (await refresh(last.session_id)) && isOpen(await findLastCheckout(db, viewer, linkId));
    },
  };
}
