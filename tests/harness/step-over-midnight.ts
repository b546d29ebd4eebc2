const DAY_MS = 24 * 60 * 60 * 1000;
const FIVE_MINUTES_MS = 5 * 60 * 1000;

/**
 * How much a product's clock is to be ahead, in milliseconds, so that no UTC day ends during a
 * test. Little, because the card provider keeps the real time.
 */
export function stepOverMidnight(): number {
  return Date.now() % DAY_MS > DAY_MS - FIVE_MINUTES_MS ? FIVE_MINUTES_MS : 0;
}
