import { checkPriceBounds } from '../../../contract/check-price-bounds.ts';
import { TEXTS } from '../../../contract/texts.ts';
import { DomainError } from '../domain-error.ts';

/** @throws DomainError INVALID_PRICE unless the price is an integer of cents within the bounds. */
export function validatePrice(priceCents: number, minimumCents: number): void {
  if (!Number.isInteger(priceCents) || priceCents <= 0) {
    throw new DomainError('INVALID_PRICE', TEXTS.invalidPrice);
  }
  const fault = checkPriceBounds(priceCents, minimumCents);
  if (fault) throw new DomainError('INVALID_PRICE', fault);
}
