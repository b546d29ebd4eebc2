export interface Expiry {
  month: number;
  year: number;
}

/** Reads `12/34`, `12 / 2034` or `1234`; undefined when it is none of these. */
export function readExpiry(typed: string): Expiry | undefined {
  const match =
    /^(\d{1,2})\s*[/-]\s*(\d{4}|\d{2})$/.exec(typed) ?? /^(\d{2})(\d{4}|\d{2})$/.exec(typed);
  if (!match) return undefined;
  const [, month, year] = match.map(Number) as [number, number, number];
  if (month < 1 || month > 12) return undefined;
  return { month, year: year < 100 ? 2000 + year : year };
}

/** A card is good until the end of its month. */
export function isPast({ month, year }: Expiry, now: Date): boolean {
  return year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1;
}
