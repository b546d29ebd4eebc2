import { HOUR_MS } from '../lib/time.ts';

/** Doubling from 2 s up to an hour: the last attempt comes after three days. */
const FIRST_RETRY_MS = 2_000;

/** Milliseconds until what failed is tried again. @param retries how often it was before */
export function retryDelay(retries: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** retries, HOUR_MS);
}
