/** Rates of the platform fee. Basis points: 500 = 5%. */
export interface FeeRate {
  basisPoints: number;
  fixedCents: number;
}

export const NO_FEE: FeeRate = { basisPoints: 0, fixedCents: 0 };

/** Dollars as typed by a person to integer cents (specification §5). NaN stays NaN. */
export function dollarsToCents(dollars: number): number {
  return Math.round(dollars * 100);
}

/** Integer cents as a dollar figure with two decimals and no sign of currency: 1999 -> "19.99". */
export function formatCents(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  const absolute = Math.abs(cents);
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`;
}

/**
 * How the gross of a sale is shared out, in cents: the platform's fee, rounded half up and never
 * above the gross, and the creator's net, which is the rest.
 */
export function shareOut(
  grossCents: number,
  rate: FeeRate,
): { feeCents: number; netCents: number } {
  const share = Math.floor((grossCents * rate.basisPoints + 5_000) / 10_000);
  const feeCents = Math.min(grossCents, share + rate.fixedCents);
  return { feeCents, netCents: grossCents - feeCents };
}
