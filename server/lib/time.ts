/** UTC milliseconds as the API writes times. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export const MINUTE_MS = 60 * 1000;

export const HOUR_MS = 60 * MINUTE_MS;

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Whole UTC days since 1970 at a time in UTC milliseconds. */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS);
