/** What the landing page counts up to unless the operator says otherwise (specification §9). */
export const COUNTER_TARGETS: [number, number, number] = [1000, 2500, 500];

/** What each of them counts. */
export const COUNTER_LABELS = ['Users Signed Up', 'Links Monetized', 'Payouts Made'] as const;

/** Milliseconds each counter takes from zero to its target. */
export const COUNT_UP_MS = 2000;
