import { sql } from 'kysely';
import type { Database } from '../../tables.ts';

/** Kept balances that differ from the sum of their creator's lines. */
export async function findWrongBalances(db: Database): Promise<string[]> {
  const { rows } = await sql<{ owner_id: string; mode: string; kept: number; sum: number }>`
    select coalesce(b.owner_id, s.owner_id) as owner_id, coalesce(b.mode, s.mode) as mode,
      coalesce(b.balance_cents, 0) as kept, coalesce(s.sum, 0) as sum
    from user_balance b full join (
      select l.owner_id, e.mode, sum(l.amount_cents) as sum
      from ledger_line l join ledger_entry e on e.id = l.entry_id
      where l.owner_id is not null group by l.owner_id, e.mode
    ) s on s.owner_id = b.owner_id and s.mode = b.mode
    where coalesce(b.balance_cents, 0) <> coalesce(s.sum, 0)`.execute(db);
  return rows.map(
    (row) =>
      `Balance of ${row.owner_id} (${row.mode}) is ${row.kept}, its lines sum to ${row.sum}.`,
  );
}
