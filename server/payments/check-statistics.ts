import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/** With those that were swept, because nobody paid. */
const FOUND_CHECKOUTS = sql`coalesce(f.checkouts, 0) + coalesce(c.swept_checkouts, 0)`;

const COUNTED_LINK = oneText('c.checkouts', 'c.sales', 'c.refunds');
const FOUND_LINK = oneText(FOUND_CHECKOUTS, 'f.sales', 'f.refunds');

const COUNTED_DAY = oneText(
  ...['c.checkouts', 'c.sales', 'c.refunds', 'c.net_cents', 'c.returned_cents'],
);
const FOUND_DAY = oneText(FOUND_CHECKOUTS, 'f.sales', 'f.refunds', 'f.net', 'f.returned');

/** Counters of checkouts, sales and refunds that differ from the purchases and their entries. */
export async function findWrongStatistics(db: Database): Promise<string[]> {
  return [...(await wrongLinks(db)), ...(await wrongDays(db))];
}

async function wrongLinks(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; counted: string; found: string }>`
    with refunded as (
      select purchase_id, sum(case kind when 'refund' then 1 else -1 end) as refunds
      from ledger_entry where kind in ('refund', 'refund_reversal') group by purchase_id
    ), found as (
      select p.link_id, count(*) as checkouts, count(p.settled_at) as sales,
        coalesce(sum(r.refunds), 0) as refunds
      from purchase p left join refunded r on r.purchase_id = p.id group by p.link_id
    )
    select coalesce(c.link_id, f.link_id) as id,
      ${COUNTED_LINK} as counted, ${FOUND_LINK} as found
    from link_statistics c full join found f on f.link_id = c.link_id
    where ${COUNTED_LINK} <> ${FOUND_LINK}`.execute(db);
  return rows.map(
    ({ id, counted, found }) =>
      `Link ${id} counts ${counted} checkouts / sales / refunds; its purchases have ${found}.`,
  );
}

async function wrongDays(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; day: number; counted: string; found: string }>`
    with moved as (
      select l.owner_id, e.kind,
        case when e.kind = 'sale' then min(l.sold_at) else e.created_at end / 86400000 as day,
        sum(l.amount_cents) as cents
      from ledger_entry e join ledger_line l on l.entry_id = e.id
      where l.owner_id is not null and e.kind not in ('payout', 'payout_reversal', 'write_off')
      group by e.id, e.kind, e.created_at, l.owner_id
    ), happened as (
      select seller_id as owner_id, created_at / 86400000 as day, 1 as checkouts, 0 as sales,
        0 as refunds, 0 as net, 0 as returned
      from purchase
      union all
      select owner_id, day, 0, case kind when 'sale' then 1 else 0 end,
        case kind when 'refund' then 1 when 'refund_reversal' then -1 else 0 end,
        case kind when 'sale' then cents else 0 end, case kind when 'sale' then 0 else -cents end
      from moved
    ), found as (
      select owner_id, day, sum(checkouts) as checkouts, sum(sales) as sales,
        sum(refunds) as refunds, cast(sum(net) as bigint) as net,
        cast(sum(returned) as bigint) as returned
      from happened group by owner_id, day
    )
    select coalesce(c.owner_id, f.owner_id) as id, coalesce(c.day, f.day) as day,
      ${COUNTED_DAY} as counted, ${FOUND_DAY} as found
    from seller_day c full join found f on f.owner_id = c.owner_id and f.day = c.day
    where ${COUNTED_DAY} <> ${FOUND_DAY}`.execute(db);
  return rows.map(
    ({ id, day, counted, found }) =>
      `Day ${day} of ${id} counts ${counted} checkouts / sales / refunds / cents / cents returned; its purchases and entries have ${found}.`,
  );
}

/** Counters as one text, "4 / 2 / 0": a missing row counts nothing. */
function oneText(...columns: (string | RawBuilder<unknown>)[]) {
  const counters = columns.map((column) =>
    typeof column === 'string' ? sql`coalesce(${sql.ref(column)}, 0)` : sql`(${column})`,
  );
  return sql<string>`(${sql.join(counters, sql` || ' / ' || `)})`;
}
