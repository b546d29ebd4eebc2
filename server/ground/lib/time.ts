/** A day of the calendar, or a time in it, in UTC milliseconds; NaN for any other text. */
export function readIsoTime(text: string): number {
  const [day = ''] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  // February 30 would be March 2.
  const isInCalendar = day !== '' && new Date(day).toJSON()?.startsWith(day);
  return isInCalendar ? Date.parse(text) : Number.NaN;
}

/** UTC milliseconds as the API writes times. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export const MINUTE_MS = 60 * 1000;

export const HOUR_MS = 60 * MINUTE_MS;

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Whole UTC days since 1970 at a time in UTC milliseconds. */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/** Whole weeks, from Monday to Sunday in UTC, since that of January 1, 1970, a Thursday. */
export const weekOf = (time: number): number => Math.floor((dayOf(time) + 3) / 7);

/** When a week begins, UTC milliseconds. */
export const beginOfWeek = (week: number): number => (week * 7 - 3) * DAY_MS;
