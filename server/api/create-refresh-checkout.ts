import type { Viewer } from '../domain/accounts/viewer.ts';
import { type FulfilmentContext, fulfilPurchase } from '../domain/purchases/fulfil-purchase.ts';
import {
  findLastCheckout,
  findPurchaseBySession,
  holdsPurchase,
} from '../domain/purchases/queries.ts';
import type { Purchase } from '../domain/purchases/tables.ts';
import { waitAtMost } from './wait-at-most.ts';

/** A page that polls asks us often; the provider is asked at most this often for one session. */
export const REFRESH_EVERY_MS = 2_000;
/**
 * Sessions that the provider is asked about in that time, for everybody together: ten calls a
 * second of the 25 (live: 100) that it allows, so that payments themselves are never refused.
 */
export const REFRESHED_AT_ONCE = 20;
/** A page is shown after this long, whatever the provider does. */
const WAIT_MS = 2_000;

interface Asked {
  at: number;
  /** Whether the provider gave an answer. */
  answered: Promise<boolean>;
  isOver: boolean;
}

/**
 * Brings a viewer's own unsettled purchases up to what the provider says now, so that a buyer who
 * is back before the webhook need not wait for it. Nobody waits longer than 2 seconds; a later
 * answer still counts, and until it is there nobody asks again. Nobody is asked where too many
 * wait already, and provider faults are logged: the webhook still comes.
 */
export function createRefreshCheckout(
  context: FulfilmentContext,
  logFault: (error: unknown) => void,
) {
  const { db, now } = context;
  const asked = new Map<string, Asked>();

  // A clock that was set back must not make an answer last.
  const isRecent = ({ at, isOver }: Asked) => !isOver || Math.abs(now() - at) < REFRESH_EVERY_MS;

  function ask(sessionId: string): Promise<boolean> {
    for (const [id, last] of asked) if (!isRecent(last)) asked.delete(id);
    const last = asked.get(sessionId);
    if (last) return last.answered;
    if (asked.size >= REFRESHED_AT_ONCE) return Promise.resolve(false);
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
    asked.set(sessionId, asking);
    return asking.answered;
  }

  const refresh = (sessionId: string) => waitAtMost(WAIT_MS, ask(sessionId), () => false);

  /** One that ended here may still be paid at the provider, until its time is over. */
  const isUndecided = ({ state, expires_at: expiresAt }: Purchase) =>
    state === 'open' || state === 'processing' || (state === 'expired' && expiresAt > now());

  return {
    /** Does nothing for a purchase that is not the viewer's. */
    async refreshCheckout(viewer: Viewer, sessionId: string): Promise<void> {
      const purchase = await findPurchaseBySession(db, sessionId);
      if (!purchase || !holdsPurchase(viewer, purchase) || !isUndecided(purchase)) return;
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
