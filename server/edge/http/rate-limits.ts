import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { normalizeIP } from '@better-auth/core/utils/ip';
import { type Fact, fact, type Said } from '../../../contract/fact.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { SharedCount, SharedCounts } from '../../ground/lib/processes.ts';

const SECONDS = { minute: 60, tenMinutes: 600, hour: 3_600, day: 86_400 };
type Window = keyof typeof SECONDS;

/** How often each is allowed; all windows of a limit apply at once. */
const ALLOWED = {
  /** Sign-in, sign-up and code requests of an address: a classroom shares one. */
  accountRequests: { minute: 100 },
  /** Wrong passwords of an account from one visitor. */
  passwordFailures: { minute: 5, day: 100 },
  /** From all strangers: higher, so that one of them cannot shut the owner out. */
  passwordFailuresOfAccount: { minute: 30, day: 1_000 },
  /** Sign-ins to an account that succeed: each keeps a session for a month. */
  signIns: { day: 1_000 },
  /** The same by way of a provider, of an address: whose account it is turns out too late. */
  providerSignIns: { day: 2_000 },
  /** Codes emailed to an account at the request of one visitor. */
  codesSent: { tenMinutes: 5, day: 20 },
  /** For one purpose, at the request of all strangers together. */
  codesSentToAccount: { tenMinutes: 15, day: 60 },
  /** Wrong codes of an account from one visitor, for one use: of a million possible ones fifty a day. */
  codeFailures: { tenMinutes: 10, day: 50 },
  /** From all strangers, for one use. */
  codeFailuresOfAccount: { tenMinutes: 40, day: 200 },
  /** Wrong codes of an authenticator and backup codes of an account from one visitor. */
  secondFactorFailures: { minute: 5, day: 20 },
  /** From all strangers, who know the password: of a million possible codes three are right. */
  secondFactorFailuresOfAccount: { minute: 15, day: 50 },
  /** Begun uses of passkeys, of a visitor: a classroom shares an address. */
  passkeysAsked: { tenMinutes: 60, day: 1_000 },
  /** Of a visitor, by the claim cookie. */
  checkouts: { minute: 6, hour: 40, day: 100 },
  /** Links put into carts, of an address: each keeps a row for a month. */
  cartItemsOfAddress: { minute: 120, day: 2_000 },
  /** Carts read, of an address: each link in them is looked at anew. */
  cartsOfAddress: { minute: 240 },
  checkoutsOfAddress: { minute: 60, hour: 400, day: 2_000 },
  /** Discount codes that do not exist, from a visitor, by the claim cookie. */
  discountGuesses: { minute: 10, day: 100 },
  discountGuessesOfAddress: { minute: 30, day: 1_000 },
  /** From all strangers: higher, so that one of them cannot keep a link's codes from everybody. */
  discountGuessesOfLink: { minute: 300, day: 5_000 },
  /**
   * License keys of a link that do not exist, from an address: those of a seller's own list may be
   * short, and in a row.
   */
  licenseGuesses: { minute: 100, day: 2_000 },
  /** Devices activated and freed, of a license key: as many as there may be, each once in and out. */
  licenseChanges: { day: 2_000 },
  /** Of an account: each mails a stranger. */
  linksGiven: { day: 20 },
  /** Of an address. */
  personalLinksOpened: { minute: 30, day: 500 },
  /** Codes for one more browser, of a purchase: each can be guessed at ten times. */
  accessCodesSent: { tenMinutes: 3, day: 10 },
  /** Of an address. */
  purchasesAsked: { minute: 30, day: 500 },
  /** Links to all purchases of a mailbox, at whosever request. */
  purchasesMailed: { tenMinutes: 3, day: 10 },
  /** Of an address. */
  receiptsAsked: { minute: 30 },
  /** Of a purchase. */
  receiptsResent: { tenMinutes: 3, day: 20 },
  /** Of a purchase, by whoever has the address of the page after its payment. */
  receiptsResentBySession: { hour: 1, day: 5 },
  /** Of a purchase, by its seller. */
  receiptsResentBySeller: { hour: 2, day: 5 },
  /** Of a mailbox that had bought the same before, whichever link: each costs what the provider keeps. */
  purchasesGivenBack: { day: 3 },
  /** Of an address. */
  reports: { tenMinutes: 10, day: 30 },
  /** Of a link. */
  reportsOfLink: { day: 20 },
  /** Of an address. */
  cardsDrawn: { minute: 30 },
  /** Of an account. */
  uploads: { minute: 60, day: 5_000 },
  /** Of an account. */
  writes: { minute: 120, day: 20_000 },
  /** Of an account, by session or secret key. */
  searches: { minute: 120 },
  /** Of an address, by whoever is not signed in. */
  searchesOfAddress: { minute: 300 },
  /** Messages on one live connection: a page begins with six, and answers two pings a minute. */
  liveMessages: { minute: 60 },
  /** On all its connections, which come again together after a restart. */
  liveMessagesOfAddress: { minute: 1_200 },
  /** Of an account: each takes the processor for up to seconds, and one replaced is kept a month. */
  covers: { minute: 10, day: 200 },
  /** Of an address. */
  views: { minute: 300 },
} satisfies Record<string, Partial<Record<Window, number>>>;

export type LimitName = keyof typeof ALLOWED;

/** Each limit: [how many, in how many seconds]. */
export const LIMITS = Object.fromEntries(
  Object.entries(ALLOWED).map(([name, windows]) => [
    name,
    Object.entries(windows).map(([window, points]) => [points, SECONDS[window as Window]]),
  ]),
) as Record<LimitName, [points: number, seconds: number][]>;

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
          return createCounts(most, seconds * 1_000, tell);
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

/** Counts what each key has taken within a time that begins with the first. */
function createCounts(points: number, milliseconds: number, changed: Changed) {
  /** In the order in which they end, for all take as long; another process may have begun some. */
  const counts = new Map<string, SharedCount>();

  function find(key: string, now: number): SharedCount | undefined {
    const count = counts.get(key);
    return count && count.endsAt > now ? count : undefined;
  }

  return {
    dropEnded(now: number): void {
      for (const [key, { endsAt }] of counts) {
        if (endsAt > now) return;
        counts.delete(key);
      }
    },
    hasRoomFor: (key: string) => counts.size < MAX_COUNTED || counts.has(key),
    /** Milliseconds until something is left, 0 when something is. */
    wait(key: string, now: number): number {
      const count = find(key, now);
      return count && count.taken >= points ? count.endsAt - now : 0;
    },
    /** @returns gives it back. A key that has taken nothing is not kept. */
    take(key: string, now: number): () => void {
      const count = find(key, now) ?? { taken: 0, endsAt: now + milliseconds };
      // What has ended loses its place, which the new count takes at the end.
      if (count.taken === 0) counts.delete(key);
      counts.set(key, count);
      count.taken += 1;
      changed(key, 1, count);
      return () => {
        count.taken -= 1;
        changed(key, -1, count);
        if (count.taken <= 0 && counts.get(key) === count) counts.delete(key);
      };
    },
  };
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
