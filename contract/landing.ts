/** What the landing page counts up to (specification §9). */
export const COUNTERS = [
  { label: 'Users Signed Up', target: 1000 },
  { label: 'Links Monetized', target: 2500 },
  { label: 'Payouts Made', target: 500 },
] as const;

/** Milliseconds each counter takes from zero to its target. */
export const COUNT_UP_MS = 2000;
