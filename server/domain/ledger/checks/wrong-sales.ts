import { sql } from 'kysely';
import type { Database } from '../../tables.ts';

/** Settled purchases without exactly one sale that matches price and fee, and others with one. */
export async function findWrongSales(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; sales: number; matching: number }>`
    with sale as (
      select e.id, e.purchase_id, e.cause, e.mode, e.currency, e.provider_account,
        sum(case when l.account = 'provider' then -l.amount_cents else 0 end) as gross,
        sum(case when l.account = 'platform_fee' then l.amount_cents else 0 end) as fee,
        min(l.owner_id) as seller_id
      from ledger_entry e join ledger_line l on l.entry_id = e.id
      where e.kind = 'sale'
      group by e.id, e.purchase_id, e.cause, e.mode, e.currency, e.provider_account
    ), matched as (
      select p.id, p.settled_at, count(s.id) as sales, sum(case
        when s.cause = 'sale:' || p.payment_intent_id and s.gross = p.price_cents
          and s.fee = p.fee_cents and s.seller_id = p.seller_id and s.mode = p.mode
          and s.currency = p.currency and s.provider_account = p.provider_account
        then 1 else 0 end) as matching
      from purchase p left join sale s on s.purchase_id = p.id
      group by p.id, p.settled_at
    )
    select id, sales, matching from matched
    where sales <> case when settled_at is null then 0 else 1 end or sales <> matching
    union all
    select s.id, 1, 0 from sale s left join purchase p on p.id = s.purchase_id
    where p.id is null`.execute(db);
  return rows.map(
    ({ id, sales, matching }) =>
      `Purchase ${id} has ${sales} sale entries, and ${matching} that match it.`,
  );
}
