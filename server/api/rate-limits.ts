import { createHash } from 'node:crypto';
import { normalizeIP } from '@better-auth/core/utils/ip';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../domain/domain-error.ts';

/** Each limit: [how many, in how many seconds], all of them hold at once. */
const LIMITS = {
  /** Sign-in, sign-up and code requests of an address: a classroom shares one. */
  accountRequests: [[100, 60]],
  /** Wrong passwords of an account. */
  passwordFailures: [[5, 60]],
  /** Codes mailed to an account at the wish of one visitor. */
  codesSent: [
    [5, 600],
    [20, 86_400],
  ],
  /** For one use, whoever wished: higher, so that a stranger cannot use up the owner's codes. */
  codesSentToAccount: [
    [15, 600],
    [60, 86_400],
  ],
  /** Wrong codes of an account from one visitor: of a million possible ones fifty a day. */
  codeFailures: [
    [10, 600],
    [50, 86_400],
  ],
  /** From all visitors, for one use: higher, so that a stranger cannot shut the owner out. */
  codeFailuresOfAccount: [
    [40, 600],
    [200, 86_400],
  ],
  /** Wrong codes of an authenticator and backup codes of an account. */
  secondFactorFailures: [
    [5, 60],
    [50, 86_400],
  ],
  checkouts: [
    [6, 60],
    [40, 3_600],
  ],
  checkoutsOfAddress: [
    [60, 60],
    [400, 3_600],
  ],
  /** Of an address. */
  receiptsAsked: [[30, 60]],
  /** Of a purchase. */
  receiptsResent: [[3, 600]],
  /** Of an address. */
  cardsDrawn: [[30, 60]],
  uploads: [[60, 60]],
  writes: [[120, 60]],
  /** Of an account, by session or secret key. */
  searches: [[120, 60]],
  searchesOfAddress: [[120, 60]],
  /** Messages on one live connection: a page begins with six, and answers two pings a minute. */
  liveMessages: [[60, 60]],
  /** On all its connections, which come again together after a restart. */
  liveMessagesOfAddress: [[1_200, 60]],
  /** Of an account: each takes the processor for up to seconds. */
  covers: [[10, 60]],
  /** Of an address. */
  views: [[300, 60]],
} satisfies Record<string, [points: number, seconds: number][]>;

export type LimitName = keyof typeof LIMITS;

export class RateLimited extends DomainError {
  /** Whole seconds, for the Retry-After header. */
  readonly retryAfter: number;

  constructor(millisecondsToWait: number, reason?: string) {
    const retryAfter = Math.max(1, Math.ceil(millisecondsToWait / 1_000));
    super('RATE_LIMITED', reason ?? `Too many tries. Please try again in ${describe(retryAfter)}.`);
    this.retryAfter = retryAfter;
  }
}

export interface RateLimits {
  /**
   * Takes one from the allowance of whoever `of` names. Taken before the work and given back after
   * it, so that parallel tries cannot slip through.
   * @returns gives it back, for an attempt that does not count after all.
   * @throws RateLimited when nothing is left.
   */
  take(name: LimitName, of: string): Promise<() => Promise<void>>;
}

/** Counts in this process's memory. */
export function createRateLimits(): RateLimits {
  const limiters = new Map(
    Object.entries(LIMITS).map(([name, windows]) => [
      name,
      windows.map(([points, duration]) => new RateLimiterMemory({ points, duration })),
    ]),
  );
  return {
    async take(name, of) {
      const key = digest(of);
      const windows = limiters.get(name) ?? [];
      const answers = await Promise.allSettled(windows.map((window) => window.consume(key)));
      const giveBack = async () => {
        await Promise.all(windows.map((window) => window.reward(key)));
      };
      const waits = answers.flatMap(waitOf);
      if (waits.length === 0) return giveBack;
      // What one window refuses must not be counted by the others.
      await giveBack();
      throw new RateLimited(Math.max(...waits));
    },
  };
}

/** A visitor may choose what is counted by: what is kept of it is of one length. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** What an address is counted by: a person holds a whole IPv6 network of 64 bits. */
export function addressKey(ip: string): string {
  return normalizeIP(ip, { ipv6Subnet: 64 });
}

/** Milliseconds to wait, if the answer is a refusal. */
function waitOf(answer: PromiseSettledResult<RateLimiterRes>): number[] {
  if (answer.status === 'fulfilled') return [];
  if (answer.reason instanceof RateLimiterRes) return [answer.reason.msBeforeNext];
  throw answer.reason;
}

function describe(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
