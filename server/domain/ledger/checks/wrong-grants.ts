import { sql } from 'kysely';
import type { Database } from '../../tables.ts';

interface Faulty {
  id: string;
  settled: number;
  grants: number;
  state: string | null;
  left_cents: number;
  open_disputes: number;
}

/**
 * Grants that do not follow the books: there is one for each settled purchase, and it is active
 * exactly when something of the price was kept and no dispute holds it.
 */
export async function findWrongGrants(db: Database): Promise<string[]> {
  const { rows } = await sql<Faulty>`
    with moved as (
      select e.purchase_id,
        sum(case when e.kind in ('refund', 'refund_reversal') then l.amount_cents else 0 end)
          as refunded,
        sum(case e.kind when 'dispute' then 1 when 'dispute_reversal' then -1 else 0 end)
          as open_disputes
      from ledger_entry e join ledger_line l on l.entry_id = e.id and l.account = 'provider'
      group by e.purchase_id
    ), holding as (
      select p.id, case when p.settled_at is null then 0 else 1 end as settled,
        count(g.id) as grants, min(g.state) as state,
        p.price_cents - coalesce(min(m.refunded), 0) as left_cents,
        coalesce(min(m.open_disputes), 0) as open_disputes
      from purchase p
      left join access_grant g on g.purchase_id = p.id
      left join moved m on m.purchase_id = p.id
      group by p.id, p.settled_at, p.price_cents
    )
    select * from holding
    where grants <> settled
      or (state = 'active' and (left_cents <= 0 or open_disputes > 0))
      or (state = 'suspended' and (left_cents <= 0 or open_disputes <= 0))
      or (state = 'ended' and left_cents > 0 and open_disputes <= 0)`.execute(db);
  return rows.map(describe);
}

function describe({ id, settled, grants, state, left_cents, open_disputes }: Faulty): string {
  if (Number(grants) !== settled) {
    return `Purchase ${id} has ${grants} grants and is ${settled ? '' : 'not '}settled.`;
  }
  const refund = left_cents > 0 ? 'not fully refunded' : 'fully refunded';
  const dispute = open_disputes > 0 ? 'a dispute that holds its money' : 'no dispute';
  return `The grant of purchase ${id} is ${state}, but it is ${refund} and has ${dispute}.`;
}
