import { type FeeRate, shareOut } from '../../contract/money.ts';
import type { Link } from '../links/tables.ts';

/** What a purchase would cost now, in integer cents. */
export interface Quote {
  /** The list price: what the creator asks for the link. */
  listCents: number;
  /** The agreed price: what the buyer pays. A purchase keeps it, whatever the link costs later. */
  agreedCents: number;
  /** The platform's part of the agreed price. */
  feeCents: number;
  /** The creator's part of it. */
  netCents: number;
  /** Whether the provider adds taxes to the agreed price at the checkout. */
  taxed: boolean;
  currency: 'usd';
}

/** Decides what a purchase of a link costs and who gets what of it: nothing else does. */
export function quote(
  { price_cents: listCents }: Link,
  { fee, tax }: { fee: FeeRate; tax: boolean },
): Quote {
  const agreedCents = listCents;
  return { listCents, agreedCents, ...shareOut(agreedCents, fee), taxed: tax, currency: 'usd' };
}
