import type { Sale } from '../ledger/record-sale.ts';
import type { Purchase } from './tables.ts';

/** A settled purchase as the ledger knows it. @throws Error for one that is not settled */
export function saleOf(purchase: Purchase): Sale {
  if (purchase.payment_intent_id === null || purchase.settled_at === null) {
    throw new Error(`Purchase ${purchase.id} is not settled`);
  }
  return {
    paymentIntentId: purchase.payment_intent_id,
    purchaseId: purchase.id,
    linkId: purchase.link_id,
    sellerId: purchase.seller_id,
    grossCents: purchase.price_cents,
    feeCents: purchase.fee_cents,
    currency: purchase.currency,
    mode: purchase.mode,
    providerAccount: purchase.provider_account,
    soldAt: purchase.settled_at,
  };
}
