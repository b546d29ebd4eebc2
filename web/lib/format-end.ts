import { formatDay } from './format.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * When something is over: "Nov 30, 2026 (UTC)" for the end of that day, elsewhere another hour, or
 * "Nov 30, 2026, 12:00 UTC" for a moment within it.
 */
export function formatEnd(isoTime: string): string {
  const time = isoTime.slice(11, 16);
  return Date.parse(isoTime) % DAY_MS === 0
    ? `${formatDay(Date.parse(isoTime) - 1)} (UTC)`
    : `${formatDay(isoTime)}, ${time} UTC`;
}
