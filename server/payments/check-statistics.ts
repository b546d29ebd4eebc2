import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { isoTime } from '../lib/time.ts';
import { IMPORTED } from './tables.ts';

/** With those that were swept, because nobody paid. */
const FOUND_CHECKOUTS = sql`coalesce(f.checkouts, 0) + coalesce(c.swept_checkouts, 0)`;

const COUNTED_LINK = oneText('c.checkouts', 'c.sales', 'c.refunds');
const FOUND_LINK = oneText(FOUND_CHECKOUTS, 'f.sales', 'f.refunds');

const COUNTED_DAY = oneText(
  ...['c.checkouts', 'c.sales', 'c.refunds', 'c.net_cents', 'c.returned_cents'],
);
const FOUND_DAY = oneText(FOUND_CHECKOUTS, 'f.sales', 'f.refunds', 'f.net', 'f.returned');

const KEPT_TIME = oneText('h.sales', 'h.cents');
const FOUND_TIME = oneText('f.sales', 'f.cents');

/** Counters and sums that differ from the purchases, entries and reserves that they are kept of. */
export async function findWrongStatistics(db: Database): Promise<string[]> {
  return [...(await wrongLinks(db)), ...(await wrongDays(db)), ...(await wrongTimes(db))];
}

async function wrongLinks(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; counted: string; found: string }>`
    with refunded as (
      select purchase_id, sum(counted) as refunds from (
        select purchase_id, case kind when 'refund' then 1 else -1 end as counted
        from ledger_entry where kind in ('refund', 'refund_reversal')
        union all
        select r.purchase_id, 1 from refund r join purchase p on p.id = r.purchase_id
        where p.provider_account = ${IMPORTED}
      ) one group by purchase_id
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
      from purchase where provider_account <> ${IMPORTED}
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

async function wrongTimes(db: Database): Promise<string[]> {
  const { rows } = await sql<{
    owner_id: string;
    length_ms: number;
    number: number;
    kept: string;
    found: string;
  }>`
    with sale as (
      select l.owner_id, e.mode, l.sold_at, (
          select t.available_on from provider_transaction t
          where t.cause = 'sale:' || p.payment_intent_id and t.available_on > p.settled_at
        ) as available_on, sum(l.amount_cents) - coalesce(max(r.amount_cents), 0) as cents
      from ledger_line l
      join ledger_entry e on e.id = l.entry_id
      join purchase p on p.id = e.purchase_id
      left join reserve r on r.purchase_id = p.id
      where l.sold_at is not null
      group by p.id, l.owner_id, e.mode, l.sold_at
    ), found as (
      select owner_id, mode, length_ms, sold_at / length_ms as number,
        coalesce(available_on, 0) as available_on,
        cast(sum(cents) as bigint) as cents, count(*) as sales, max(sold_at) as last_sold_at
      from sale cross join (
        select 86400000 as length_ms union all select 3600000 union all select 60000
      ) t
      where cents > 0
      group by owner_id, mode, length_ms, sold_at / length_ms, coalesce(available_on, 0)
    )
    select coalesce(h.owner_id, f.owner_id) as owner_id, coalesce(h.length_ms, f.length_ms) as length_ms, coalesce(h.number, f.number) as number,
      ${KEPT_TIME} as kept, ${FOUND_TIME} as found
    from sales_in_time h full join found f on f.owner_id = h.owner_id and f.mode = h.mode
      and f.length_ms = h.length_ms and f.number = h.number and f.available_on = h.available_on
    where ${KEPT_TIME} <> ${FOUND_TIME} or h.last_sold_at <> f.last_sold_at`.execute(db);
  return rows.map(
    ({ owner_id, length_ms, number, kept, found }) =>
      `The time of ${length_ms} ms from ${isoTime(number * length_ms)} of ${owner_id} counts ${kept} sales / cents; its lines and reserves have ${found}.`,
  );
}

/** Counters as one text, "4 / 2 / 0": a missing row counts nothing. */
function oneText(...columns: (string | RawBuilder<unknown>)[]) {
  const counters = columns.map((column) =>
    typeof column === 'string' ? sql`coalesce(${sql.ref(column)}, 0)` : sql`(${column})`,
  );
  return sql<string>`(${sql.join(counters, sql` || ' / ' || `)})`;
}
