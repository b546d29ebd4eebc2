import { checkPriceBounds } from '../../contract/check-price-bounds.ts';
import { dollarsToCents, feeOf } from '../../contract/money.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { describeFee } from './describe-fee.ts';
import { formatPrice } from './format.ts';

type Terms = Pick<RuntimeConfig, 'fee' | 'minimumPriceCents'>;

/** What a typed price means: what is paid and received, or the bound that it is beyond. */
export function describePrice(typed: string, terms: Terms): string {
  const dollars = Number(typed);
  if (!(dollars > 0)) return describeTerms(terms);
  // The price as it is kept, in whole cents, may not be what was typed.
  const cents = dollarsToCents(dollars);
  const fault = checkPriceBounds(cents, terms.minimumPriceCents);
  if (fault) return fault;
  const share = formatPrice(cents - feeOf(cents, terms.fee));
  return `Buyers pay ${formatPrice(cents)}. You receive ${share}.`;
}

export function describeTerms({ fee, minimumPriceCents }: Terms): string {
  return `${formatPrice(minimumPriceCents)} or more. The fee is ${describeFee(fee)} per sale.`;
}
