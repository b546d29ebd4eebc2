export const DAY_MS = 24 * 60 * 60 * 1000;

/** Whole UTC days since 1970 at a time in UTC milliseconds. */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS);
