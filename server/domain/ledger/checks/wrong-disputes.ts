import { sql } from 'kysely';
import type { Database } from '../../tables.ts';

/** Purchases to which disputes brought back more than they took. */
export async function findWrongDisputes(db: Database): Promise<string[]> {
  const { rows } = await sql<{ purchase_id: string; sum: number }>`
    select e.purchase_id, sum(l.amount_cents) as sum
    from ledger_entry e join ledger_line l on l.entry_id = e.id
    where e.kind in ('dispute', 'dispute_reversal') and l.account = 'creator'
    group by e.purchase_id
    having sum(l.amount_cents) > 0`.execute(db);
  return rows.map(
    (row) => `Purchase ${row.purchase_id} gained ${row.sum} cents by disputes, which only take.`,
  );
}
