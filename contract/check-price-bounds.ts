import { PROVIDER_MAX_CENTS } from './limits.ts';
import { formatCents } from './money.ts';

/** What is wrong with a price in cents that is below or above what can be sold; else undefined. */
export function checkPriceBounds(cents: number, minimumCents: number): string | undefined {
  if (cents < minimumCents) return `The smallest price is $${formatCents(minimumCents)}.`;
  if (cents > PROVIDER_MAX_CENTS)
    return `The largest price is $${formatCents(PROVIDER_MAX_CENTS)}.`;
  return undefined;
}
