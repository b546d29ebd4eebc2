import { type RawBuilder, sql } from 'kysely';
import { isInReach } from '../../books/ledger/sales-in-time.ts';
import type { Database } from '../../ground/database/tables.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { sizeOfSoldFiles, wasFileSold } from '../../selling/purchases/sold-parts.ts';
import { countDays, countLinks, countSources, sumFiles, sumTimes } from './kept-sums.ts';

/** With those that were swept, because nobody paid. */
const FOUND_CHECKOUTS = sql`coalesce(f.checkouts, 0) + coalesce(c.swept_checkouts, 0)`;

const COUNTED_LINK = oneText('c.checkouts', 'c.sales', 'c.refunds');
const FOUND_LINK = oneText(FOUND_CHECKOUTS, 'f.sales', 'f.refunds');

const COUNTED_DAY = oneText(
  ...['c.checkouts', 'c.sales', 'c.refunds', 'c.net_cents', 'c.returned_cents'],
);
const FOUND_DAY = oneText(FOUND_CHECKOUTS, 'f.sales', 'f.refunds', 'f.net', 'f.returned');

const COUNTED_SOURCE = oneText('c.checkouts', 'c.sales', 'c.net_cents');
const FOUND_SOURCE = oneText(FOUND_CHECKOUTS, 'f.sales', 'f.net');

const COUNTED_FILES = oneText('c.used_bytes', 'c.open_uploads', 'c.deleted_bytes');
const FOUND_FILES = oneText('f.used_bytes', 'f.open_uploads', 'f.deleted_bytes');

const KEPT_TIME = oneText('h.sales', 'h.cents');
const FOUND_TIME = oneText('f.sales', 'f.cents');

/** A sum that differs from what it is kept of, and whose it is. */
export interface WrongSum {
  says: string;
  of: { ownerId: string } | { linkId: string };
}

/** Counters and sums that differ from the purchases, entries, reserves and files that they are kept of. */
export async function findWrongStatistics(db: Database): Promise<string[]> {
  return (await listWrongStatistics(db)).map(({ says }) => says);
}

export async function listWrongStatistics(db: Database): Promise<WrongSum[]> {
  return [
    ...(await wrongLinks(db)),
    ...(await wrongDays(db)),
    ...(await wrongSources(db)),
    ...(await wrongTimes(db)),
    ...(await wrongUsage(db)),
    ...(await wrongSizes(db)),
    ...(await wrongDeliveries(db)),
  ];
}

async function wrongLinks(db: Database): Promise<WrongSum[]> {
  const { rows } = await sql<{ id: string; counted: string; found: string }>`
    with found as (${countLinks()})
    select coalesce(c.link_id, f.link_id) as id,
      ${COUNTED_LINK} as counted, ${FOUND_LINK} as found
    from link_statistics c full join found f on f.link_id = c.link_id
    where ${COUNTED_LINK} <> ${FOUND_LINK}`.execute(db);
  return rows.map(({ id, counted, found }) => ({
    says: `Link ${id} counts ${counted} checkouts / sales / refunds; its purchases have ${found}: run ledger rebuild.`,
    of: { linkId: id },
  }));
}

async function wrongDays(db: Database): Promise<WrongSum[]> {
  const { rows } = await sql<{ id: string; day: number; counted: string; found: string }>`
    with found as (${countDays()})
    select coalesce(c.owner_id, f.owner_id) as id, coalesce(c.day, f.day) as day,
      ${COUNTED_DAY} as counted, ${FOUND_DAY} as found
    from seller_day c full join found f on f.owner_id = c.owner_id and f.day = c.day
    where ${COUNTED_DAY} <> ${FOUND_DAY}`.execute(db);
  return rows.map(({ id, day, counted, found }) => ({
    says: `Day ${day} of ${id} counts ${counted} checkouts / sales / refunds / cents / cents returned; its purchases and entries have ${found}: run ledger rebuild.`,
    of: { ownerId: id },
  }));
}

