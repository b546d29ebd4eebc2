import { type FeeRate, formatCents } from '../../contract/money.ts';

/** 499 -> "$4.99" */
export function formatPrice(cents: number): string {
  return cents < 0 ? `-$${formatCents(-cents)}` : `$${formatCents(cents)}`;
}

/** 2, "sale" -> "2 sales" */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const shareFormat = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** 0.0421 -> "4.2%" */
export function formatShare(share: number): string {
  return shareFormat.format(share);
}

/** Seconds left, in the largest unit that is honest: "about 3 minutes". */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return 'a few seconds';
  if (seconds < 90) return `${Math.ceil(seconds / 5) * 5} seconds`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} minutes`;
  return `${Math.round(seconds / 3600)} hours`;
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** "Nov 21, 2026", in UTC so that server and browser render the same. */
export function formatDay(time: string | number): string {
  return dayFormat.format(new Date(time));
}

/** "2026-11-21 06:38:04 UTC" */
export function formatTime(isoTime: string): string {
  return `${isoTime.slice(0, 10)} ${isoTime.slice(11, 19)} UTC`;
}

/** The fee's rate in words: "5% plus $0.30". */
export function describeFee({ basisPoints, fixedCents }: FeeRate): string {
  const share = `${basisPoints / 100}%`;
  if (fixedCents === 0) return share;
  return basisPoints === 0 ? formatPrice(fixedCents) : `${share} plus ${formatPrice(fixedCents)}`;
}
