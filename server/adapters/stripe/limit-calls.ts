import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';

/** What is asked first: a new checkout, then what somebody waits for, then the rest. */
const URGENCIES = ['checkout', 'awaited', 'background'] as const;
export type Urgency = (typeof URGENCIES)[number];

/** Calls to the provider by everybody in this process, for all share what it allows an account. */
export interface CallLimit {
  /** Resolves when the call may be made. @throws Error when too many wait to be served in time */
  admit(urgency: Urgency): Promise<void>;
  /** The provider has refused a call: what nobody waits for makes room. */
  makeRoom(): void;
}

const WINDOW_MS = 1_000;
const LOOK_AGAIN_MS = 10;
/** Of all places, so many are for new buyers at most: a few are left to those who have paid. */
const MOST_CHECKOUTS = 0.9;
/** Beyond these parts of all places the others leave the rest to the buyers who come at any moment. */
const ROOM_FOR_BUYERS = { awaited: 0.8, background: 0.5 };
/** How long a call that somebody waits for may stand in the queue, in seconds. */
const LONGEST_QUEUE_S = 8;

/** @param perSecond calls in any second; Infinity for a provider that does not count them */
export function createCallLimit(perSecond: number): CallLimit {
  /** The calls of the last second, the oldest first. */
  const made: { at: number; urgency: Urgency }[] = [];
  const waiting = { checkout: [], awaited: [], background: [] } as Record<Urgency, (() => void)[]>;
  let makesRoomUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  function hasPlace(urgency: Urgency, now: number): boolean {
    const taken = made.length / perSecond;
    if (taken >= 1) return false;
    if (urgency === 'background') {
      return now >= makesRoomUntil && (taken === 0 || taken < ROOM_FOR_BUYERS.background);
    }
    const own = made.filter((call) => call.urgency === urgency).length / perSecond;
    if (urgency === 'checkout') return own < MOST_CHECKOUTS;
    return taken < ROOM_FOR_BUYERS.awaited || own < 1 - MOST_CHECKOUTS;
  }

  function letThrough(): void {
    clearTimeout(timer);
    const now = performance.now();
    while (made[0] && made[0].at <= now - WINDOW_MS) made.shift();
    for (const urgency of URGENCIES) {
      while (waiting[urgency].length > 0 && hasPlace(urgency, now)) {
        made.push({ at: now, urgency });
        waiting[urgency].shift()?.();
      }
    }
    if (URGENCIES.some((urgency) => waiting[urgency].length > 0)) {
      timer = setTimeout(letThrough, LOOK_AGAIN_MS);
    }
  }

  return {
    admit(urgency) {
      if (perSecond === Number.POSITIVE_INFINITY) return Promise.resolve();
      const isLong = waiting[urgency].length >= perSecond * LONGEST_QUEUE_S;
      if (isLong && urgency !== 'background') {
        return Promise.reject(new Error('Too many calls to the payment provider are waiting'));
      }
      return new Promise((resolve) => {
        waiting[urgency].push(resolve);
        letThrough();
      });
    },
    makeRoom() {
      makesRoomUntil = performance.now() + WINDOW_MS;
    },
  };
}

const TOO_MANY = 429;
/** Milliseconds before each further attempt: nobody is told in less than eight seconds. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000];

/**
 * Sends each call in its turn, and again after a while when the provider had too many: its client
 * gives up there, and it says in no answer when to come back.
 */
export function limitCalls(
  client: Stripe.HttpClient,
  limit: CallLimit,
  isAwaited: boolean,
): Stripe.HttpClient {
  const otherwise = isAwaited ? 'awaited' : 'background';
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...call) {
      const [, , path, method] = call;
      const isCheckout = method === 'POST' && path === '/v1/checkout/sessions';
      const urgency = isCheckout ? 'checkout' : otherwise;
      for (const pause of PAUSES_MS) {
        await limit.admit(urgency);
        const answer = await client.makeRequest(...call);
        if (answer.getStatusCode() !== TOO_MANY) return answer;
        // Its connection is free only when it is read.
        await answer.toJSON().catch(() => {});
        limit.makeRoom();
        await sleep(pause);
      }
      await limit.admit(urgency);
      return client.makeRequest(...call);
    },
  };
}
