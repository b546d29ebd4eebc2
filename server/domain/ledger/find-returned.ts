import type { Database } from '../tables.ts';

/** Cents that a creator gave back of a sale, less what came back of them. */
export interface Returned {
  refundedCents: number;
  disputedCents: number;
}

/** What was taken back of sales, by their purchases; those of which nothing was are missing. */
export async function findReturned(
  db: Database,
  purchaseIds: string[],
): Promise<Map<string, Returned>> {
  const rows = await db
    .selectFrom('ledger_entry')
    .innerJoin('ledger_line', 'ledger_line.entry_id', 'ledger_entry.id')
    .where('ledger_entry.purchase_id', 'in', purchaseIds)
    .where('ledger_entry.kind', '!=', 'sale')
    .where('ledger_line.owner_id', 'is not', null)
    .select(['ledger_entry.purchase_id', 'ledger_entry.kind', 'ledger_line.amount_cents'])
    .execute();
  const returned = new Map<string, Returned>();
  for (const { purchase_id: id, kind, amount_cents: cents } of rows) {
    if (id === null) continue;
    const sums = returned.get(id) ?? { refundedCents: 0, disputedCents: 0 };
    if (kind === 'refund' || kind === 'refund_reversal') sums.refundedCents -= cents;
    else sums.disputedCents -= cents;
    returned.set(id, sums);
  }
  return returned;
}