async function wrongSources(db: Database): Promise<WrongSum[]> {
  const { rows } = await sql<{
    id: string;
    day: number;
    source: string;
    counted: string;
    found: string;
  }>`
    with found as (${countSources()})
    select coalesce(c.link_id, f.link_id) as id, coalesce(c.day, f.day) as day,
      coalesce(c.source, f.source) as source,
      ${COUNTED_SOURCE} as counted, ${FOUND_SOURCE} as found
    from link_source c full join found f
      on f.link_id = c.link_id and f.day = c.day and f.source = c.source
    where ${COUNTED_SOURCE} <> ${FOUND_SOURCE}`.execute(db);
  return rows.map(({ id, day, source, counted, found }) => ({
    says: `Day ${day} of link ${id} counts ${counted} checkouts / sales / cents from ${source}; its purchases have ${found}: run ledger rebuild.`,
    of: { linkId: id },
  }));
}

async function wrongTimes(db: Database): Promise<WrongSum[]> {
  const { rows } = await sql<{
    owner_id: string;
    length_ms: number;
    number: number;
    kept: string;
    found: string;
  }>`
    with found as (${sumTimes()})
    select coalesce(h.owner_id, f.owner_id) as owner_id, coalesce(h.length_ms, f.length_ms) as length_ms, coalesce(h.number, f.number) as number,
      ${KEPT_TIME} as kept, ${FOUND_TIME} as found
    from (
      select * from sales_in_time
      where ${isInReach(sql`length_ms`, sql`number`, sql`available_on`)}
    ) h full join found f on f.owner_id = h.owner_id and f.mode = h.mode
      and f.length_ms = h.length_ms and f.number = h.number and f.available_on = h.available_on
    where ${KEPT_TIME} <> ${FOUND_TIME} or h.last_sold_at <> f.last_sold_at`.execute(db);
  return rows.map(({ owner_id, length_ms, number, kept, found }) => ({
    says: `The time of ${length_ms} ms from ${isoTime(number * length_ms)} of ${owner_id} counts ${kept} sales / cents; its lines and reserves have ${found}: run ledger rebuild.`,
    of: { ownerId: owner_id },
  }));
}

async function wrongUsage(db: Database): Promise<WrongSum[]> {
  const { rows } = await sql<{ id: string; counted: string; found: string }>`
    with found as (${sumFiles()})
    select coalesce(c.owner_id, f.owner_id) as id,
      ${COUNTED_FILES} as counted, ${FOUND_FILES} as found
    from file_usage c full join found f on f.owner_id = c.owner_id
    where ${COUNTED_FILES} <> ${FOUND_FILES}`.execute(db);
  return rows.map(({ id, counted, found }) => ({
    says: `Account ${id} counts ${counted} bytes / open uploads / deleted bytes; its files have ${found}: run ledger rebuild.`,
    of: { ownerId: id },
  }));
}

async function wrongSizes(db: Database): Promise<WrongSum[]> {
  const { rows } = await sql<{ purchase_id: string; link_id: string; kept: number; found: number }>`
    select * from (
      select purchase_id, link_id, coalesce(size_bytes, 0) as kept,
        coalesce(${sizeOfSoldFiles(sql.ref('access_grant.purchase_id'))}, 0) as found
      from access_grant
    ) grants where kept <> found`.execute(db);
  return rows.map(({ purchase_id, link_id, kept, found }) => ({
    says: `The grant of purchase ${purchase_id} includes ${kept} bytes; its files have ${found}: run ledger rebuild.`,
    of: { linkId: link_id },
  }));
}

async function wrongDeliveries(db: Database): Promise<WrongSum[]> {
  const { rows } = await sql<{
    link_id: string;
    purchase_id: string;
    file_key: string;
    bought: number;
  }>`
    select g.link_id, g.purchase_id, d.file_key, d.bought
    from delivered_file d join access_grant g on g.id = d.grant_id
    where d.bought <> ${wasFileSold(sql.ref('d.grant_id'), sql.ref('d.file_key'))}`.execute(db);
  return rows.map(({ link_id, purchase_id, file_key, bought }) => ({
    says: bought
      ? `What was sent of file ${file_key} counts as bought with purchase ${purchase_id}, which did not include it: run ledger rebuild.`
      : `What was sent of file ${file_key} does not count as bought with purchase ${purchase_id}, which included it: run ledger rebuild.`,
    of: { linkId: link_id },
  }));
}

/** Counters as one text, "4 / 2 / 0": a missing row counts nothing. */
function oneText(...columns: (string | RawBuilder<unknown>)[]) {
  const counters = columns.map((column) =>
    typeof column === 'string' ? sql`coalesce(${sql.ref(column)}, 0)` : sql`(${column})`,
  );
  return sql<string>`(${sql.join(counters, sql` || ' / ' || `)})`;
}
