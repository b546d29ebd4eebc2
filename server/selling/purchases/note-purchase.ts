import type { Link } from '../../catalog/links/tables.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { NotedPurchase } from './card-provider.ts';
import { fingerprintContent } from './content-fingerprint.ts';
import { giftOf } from './gifts.ts';
import type { Purchase } from './tables.ts';

/** What is noted at the provider of a purchase before it is paid. */
export async function notePurchase(
  db: Database,
  link: Link,
  purchase: Pick<
    Purchase,
    'id' | 'price_cents' | 'fee_cents' | 'content_version' | 'gift_email' | 'gift_message'
  >,
): Promise<NotedPurchase> {
  return {
    gift: giftOf(purchase),
    purchaseId: purchase.id,
    linkId: link.id,
    agreedCents: purchase.price_cents,
    feeCents: purchase.fee_cents,
    contentFingerprint: await fingerprintContent(db, link, purchase.content_version),
  };
}
