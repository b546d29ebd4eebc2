import type { Changes } from '../../ground/lib/changes.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { type FulfilmentContext, fulfilPurchase } from '../purchases/fulfil-purchase.ts';
import { type Gift, giftOf } from '../purchases/gifts.ts';
import { findLastCheckout, findPurchasesBySession, holdsPurchase } from '../purchases/queries.ts';
import type { PaymentLine, Purchase } from '../purchases/tables.ts';

/** A page that polls asks us often; the provider is asked at most this often for one session. */
export const REFRESH_EVERY_MS = 2_000;
/**
 * Sessions that the provider is asked about in that time, for everybody together: ten calls a
 * second of the 25 (live: 100) that it allows, so that payments themselves are never refused.
 */
const REFRESHED_AT_ONCE = 20;
/** Of them, for one buyer: whoever leaves many checkouts open cannot have them all. */
const REFRESHED_AT_ONCE_OF_BUYER = 5;
/**
 * Of them, for sessions that were asked about before: somebody with many browsers, who has theirs
 * asked about again and again, leaves room for those who come back from their payment.
 */
const REFRESHED_AT_ONCE_AGAIN = 15;
/** Sessions that are remembered to have been asked about; beyond it the first are forgotten. */
const MAX_KNOWN_SESSIONS = 10_000;
/** Purchases of which news is awaited; beyond it, what is known is told at once. */
const MAX_AWAITED = 10_000;
/** A page is shown after this long, whatever the provider does. */
export const WAIT_MS = 2_000;

interface Asked {
  /** The account or the browser that began the checkout. */
  buyer: string;
  at: number;
  /** Whether the provider gave an answer. */
  answered: Promise<boolean>;
  isOver: boolean;
}

/**
 * Updates a viewer's own unsettled purchases to what the provider says now, so that a buyer who
 * returns before the webhook need not wait for it; where the webhook is faster, the answer is not
 * waited for. Nobody waits longer than 2 seconds; a later answer still counts, and until it arrives
 * nobody asks again. The provider is not asked if it was asked too often already, and its errors are
 * logged: the webhook will still arrive.
 *
 * A program that asks, such as a page that is already shown, is answered when there is news, or after
 * 2 seconds. Were it told at once that there is none, thousands that ask four times a second would
 * leave a shop that fell behind no time to settle their payments.
 */
export function createRefreshCheckout(
  context: FulfilmentContext,
  changes: Pick<Changes, 'subscribe'>,
  logFault: (error: unknown) => void,
) {
  const { db, now } = context;
  const asked = new Map<string, Asked>();
  const known = new Set<string>();
  const news = createNews(changes);

  // A clock that was set back must not make an answer last.
  const isRecent = ({ at, isOver }: Asked) => !isOver || Math.abs(now() - at) < REFRESH_EVERY_MS;

  function hasRoom(sessionId: string, buyer: string): boolean {
    const ofBuyer = [...asked.values()].filter((other) => other.buyer === buyer);
    const places = known.has(sessionId) ? REFRESHED_AT_ONCE_AGAIN : REFRESHED_AT_ONCE;
    return asked.size < places && ofBuyer.length < REFRESHED_AT_ONCE_OF_BUYER;
  }

  function remember(sessionId: string): void {
    known.add(sessionId);
    const [first] = known;
    if (first !== undefined && known.size > MAX_KNOWN_SESSIONS) known.delete(first);
  }

  /** @returns what is or was asked lately; null where there is no room to ask */
  function ask(sessionId: string, buyer: string): Asked | null {
    for (const [id, last] of asked) if (!isRecent(last)) asked.delete(id);
    const last = asked.get(sessionId);
    if (last) return last;
    if (!hasRoom(sessionId, buyer)) return null;
    remember(sessionId);
    const asking: Asked = {
      buyer,
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
    return asking;
  }

  /**
   * @param forNews what is known already is not enough
   * @returns whether it is known what came of it, from the provider or because the sale was recorded
   */
  async function refresh(
    sessionId: string,
    purchase: Purchase,
    forNews: boolean,
  ): Promise<boolean> {
    const { recorded, leave } = news.waitFor(purchase.id);
    try {
      const asking = ask(sessionId, purchase.buyer_id ?? purchase.claim_hash);
      const mayAnswer = !forNews || asking?.isOver === false;
      const first = mayAnswer ? Promise.race([asking?.answered ?? false, recorded]) : recorded;
      return await waitAtMost(WAIT_MS, first, () => false);
    } finally {
      leave();
    }
  }

  /** One that ended here may still be paid at the provider, until its time is over. */
  const isUndecided = ({ state, expires_at: expiresAt }: Purchase) =>
    state === 'open' || state === 'processing' || (state === 'expired' && expiresAt > now());

  return {
    /**
     * The lines of a checkout; of the viewer's own, as the provider says while it is undecided.
     * @param forNews whether to wait where nothing new is known
     */
    async readCheckout(
      viewer: Viewer,
      sessionId: string,
      forNews: boolean,
    ): Promise<PaymentLine[]> {
      const lines = await findPurchasesBySession(db, sessionId);
      const [purchase] = lines;
      if (!purchase || !holdsPurchase(viewer, purchase) || !isUndecided(purchase)) return lines;
      await refresh(sessionId, purchase, forNews);
      return findPurchasesBySession(db, sessionId);
    },

    /** The checkout of the link that is open to the viewer, if the provider says: nothing is paid. */
    async findOpenCheckout(viewer: Viewer, linkId: string): Promise<{ gift: Gift | null } | null> {
      const isOpen = ({ state, expires_at }: Purchase) => state === 'open' && expires_at > now();
      const last = await findLastCheckout(db, viewer, linkId);
      if (!last?.session_id || !(isOpen(last) || last.state === 'processing')) return null;
      const isAnswered = await refresh(last.session_id, last, false);
      const found = isAnswered && (await findLastCheckout(db, viewer, linkId));
      return found && isOpen(found) ? { gift: giftOf(found) } : null;
    },
  };
}

interface Wait extends PromiseWithResolvers<boolean> {
  /** How many wait so. */
  count: number;
}

/** Those who wait until something is recorded of a purchase: by one subscription for all. */
function createNews(changes: Pick<Changes, 'subscribe'>) {
  const waits = new Map<string, Wait>();
  changes.subscribe({
    changed(change) {
      if (change.kind === 'sale-made') waits.get(change.id)?.resolve(true);
      if (change.kind === 'payment-changed') waits.get(change.purchaseId)?.resolve(true);
    },
    missed() {
      for (const { resolve } of waits.values()) resolve(true);
    },
  });
  return {
    /** Resolves to false at once when too many purchases are waited for. Whoever has waited leaves. */
    waitFor(purchaseId: string): { recorded: Promise<boolean>; leave(): void } {
      const known = waits.get(purchaseId);
      if (!known && waits.size >= MAX_AWAITED) {
        return { recorded: Promise.resolve(false), leave() {} };
      }
      const wait = known ?? { ...Promise.withResolvers<boolean>(), count: 0 };
      wait.count += 1;
      waits.set(purchaseId, wait);
      return {
        recorded: wait.promise,
        leave() {
          wait.count -= 1;
          if (wait.count === 0) waits.delete(purchaseId);
        },
      };
    },
  };
}

/**
 * What comes of work that somebody waits for, or of `late` when it takes longer than so many
 * milliseconds. The work itself goes on; of its failure after that nobody is told here.
 */
export async function waitAtMost<Result>(
  milliseconds: number,
  work: Promise<Result>,
  late: () => Result,
): Promise<Result> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, milliseconds);
  try {
    return await Promise.race([work, over.promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
