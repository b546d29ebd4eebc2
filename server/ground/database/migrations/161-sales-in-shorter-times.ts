import { type Kysely, sql } from 'kysely';

/**
 * Sums of three hours, a quarter of an hour and five seconds beside those of a day and a minute, and
 * none of an hour: fewer of them make up a hold, and fewer sales are read one by one where it ends.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'delete from sales_in_time',
  `insert into sales_in_time
    select s.owner_id, s.mode, t.length_ms, s.sold_at / t.length_ms, s.available_on,
      cast(sum(s.cents) as bigint), count(*), max(s.sold_at)
    from (
      select l.owner_id, e.mode, l.sold_at, coalesce(p.available_on, 0) as available_on,
        sum(l.amount_cents) - coalesce(max(r.amount_cents), 0) as cents
      from ledger_line l
      join ledger_entry e on e.id = l.entry_id
      join purchase p on p.id = e.purchase_id
      left join reserve r on r.purchase_id = p.id
      where l.sold_at is not null
      group by p.id, l.owner_id, e.mode, l.sold_at, p.available_on
    ) s
    cross join (
      select 86400000 as length_ms union all select 10800000 union all select 900000
      union all select 60000 union all select 5000
    ) t
    where s.cents > 0
    group by s.owner_id, s.mode, t.length_ms, s.sold_at / t.length_ms, s.available_on`,
];
