import { checkCopies, checkLeast, type PriceTerms } from '../../contract/link-rules.ts';
import { dollarsToCents } from '../../contract/money.ts';

/** What may be set beside the price, as it is typed. */
export interface TypedTerms {
  /** Dollars; empty where the price is fixed. */
  least?: string;
  /** Empty for any number. */
  copies?: string;
  /** The last day, "2026-11-30"; empty for no end. */
  until?: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What is wrong with each; undefined where nothing is. */
export function checkTerms({ least, copies }: TypedTerms, price: string, terms: PriceTerms) {
  return {
    least: least
      ? checkLeast(dollarsToCents(Number(least)), dollarsToCents(Number(price)), terms)
      : undefined,
    copies: checkCopies(Number(copies || 0)),
  };
}

/** As the API takes them; `least` in cents, null where the price is fixed. */
export function readTerms({ least, copies, until }: TypedTerms) {
  return {
    least: least ? dollarsToCents(Number(least)) : null,
    copies: Number(copies || 0),
    // The last day is part of it.
    until: until ? new Date(Date.parse(until) + DAY_MS).toISOString() : '',
  };
}

/** The last day of a sale that ends at this moment, as it is typed. */
export const lastDayOf = (until: string) =>
  new Date(Date.parse(until) - 1).toISOString().slice(0, 10);
