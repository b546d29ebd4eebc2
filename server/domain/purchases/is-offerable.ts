import type { Link } from '../links/tables.ts';
import type { CheckoutParty } from './checkout-context.ts';
import type { Purchase } from './tables.ts';

const MINUTE_MS = 60 * 1000;
/** An open session with less time left than this is not offered again. */
const SESSION_MARGIN_MS = 5 * MINUTE_MS;
/** The provider opens no session with less than 30 minutes left, and needs time to answer. */
const NEW_SESSION_MARGIN_MS = 31 * MINUTE_MS;

/**
 * Whether an open purchase may be paid by this party: at today's price, to the same account, by
 * the same buyer. Whoever signed in or out since then begins anew, so that it lands in their account.
 */
export function isOfferable(
  purchase: Purchase,
  link: Link,
  { visitor, account }: Pick<CheckoutParty, 'visitor' | 'account'>,
  now: number,
): boolean {
  const timeLeft = purchase.expires_at - now;
  const hasTime = purchase.session_id
    ? purchase.checkout_url !== null && timeLeft > SESSION_MARGIN_MS
    : timeLeft > NEW_SESSION_MARGIN_MS;
  return (
    hasTime &&
    purchase.price_cents === link.price_cents &&
    purchase.provider_account === account &&
    purchase.buyer_id === visitor.buyer_id
  );
}
