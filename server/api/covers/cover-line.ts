import { RateLimited } from '../rate-limits.ts';

/** Pictures in memory at once, those on their way included: of 10 MiB each at most. */
const PLACES = 12;
const RETRY_MS = 5_000;

const ONE_AT_A_TIME =
  'Another cover is on its way from this account. Please wait for it to be done.';
const FULL = 'Many covers are on their way just now. Please try again in a few seconds.';

/**
 * Gives places to covers before their bytes are read: one to each account, and few in all.
 * @returns leaves the place; more than once does no harm.
 * @throws RateLimited when there is none.
 */
export type TakePlace = (account: string) => () => void;

export function createCoverLine(): TakePlace {
  const accounts = new Set<string>();
  return (account) => {
    if (accounts.has(account)) throw new RateLimited(RETRY_MS, ONE_AT_A_TIME);
    if (accounts.size >= PLACES) throw new RateLimited(RETRY_MS, FULL);
    accounts.add(account);
    let isLeft = false;
    return () => {
      if (!isLeft) accounts.delete(account);
      isLeft = true;
    };
  };
}
