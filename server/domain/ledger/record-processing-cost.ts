import type { DatabaseTransaction } from '../tables.ts';
import { postEntry } from './post-entry.ts';
import { entryOf, type Sale } from './record-sale.ts';

export const processingCostCause = (sale: Sale) => `processing_cost:${sale.paymentIntentId}`;

/** Books what the provider kept of a payment: the platform pays it out of its fee. */
export async function recordProcessingCost(
  transaction: DatabaseTransaction,
  sale: Sale,
  costCents: number,
  now: number,
): Promise<void> {
  await postEntry(
    transaction,
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
