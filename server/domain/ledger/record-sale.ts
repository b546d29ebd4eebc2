import type { DatabaseTransaction } from '../tables.ts';
import type { Entry } from './entry.ts';
import { postEntry } from './post-entry.ts';

export interface Sale {
  paymentIntentId: string;
  purchaseId: string;
  linkId: string;
  sellerId: string;
  /** Cents, with 0 <= fee <= gross. */
  grossCents: number;
  feeCents: number;
  currency: string;
  mode: 'test' | 'live';
  providerAccount: string;
  /** UTC milliseconds. */
  soldAt: number;
}

/** What every entry of a sale has in common. */
export function entryOf(sale: Sale): Omit<Entry, 'kind' | 'cause' | 'lines'> {
  const { mode, providerAccount, currency, purchaseId, linkId, soldAt } = sale;
  return { mode, providerAccount, currency, purchaseId, linkId, soldAt };
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
      ...entryOf(sale),
      kind: 'sale',
      cause: `sale:${sale.paymentIntentId}`,
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
