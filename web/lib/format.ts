import { ENGLISH, fact, writeMoment } from '../../contract/fact.ts';
import { sizeOf } from '../../contract/format.ts';
import { formatCents } from '../../contract/money.ts';
import { type Sentence, say, spoken, tell } from '../languages/say.ts';

/** 499 -> "$4.99" */
export function formatPrice(cents: number): string {
  const speech = spoken();
  if (speech) return speech.price(cents);
  return cents < 0 ? `−$${formatCents(-cents)}` : `$${formatCents(cents)}`;
}

export function nameLink({ id, title }: { id: string; title: string | null }): string {
  return title ?? say('Paid link {id}', { id });
}

/** A sentence for one, or for another number, which is its `count`. */
export function sayCount(count: number, one: Sentence, many: Sentence): string {
  return say(count === 1 ? one : many, { count });
}

/** @param sentence `{list} and {next}` or `{list} or {next}` */
export function sayList(parts: string[], sentence: Sentence): string {
  return parts.reduce((list, next) => say(sentence, { list, next }));
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** 1_400_000 -> "1.4 MB" */
export const sayBytes = (bytes: number): string => tell(sizeOf(bytes));

/** 2.5 -> "2.5%" */
export const sayPercent = (percent: number): string => tell(fact('{percent}%', { percent }));

/** "Nov 21, 2026", in UTC so that server and browser render the same. */
export function formatDay(time: string | number): string {
  return spoken()?.day(time) ?? dayFormat.format(new Date(time));
}

/** UTC milliseconds -> "Nov 21, 2026, 06:38 UTC" */
export function sayMoment(time: number): string {
  return writeMoment(time, spoken() ?? ENGLISH);
}

/** "2026-11-21 06:38:04 UTC" */
export function formatTime(isoTime: string): string {
  return spoken()?.second(isoTime) ?? `${isoTime.slice(0, 10)} ${isoTime.slice(11, 19)} UTC`;
}
