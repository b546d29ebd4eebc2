const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Cents as people read them: 123456 becomes `$1,234.56`. */
export function formatPrice(cents: number): string {
  return dollars.format(cents / 100);
}

/** The provider's bound of one card payment in US dollars, in cents; its lower one is not kept. */
export const LARGEST_CHARGE = 99_999_999;

/** What the provider keeps of a card payment, in cents: 2.9% and 30 ¢, its list price in the US. */
export function processingCost(cents: number): number {
  return Math.round((cents * 29) / 1000) + 30;
}

/** The provider's rate depends on where the buyer is; here everybody pays the same. */
export const TAX_PERCENT = 20;

/** What the provider takes for a dispute, in cents; not given back when the dispute is won. */
export const DISPUTE_COST = 1500;
