import type { Database } from '../tables.ts';

export const refundCause = (refundId: string) => `refund:${refundId}`;
export const refundReversalCause = (refundId: string) => `refund_reversal:${refundId}`;

/** Cents of a purchase that are refunded by the books: refunds less those that failed later. */
export async function findRefundedCents(db: Database, purchaseId: string): Promise<number> {
  const { cents } = await db
    .selectFrom('ledger_entry')
    .innerJoin('ledger_line', 'ledger_line.entry_id', 'ledger_entry.id')
    .where('ledger_entry.purchase_id', '=', purchaseId)
    .where('ledger_entry.kind', 'in', ['refund', 'refund_reversal'])
    .where('ledger_line.account', '=', 'provider')
    .select((select) => select.fn.sum<number | string | null>('amount_cents').as('cents'))
    .executeTakeFirstOrThrow();
  return Number(cents ?? 0);
}
