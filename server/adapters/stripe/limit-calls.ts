import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';

/**
 * What is asked first: what many have paid, with one call, then a new checkout, what somebody waits for,
 * and the rest.
 */
const URGENCIES = ['payments', 'checkout', 'awaited', 'background'] as const;
export type Urgency = (typeof URGENCIES)[number];

export type CallLimit = ReturnType<typeof createCallLimit>;

const WINDOW_MS = 1_000;
const LOOK_AGAIN_MS = 10;
/** Parts of all places that each has whatever the others do, of new checkouts at most so many. */
const OWN: Record<Urgency, number> = {
  payments: 0.04,
  checkout: 0.88,
  awaited: 0.04,
  background: 0.04,
};
/** Beyond these parts, these leave the rest to the buyers who come at any moment. */
const ROOM_FOR_BUYERS = { awaited: 0.8, background: 0.5 };
/** How long a call that somebody waits for may stand in the queue, in seconds. */
const LONGEST_QUEUE_S = 8;

/**
 * Limits calls to the provider by everybody in this process, for all share what it allows an account.
 * @param perSecond calls in any second; Infinity for a provider that does not count them
 */
export function createCallLimit(perSecond: number) {
  /** The calls of the last second, the oldest first. */
  const made: { at: number; urgency: Urgency }[] = [];
  const waiting: Record<Urgency, ((isAdmitted: true) => void)[]> = {
    payments: [],
    checkout: [],
    awaited: [],
    background: [],
  };
  let makesRoomUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  function hasPlace(urgency: Urgency, now: number): boolean {
    if (made.length >= perSecond) return false;
    if (urgency === 'payments') return true;
    const own = made.filter((call) => call.urgency === urgency).length;
    if (own < ownPlaces(urgency)) return true;
    if (urgency === 'checkout') return false;
    if (urgency === 'background' && now < makesRoomUntil) return false;
    return made.length < perSecond * ROOM_FOR_BUYERS[urgency];
  }

  const ownPlaces = (urgency: Urgency) => Math.max(1, Math.floor(perSecond * OWN[urgency]));

  function forgetEarlier(now: number): void {
    while (made[0] && made[0].at <= now - WINDOW_MS) made.shift();
  }

  function letThrough(): void {
    clearTimeout(timer);
    const now = performance.now();
    forgetEarlier(now);
    for (const urgency of URGENCIES) {
      while (waiting[urgency].length > 0 && hasPlace(urgency, now)) {
        made.push({ at: now, urgency });
        waiting[urgency].shift()?.(true);
      }
    }
    if (URGENCIES.some((urgency) => waiting[urgency].length > 0)) {
      timer = setTimeout(letThrough, LOOK_AGAIN_MS);
    }
  }

  return {
    /** Waits until the call may be made. @returns false when too many wait already to be served in time */
    admit(urgency: Urgency): Promise<boolean> {
      if (perSecond === Number.POSITIVE_INFINITY) return Promise.resolve(true);
      const isLong = waiting[urgency].length >= ownPlaces(urgency) * LONGEST_QUEUE_S;
      if (isLong && urgency !== 'background') return Promise.resolve(false);
      return new Promise((resolve) => {
        waiting[urgency].push(resolve);
        letThrough();
      });
    },
    /**
     * Whether places are free for calls that could be made with others. Never at a provider that counts
     * none, the sandbox: it answers before they would be worth it.
     */
    hasRoom(): boolean {
      const now = performance.now();
      forgetEarlier(now);
      if (!Number.isFinite(perSecond) || now < makesRoomUntil || waiting.awaited.length > 0) {
        return false;
      }
      return made.length < perSecond * ROOM_FOR_BUYERS.awaited;
    },
    /** The provider has refused a call: what nobody waits for makes room. */
    makeRoom(): void {
      makesRoomUntil = performance.now() + WINDOW_MS;
    },
  };
}

const TOO_MANY = 429;
/** In place of an answer, which the client takes for the provider's and does not ask for again. */
const NOT_ASKED: Stripe.HttpClientResponse = {
  getStatusCode: () => TOO_MANY,
  getHeaders: () => ({ 'stripe-should-retry': 'false' }),
  getRawResponse: () => null,
  toStream: () => null,
  toJSON: async () => ({
    error: { type: 'rate_limit_error', message: 'Too many calls to the provider are waiting.' },
  }),
};
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
  const urgencyOf = (method: string, path: string): Urgency | null => {
    if (method === 'POST' && path === '/v1/checkout/sessions') return 'checkout';
    return isAwaited && path.startsWith('/v1/events?') ? 'payments' : null;
  };
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...call) {
      const [, , path, method] = call;
      const urgency = urgencyOf(method, path) ?? otherwise;
      for (const pause of PAUSES_MS) {
        if (!(await limit.admit(urgency))) return NOT_ASKED;
        const answer = await client.makeRequest(...call);
        if (answer.getStatusCode() !== TOO_MANY) return answer;
        // Its connection is free only when it is read.
        await answer.toJSON().catch(() => {});
        limit.makeRoom();
        await sleep(pause);
      }
      return (await limit.admit(urgency)) ? client.makeRequest(...call) : NOT_ASKED;
    },
  };
}
