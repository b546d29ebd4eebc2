import { type Kysely, sql } from 'kysely';

/**
 * What the sales of each day, hour and minute are worth to their sellers, less what is reserved of them: what is
 * pending is read from these sums, however many the sales are.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table purchase add column available_on bigint',
  `update purchase set available_on = (
      select t.available_on from provider_transaction t
      where t.cause = 'sale:' || purchase.payment_intent_id)
    where id in (
      select p.id from provider_transaction t
      join ledger_entry e on e.cause = t.cause
      join purchase p on p.id = e.purchase_id
      where t.subject = 'sale' and t.available_on > p.settled_at)`,
  `create table sales_in_time (
    owner_id text not null,
    mode text not null,
    length_ms bigint not null,
    number bigint not null,
    available_on bigint not null,
    cents bigint not null,
    sales bigint not null,
    last_sold_at bigint not null,
    constraint sales_in_time_key primary key (owner_id, mode, length_ms, number, available_on)
  )`,
  `create index sales_in_time_unavailable on sales_in_time (owner_id, mode, length_ms, available_on)
    where available_on > 0`,
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
    cross join (select 86400000 as length_ms union all select 3600000 union all select 60000) t
    where s.cents > 0
    group by s.owner_id, s.mode, t.length_ms, s.sold_at / t.length_ms, s.available_on`,
];
