import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { normalizeIP } from '@better-auth/core/utils/ip';
import { type Fact, fact, type Said } from '../../../contract/fact.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { SharedCount, SharedCounts } from '../../ground/lib/processes.ts';

/** Each limit: [how many, in how many seconds]; all of its windows apply at once. */
export const LIMITS = {
  /** Sign-in, sign-up and code requests of an address: a classroom shares one. */
  accountRequests: [[100, 60]],
  /** Wrong passwords of an account from one visitor. */
  passwordFailures: [
    [5, 60],
    [100, 86_400],
  ],
  /** From all strangers: higher, so that one of them cannot shut the owner out. */
  passwordFailuresOfAccount: [
    [30, 60],
    [1_000, 86_400],
  ],
  /** Sign-ins to an account that succeed: each keeps a session for a month. */
  signIns: [[1_000, 86_400]],
  /** The same by way of a provider, of an address: whose account it is turns out too late. */
  providerSignIns: [[2_000, 86_400]],
  /** Codes emailed to an account at the request of one visitor. */
  codesSent: [
    [5, 600],
    [20, 86_400],
  ],
  /** For one purpose, at the request of all strangers together. */
  codesSentToAccount: [
    [15, 600],
    [60, 86_400],
  ],
  /** Wrong codes of an account from one visitor, for one use: of a million possible ones fifty a day. */
  codeFailures: [
    [10, 600],
    [50, 86_400],
  ],
  /** From all strangers, for one use. */
  codeFailuresOfAccount: [
    [40, 600],
    [200, 86_400],
  ],
  /** Wrong codes of an authenticator and backup codes of an account from one visitor. */
  secondFactorFailures: [
    [5, 60],
    [20, 86_400],
  ],
  /** From all strangers, who know the password: of a million possible codes three are right. */
  secondFactorFailuresOfAccount: [
    [15, 60],
    [50, 86_400],
  ],
  /** Begun uses of passkeys, of a visitor: a classroom shares an address. */
  passkeysAsked: [
    [60, 600],
    [1_000, 86_400],
  ],
  /** Of a visitor, by the claim cookie. */
  checkouts: [
    [6, 60],
    [40, 3_600],
    [100, 86_400],
  ],
  /** Links put into carts, of an address: each keeps a row for a month. */
  cartItemsOfAddress: [
    [120, 60],
    [2_000, 86_400],
  ],
  /** Carts read, of an address: each link in them is looked at anew. */
  cartsOfAddress: [[240, 60]],
  checkoutsOfAddress: [
    [60, 60],
    [400, 3_600],
    [2_000, 86_400],
  ],
  /** Discount codes that do not exist, from a visitor, by the claim cookie. */
  discountGuesses: [
    [10, 60],
    [100, 86_400],
  ],
  discountGuessesOfAddress: [
    [30, 60],
    [1_000, 86_400],
  ],
  /** From all strangers: higher, so that one of them cannot keep a link's codes from everybody. */
  discountGuessesOfLink: [
    [300, 60],
    [5_000, 86_400],
  ],
  /** Of an address. */
  personalLinksOpened: [
    [30, 60],
    [500, 86_400],
  ],
  /** Codes for one more browser, of a purchase: each can be guessed at ten times. */
  accessCodesSent: [
    [3, 600],
    [10, 86_400],
  ],
  /** Of an address. */
  purchasesAsked: [
    [30, 60],
    [500, 86_400],
  ],
  /** Links to all purchases of a mailbox, at whosever request. */
  purchasesMailed: [
    [3, 600],
    [10, 86_400],
  ],
  /** Of an address. */
  receiptsAsked: [[30, 60]],
  /** Of a purchase. */
  receiptsResent: [
    [3, 600],
    [20, 86_400],
  ],
  /** Of a purchase, by whoever has the address of the page after its payment. */
  receiptsResentBySession: [
    [1, 3_600],
    [5, 86_400],
  ],
  /** Of a purchase, by its seller. */
  receiptsResentBySeller: [
    [2, 3_600],
    [5, 86_400],
  ],
  /** Of a mailbox that had bought the same before, whichever link: each costs what the provider keeps. */
  purchasesGivenBack: [[3, 86_400]],
  /** Of an address. */
  reports: [
    [10, 600],
    [30, 86_400],
  ],
  /** Of a link. */
  reportsOfLink: [[20, 86_400]],
  /** Of an address. */
  cardsDrawn: [[30, 60]],
  /** Of an account. */
  uploads: [
    [60, 60],
    [5_000, 86_400],
  ],
  /** Of an account. */
  writes: [
    [120, 60],
    [20_000, 86_400],
  ],
  /** Of an account, by session or secret key. */
  searches: [[120, 60]],
  /** Of an address, by whoever is not signed in. */
  searchesOfAddress: [[300, 60]],
  /** Messages on one live connection: a page begins with six, and answers two pings a minute. */
  liveMessages: [[60, 60]],
  /** On all its connections, which come again together after a restart. */
  liveMessagesOfAddress: [[1_200, 60]],
  /** Of an account: each takes the processor for up to seconds, and one replaced is kept a month. */
  covers: [
    [10, 60],
    [200, 86_400],
  ],
  /** Of an address. */
  views: [[300, 60]],
} satisfies Record<string, [points: number, seconds: number][]>;

export type LimitName = keyof typeof LIMITS;

/**
 * How many are counted one by one in each window of a limit, in at most about 3 MB. Further
 * visitors are counted by network, so that a flood of new names neither slips through nor keeps
 * others out; further accounts share one allowance with a few others, wherever their attempts come
 * from.
 */
export const MAX_COUNTED = 20_000;
/** What a network may take, in allowances of one. */
export const NETWORK_SHARE = 10;

