import type { DatabaseTransaction } from '../tables.ts';
import { postEntry } from './post-entry.ts';

export interface Sale {
  paymentIntentId: string;
  purchaseId: string;
  sellerId: string;
  /** Cents, with 0 <= fee <= gross. */
  grossCents: number;
  feeCents: number;
  currency: string;
  mode: 'test' | 'live';
  providerAccount: string;
}

/** Books a sale once per payment: gross from the provider, fee to the platform, net to the creator. */
export function recordSale(
  transaction: DatabaseTransaction,
  sale: Sale,
  now: number,
): Promise<boolean> {
  return postEntry(
    transaction,
    {
      kind: 'sale',
      cause: `sale:${sale.paymentIntentId}`,
      mode: sale.mode,
      providerAccount: sale.providerAccount,
      currency: sale.currency,
      purchaseId: sale.purchaseId,
      lines: [
        { account: 'provider', amountCents: -sale.grossCents },
        { account: 'platform_fee', amountCents: sale.feeCents },
        {
          account: 'creator',
          ownerId: sale.sellerId,
          amountCents: sale.grossCents - sale.feeCents,
        },
      ],
    },
    now,
  );
}
