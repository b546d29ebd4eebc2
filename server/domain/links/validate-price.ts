import { PROVIDER_MAX_CENTS } from '../../../contract/limits.ts';
import { formatCents } from '../../../contract/money.ts';
import { TEXTS } from '../../../contract/texts.ts';
import { DomainError } from '../domain-error.ts';

/** @throws DomainError INVALID_PRICE unless the price is an integer of cents within the bounds. */
export function validatePrice(priceCents: number, minimumCents: number): void {
  if (!Number.isInteger(priceCents) || priceCents <= 0) {
    throw new DomainError('INVALID_PRICE', TEXTS.invalidPrice);
  }
  if (priceCents < minimumCents) {
    throw new DomainError('INVALID_PRICE', `The smallest price is $${formatCents(minimumCents)}.`);
  }
  if (priceCents > PROVIDER_MAX_CENTS) {
    const largest = PROVIDER_MAX_CENTS.toLocaleString('en-US');
    throw new DomainError('INVALID_PRICE', `The largest price is ${largest} cents.`);
  }
}