export class RateLimited extends DomainError {
  /** Whole seconds, for the Retry-After header. */
  readonly retryAfter: number;

  constructor(millisecondsToWait: number, said?: Said) {
    const retryAfter = Math.max(1, Math.ceil(millisecondsToWait / 1_000));
    super('RATE_LIMITED', said ?? tooManyAttempts(retryAfter));
    this.retryAfter = retryAfter;
  }
}

export interface RateLimits {
  /**
   * Takes one from the allowance named by `of`. Taken before the work and given back after it, so
   * that parallel attempts cannot slip through.
   * @param from the requester's network address, where `of` is a visitor recognized by something
   * else; absent where it counts requests from everywhere.
   * @returns a function that gives it back, for an attempt that does not count after all; call it
   * at most once.
   * @throws RateLimited if nothing is left.
   */
  take(name: LimitName, of: string, from?: string): Promise<() => void>;
}

/** Of one connection, which one process has. */
const OF_ONE_PROCESS = new Set<string>(['liveMessages'] satisfies LimitName[]);

/**
 * Counts in this process's memory, which `shared` brings together with those of others.
 * @param now the clock, UTC milliseconds
 */
export function createRateLimits(
  now: () => number,
  shared: SharedCounts | null = null,
): RateLimits {
  const limits = new Map(
    Object.entries(LIMITS).map(([name, windows]) => [
      name,
      windows.map(([points, seconds]) => {
        const count = (kind: string, most: number) => {
          const changed: Changed = (key, by, of) =>
            shared?.changed(`${name} ${seconds} ${kind} ${key}`, by, of);
          const tell = shared && !OF_ONE_PROCESS.has(name) ? changed : () => {};
          return new Counts(most, seconds * 1_000, tell);
        };
        return {
          single: count('single', points),
          network: count('network', points * NETWORK_SHARE),
          shared: count('shared', points),
        };
      }),
    ]),
  );
  return {
    async take(name, of, from = isIP(of) ? of : undefined) {
      const at = now();
      const single = digest(of).toString('base64');
      const windows = (limits.get(name) ?? []).map((window) => {
        window.single.dropEnded(at);
        window.network.dropEnded(at);
        window.shared.dropEnded(at);
        if (window.single.hasRoomFor(single)) return { counts: window.single, key: single };
        if (from === undefined) return { counts: window.shared, key: bucketOf(of) };
        return { counts: window.network, key: networkOf(from) };
      });
      const waits = windows.map(({ counts, key }) => counts.wait(key, at));
      // What one window refuses must not be counted by the others.
      if (Math.max(...waits) > 0) throw new RateLimited(Math.max(...waits));
      const taken = windows.map(({ counts, key }) => counts.take(key, at));
      return () => {
        for (const giveBack of taken) giveBack();
      };
    },
  };
}

/** Told of each change of a count. */
type Changed = (key: string, by: number, count: SharedCount) => void;

/** What each key has taken within a time that begins with the first. */
class Counts {
  /** In the order in which they end, for all take as long; another process may have begun some. */
  private readonly counts = new Map<string, SharedCount>();
  private readonly points: number;
  private readonly milliseconds: number;

  private readonly changed: Changed;

  constructor(points: number, milliseconds: number, changed: Changed) {
    this.points = points;
    this.milliseconds = milliseconds;
    this.changed = changed;
  }

  dropEnded(now: number): void {
    for (const [key, { endsAt }] of this.counts) {
      if (endsAt > now) return;
      this.counts.delete(key);
    }
  }

  hasRoomFor(key: string): boolean {
    return this.counts.size < MAX_COUNTED || this.counts.has(key);
  }

  /** Milliseconds until something is left, 0 when something is. */
  wait(key: string, now: number): number {
    const count = this.find(key, now);
    return count && count.taken >= this.points ? count.endsAt - now : 0;
  }

  /** @returns gives it back. A key that has taken nothing is not kept. */
  take(key: string, now: number): () => void {
    const count = this.find(key, now) ?? { taken: 0, endsAt: now + this.milliseconds };
    // What has ended loses its place, which the new count takes at the end.
    if (count.taken === 0) this.counts.delete(key);
    this.counts.set(key, count);
    count.taken += 1;
    this.changed(key, 1, count);
    return () => {
      count.taken -= 1;
      this.changed(key, -1, count);
      if (count.taken <= 0 && this.counts.get(key) === count) this.counts.delete(key);
    };
  }

  private find(key: string, now: number): SharedCount | undefined {
    const count = this.counts.get(key);
    return count && count.endsAt > now ? count : undefined;
  }
}

/** A visitor may choose what is counted by: what is kept of it is of one length. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** What an address is counted by: a person holds a whole IPv6 network of 64 bits. */
export function addressKey(ip: string): string {
  return normalizeIP(ip, { ipv6Subnet: 64 });
}

/** The first 16 bits of an IPv4 and 32 of an IPv6 address tell providers apart. */
function networkOf(address: string): string {
  const network = address.split(/[.:]/, 2).join('.');
  return bucketOf(network);
}

/** One of 65,536. */
function bucketOf(text: string): string {
  return String(digest(text).readUInt16BE());
}

function tooManyAttempts(seconds: number): Fact {
  if (seconds === 1) return fact('Too many attempts. Please try again in a second.');
  if (seconds < 90) {
    return fact('Too many attempts. Please try again in {count} seconds.', { count: seconds });
  }
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90
    ? fact('Too many attempts. Please try again in {count} minutes.', { count: minutes })
    : fact('Too many attempts. Please try again in {count} hours.', {
        count: Math.ceil(minutes / 60),
      });
}
