import type { Link } from '../links/tables.ts';
import type { Database } from '../tables.ts';
import type { CheckoutParty } from './checkout-context.ts';
import { readOfferedFiles } from './offered-files.ts';
import type { Purchase } from './tables.ts';

const MINUTE_MS = 60 * 1000;
/** An open session with less time left than this is not offered again. */
const SESSION_MARGIN_MS = 5 * MINUTE_MS;
/** The provider opens no session with less than 30 minutes left, and needs time to answer. */
const NEW_SESSION_MARGIN_MS = 31 * MINUTE_MS;

/**
 * Whether an open purchase may be paid by this party: the files of today at today's price, to the
 * same account, by the same buyer. Whoever signed in or out since then begins anew, so that it
 * lands in their account.
 */
export async function isOfferable(
  db: Database,
  purchase: Purchase,
  link: Link,
  { visitor, account }: Pick<CheckoutParty, 'visitor' | 'account'>,
  now: number,
): Promise<boolean> {
  const timeLeft = purchase.expires_at - now;
  const hasTime = purchase.session_id
    ? purchase.checkout_url !== null && timeLeft > SESSION_MARGIN_MS
    : timeLeft > NEW_SESSION_MARGIN_MS;
  return (
    hasTime &&
    purchase.price_cents === link.price_cents &&
    purchase.provider_account === account &&
    purchase.buyer_id === visitor.buyer_id &&
    (await holdsWhatWasOffered(db, purchase))
  );
}

async function holdsWhatWasOffered(db: Database, { id, link_id }: Purchase): Promise<boolean> {
  const offered = await readOfferedFiles(db, id);
  const held = await db
    .selectFrom('link_file')
    .where('link_id', '=', link_id)
    .orderBy('position')
    .select('file_key')
    .execute();
  return (
    offered.length === held.length &&
    offered.every((key, position) => key === held[position]?.file_key)
  );
}
