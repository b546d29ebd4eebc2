import { fact } from '../../../contract/fact.ts';
import { PROVIDER_MAX_CENTS } from '../../../contract/limits.ts';
import { checkPriceBounds } from '../../../contract/link-rules.ts';
import { type FeeRate, shareOut } from '../../../contract/money.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { spread } from '../../ground/lib/spread.ts';
import type { Discount } from '../discounts/tables.ts';
import { lowerPrice, refused } from '../discounts/use-discount.ts';
import type { CheckoutContext } from './context.ts';

/** What a purchase would cost now, in integer cents. */
export interface Quote {
  /** The list price: what the creator asks for the link, or the buyer named. */
  listCents: number;
  /** The agreed price: what the buyer pays; 0 by a code that takes off everything. A purchase keeps it. */
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

/** What a buyer brings that may change the price. */
export interface BuyerTerms {
  discount?: Discount | null;
  /** Cents that the buyer names, where the link lets them. */
  namedCents?: number | null;
}

/**
 * Decides what a purchase of a link costs and who gets what of it: nothing else does.
 * @throws DomainError DISCOUNT_REFUSED where a discount leaves less than can be paid by card;
 * INVALID_PRICE for a named price that cannot be taken, and for a link that was made where the
 * provider charged less
 */
export function quote(
  link: Link,
  { fee, tax, providerMinimumCents }: Pick<CheckoutContext, 'fee' | 'tax' | 'providerMinimumCents'>,
  { discount = null, namedCents = null }: BuyerTerms = {},
): Quote {
  const listCents =
    link.least_cents === null
      ? link.price_cents
      : namePrice(link, providerMinimumCents, namedCents);
  const agreedCents = discount ? lowerPrice(listCents, discount) : listCents;
  // An amount that happens to take off everything is no gift of the creator's.
  const isFree = discount?.percent === 100;
  if (agreedCents < providerMinimumCents && !isFree) {
    if (discount) {
      throw refused('This discount code would leave less of the price than can be paid by card.');
    }
    throw new DomainError('INVALID_PRICE', TOO_CHEAP);
  }
  const shares = shareOut(agreedCents, fee);
  return { listCents, agreedCents, discount, ...shares, taxed: tax && !isFree, currency: 'usd' };
}

/**
 * What several links would cost when they are paid together: each as much as alone, but the platform's
 * fee is that of one payment, spread over their agreed prices.
 * @param quotes of each link alone
 * @throws DomainError INVALID_PRICE where they cost more together than can be paid at once
 */
export function quoteCart(quotes: Quote[], fee: FeeRate): Quote[] {
  const prices = quotes.map(({ agreedCents }) => agreedCents);
  const totalCents = prices.reduce((sum, cents) => sum + cents, 0);
  if (totalCents > PROVIDER_MAX_CENTS) {
    throw new DomainError(
      'INVALID_PRICE',
      fact(
        'This is more than can be paid at once. Remove something, so that no more than {price} is left.',
        { price: { cents: PROVIDER_MAX_CENTS } },
      ),
    );
  }
  const fees = spread(shareOut(totalCents, fee).feeCents, prices);
  return quotes.map((one, index) => {
    const feeCents = fees[index] ?? 0;
    return { ...one, feeCents, netCents: one.agreedCents - feeCents };
  });
}

const TOO_CHEAP =
  'This costs less than can be paid by card, so it cannot be bought. Nothing was charged.';

/** The price that a buyer names, or the suggested one where they say nothing. */
function namePrice(
  { price_cents: suggestedCents, least_cents: leastCents }: Link,
  providerMinimumCents: number,
  namedCents: number | null,
): number {
  const cents = namedCents ?? suggestedCents;
  const least = Math.max(leastCents ?? 0, providerMinimumCents);
  const fault =
    cents < least
      ? fact('Name a price of {price} or more.', { price: { cents: least } })
      : checkPriceBounds(cents, { minimumPriceCents: least, providerMinimumCents });
  if (fault) throw new DomainError('INVALID_PRICE', fault);
  return cents;
}
