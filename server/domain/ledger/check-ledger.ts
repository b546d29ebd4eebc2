import { sql } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * Recomputes the books from their lines and lists every fault found, one sentence each:
 * entries that do not sum to zero, balances that differ from their creator's lines,
 * settled purchases without exactly one sale and one grant, sales that differ from the snapshot.
 */
export async function checkLedger(db: Database): Promise<string[]> {
  return [
    ...(await unbalancedEntries(db)),
    ...(await wrongBalances(db)),
    ...(await wrongSales(db)),
    ...(await wrongGrants(db)),
  ];
}

async function unbalancedEntries(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; sum: number }>`
    select e.id, coalesce(sum(l.amount_cents), 0) as sum
    from ledger_entry e left join ledger_line l on l.entry_id = e.id
    group by e.id
    having coalesce(sum(l.amount_cents), 0) <> 0 or count(l.entry_id) < 2`.execute(db);
  return rows.map((row) => `Entry ${row.id} sums to ${row.sum} cents instead of 0.`);
}

async function wrongBalances(db: Database): Promise<string[]> {
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

async function wrongSales(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; sales: number }>`
    select p.id, count(e.id) as sales
    from purchase p
    left join ledger_entry e on e.purchase_id = p.id and e.kind = 'sale'
      and e.cause = 'sale:' || p.payment_intent_id
      and p.price_cents = -(select sum(l.amount_cents) from ledger_line l
        where l.entry_id = e.id and l.account = 'provider')
      and p.fee_cents = (select sum(l.amount_cents) from ledger_line l
        where l.entry_id = e.id and l.account = 'platform_fee')
    group by p.id, p.settled_at
    having count(e.id) <> case when p.settled_at is null then 0 else 1 end`.execute(db);
  return rows.map((row) => `Purchase ${row.id} has ${row.sales} sale entries that match it.`);
}

async function wrongGrants(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; grants: number }>`
    select p.id, count(g.id) as grants
    from purchase p left join access_grant g on g.purchase_id = p.id
    group by p.id, p.settled_at
    having count(g.id) <> case when p.settled_at is null then 0 else 1 end`.execute(db);
  return rows.map((row) => `Purchase ${row.id} has ${row.grants} grants.`);
}
