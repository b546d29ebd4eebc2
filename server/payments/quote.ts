import { PROVIDER_MIN_CENTS } from '../../contract/limits.ts';
import { checkPriceBounds } from '../../contract/link-rules.ts';
import { type FeeRate, shareOut } from '../../contract/money.ts';
import type { Discount } from '../discounts/tables.ts';
import { lowerPrice, refused } from '../discounts/use-discount.ts';
import type { Link } from '../links/tables.ts';

/** What a purchase would cost now, in integer cents. */
export interface Quote {
  /** The list price: what the creator asks for the link. */
  listCents: number;
  /** The agreed price: what the buyer pays. A purchase keeps it, whatever the link costs later. */
  agreedCents: number;
  /** What makes it less than the list price; null where nothing does. */
  discount: Discount | null;
  /** The platform's part of the agreed price. */
  feeCents: number;
  /** The creator's part of it. */
  netCents: number;
  /** Whether the provider adds taxes to the agreed price at the checkout. */
  taxed: boolean;
  currency: 'usd';
}

/**
 * Decides what a purchase of a link costs and who gets what of it: nothing else does.
 * @throws DomainError DISCOUNT_REFUSED where a discount leaves less than can be paid by card, or
 * nothing for the creator
 */
export function quote(
  { price_cents: listCents }: Link,
  { fee, tax }: { fee: FeeRate; tax: boolean },
  discount: Discount | null = null,
): Quote {
  const agreedCents = discount ? lowerPrice(listCents, discount) : listCents;
  if (discount && checkPriceBounds(agreedCents, { minimumPriceCents: PROVIDER_MIN_CENTS, fee })) {
    throw refused('This discount code would leave less of the price than can be paid by card.');
  }
  const shares = shareOut(agreedCents, fee);
  return { listCents, agreedCents, discount, ...shares, taxed: tax, currency: 'usd' };
}
