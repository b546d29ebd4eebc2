import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { tellHooks } from '../../notices/hooks/tell-hooks.ts';
import type { Purchase } from './tables.ts';

interface News {
  type:
    | 'sale.created'
    | 'sale.refunded'
    | 'sale.refund_failed'
    | 'dispute.opened'
    | 'dispute.closed';
  /** The refund or dispute it is about. */
  about?: Record<string, unknown>;
}

/** Tells webhooks of a sale what its seller's pages show: nothing of its buyer. */
export async function tellSale(
  trx: DatabaseTransaction,
  purchase: Purchase,
  { type, about }: News,
  now: number,
): Promise<void> {
  const { id, link_id: linkId, title, seller_id: ownerId, settled_at: paidAt } = purchase;
  const sale = {
    id,
    linkId,
    title,
    currency: purchase.currency,
    gross: purchase.price_cents,
    fee: purchase.fee_cents,
    net: purchase.price_cents - purchase.fee_cents,
    tax: purchase.tax_cents,
    paidAt: paidAt === null ? null : isoTime(paidAt),
    test: purchase.mode === 'test',
    gift: purchase.gift_email !== null,
  };
  await tellHooks(trx, { type, ownerId, data: { sale, ...about } }, now);
}
