import type { DatabaseTransaction } from '../database/tables.ts';
import { type Entry, postEntry } from './post-entry.ts';

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

export const saleCause = ({ paymentIntentId }: Pick<Sale, 'paymentIntentId'>) =>
  `sale:${paymentIntentId}`;

/** Books a sale once per payment: gross from the provider, fee to the platform, net to the creator. */
export function recordSale(trx: DatabaseTransaction, sale: Sale, now: number): Promise<boolean> {
  return postEntry(
    trx,
    {
      ...entryOf(sale),
      kind: 'sale',
      cause: saleCause(sale),
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

export const processingCostCause = ({ paymentIntentId }: Pick<Sale, 'paymentIntentId'>) =>
  `processing_cost:${paymentIntentId}`;

/** Books what the provider kept of a payment: the platform pays it out of its fee. */
export async function recordProcessingCost(
  trx: DatabaseTransaction,
  sale: Sale,
  costCents: number,
  now: number,
): Promise<void> {
  await postEntry(
    trx,
    {
      ...entryOf(sale),
      kind: 'processing_cost',
      cause: processingCostCause(sale),
      lines: [
        { account: 'provider', amountCents: costCents },
        { account: 'processing_cost', amountCents: -costCents },
      ],
    },
    now,
  );
}
