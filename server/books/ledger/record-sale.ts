import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { type Entry, type Line, postEntry } from './post-entry.ts';

export interface Sale {
  /** The provider's, or `NO_PAYMENT`. */
  paymentIntentId: string;
  purchaseId: string;
  linkId: string;
  sellerId: string;
  /** Cents, with 0 <= fee <= gross. */
  grossCents: number;
  feeCents: number;
  /** What the buyer paid on top as tax, cents. */
  taxCents: number;
  currency: string;
  mode: 'test' | 'live';
  providerAccount: string;
  /** UTC milliseconds. */
  soldAt: number;
}

/** Books an entry of a sale. @returns whether it was booked now */
export function postSaleEntry(
  trx: DatabaseTransaction,
  { mode, providerAccount, currency, purchaseId, linkId, soldAt }: Sale,
  now: number,
  entry: Pick<Entry, 'kind' | 'cause' | 'lines'>,
): Promise<boolean> {
  const common = { mode, providerAccount, currency, purchaseId, linkId, soldAt };
  return postEntry(trx, { ...common, ...entry }, now);
}

/** Stands in the books for the payment of what cost nothing. */
export const NO_PAYMENT = 'none';

export const saleCause = ({ paymentIntentId }: Pick<Sale, 'paymentIntentId'>) =>
  `sale:${paymentIntentId}`;

/** What the buyer paid: the price and the tax. Cents. */
export const totalOf = ({ grossCents, taxCents }: Sale) => grossCents + taxCents;

/** A line for tax that comes in, or goes back where it is negative; none for no tax. */
export const taxLines = (cents: number): Line[] =>
  cents === 0 ? [] : [{ account: 'tax_payable', amountCents: cents }];

/**
 * Books a sale once: gross and tax from the provider, fee to the platform, net to the
 * creator, tax to whom it is owed.
 */
export function recordSale(trx: DatabaseTransaction, sale: Sale, now: number): Promise<boolean> {
  const { sellerId: ownerId, grossCents, feeCents } = sale;
  return postSaleEntry(trx, sale, now, {
    kind: 'sale',
    cause: saleCause(sale),
    lines: [
      { account: 'provider', amountCents: -totalOf(sale) },
      { account: 'platform_fee', amountCents: feeCents },
      { account: 'creator', ownerId, amountCents: grossCents - feeCents },
      ...taxLines(sale.taxCents),
    ],
  });
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
  await postSaleEntry(trx, sale, now, {
    kind: 'processing_cost',
    cause: processingCostCause(sale),
    lines: [
      { account: 'provider', amountCents: costCents },
      { account: 'processing_cost', amountCents: -costCents },
    ],
  });
}
