import { sql } from 'kysely';
import type { Database } from '../../tables.ts';

/** Entries whose lines are not whole cents that sum to zero, or that have no second side. */
export async function findWrongEntries(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; sum: number }>`
    select e.id, coalesce(sum(l.amount_cents), 0) as sum
    from ledger_entry e left join ledger_line l on l.entry_id = e.id
    group by e.id
    having coalesce(sum(l.amount_cents), 0) <> 0 or count(l.entry_id) < 2
      or sum(case when cast(l.amount_cents as bigint) <> l.amount_cents then 1 else 0 end) > 0
    `.execute(db);
  return rows.map(({ id, sum }) =>
    Number(sum) === 0
      ? `Entry ${id} does not consist of two lines or more in whole cents.`
      : `Entry ${id} sums to ${sum} cents instead of 0.`,
  );
}
