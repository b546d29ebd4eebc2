import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { dayOf } from '../lib/time.ts';
import type { DayCounts, LinkCounts, LinkStatistics, SellerDay, SourceCounts } from './tables.ts';

/** Fewer parameters than either database takes in one statement. */
const ROWS_AT_ONCE = 1_000;

/**
 * Adds to the counters in the transaction of what is counted: to each link, each day and
 * each source at most once. Rows are locked in one order everywhere, so that parallel counts never deadlock.
 */
export async function addCounts(
  trx: DatabaseTransaction,
  links: LinkCounts[],
  days: DayCounts[],
  sources: SourceCounts[] = [],
): Promise<void> {
  for (const rows of pieces(links, ({ link_id }) => link_id)) {
    const nothing = { views: 0, checkouts: 0, swept_checkouts: 0, sales: 0, refunds: 0 };
    await trx
      .insertInto('link_statistics')
      .values(rows.map((row) => ({ ...nothing, ...row })))
      .onConflict((conflict) =>
        conflict.column('link_id').doUpdateSet(added('link_statistics', nothing)),
      )
      .execute();
  }
  for (const rows of pieces(days, ({ owner_id, day }) => `${owner_id} ${day}`)) {
    const nothing = {
      ...{ views: 0, checkouts: 0, swept_checkouts: 0, sales: 0, refunds: 0 },
      ...{ net_cents: 0, returned_cents: 0 },
    };
    await trx
      .insertInto('seller_day')
      .values(rows.map((row) => ({ ...nothing, ...row })))
      .onConflict((conflict) =>
        conflict.columns(['owner_id', 'day']).doUpdateSet(added('seller_day', nothing)),
      )
      .execute();
  }
  for (const rows of pieces(sources, (row) => `${row.link_id} ${row.day} ${row.source}`)) {
    const nothing = { views: 0, checkouts: 0, swept_checkouts: 0, sales: 0, net_cents: 0 };
    await trx
      .insertInto('link_source')
      .values(rows.map((row) => ({ ...nothing, ...row })))
      .onConflict((conflict) =>
        conflict.columns(['link_id', 'day', 'source']).doUpdateSet(added('link_source', nothing)),
      )
      .execute();
  }
}

function pieces<Row>(rows: Row[], keyOf: (row: Row) => string): Row[][] {
  const sorted = [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const count = Math.ceil(sorted.length / ROWS_AT_ONCE);
  return Array.from({ length: count }, (_, piece) =>
    sorted.slice(piece * ROWS_AT_ONCE, (piece + 1) * ROWS_AT_ONCE),
  );
}

/** What is there plus what comes, of each counter. */
function added<Counters extends object>(table: string, counters: Counters) {
  const sums = Object.keys(counters).map((name) => [
    name,
    sql<number>`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  ]);
  return Object.fromEntries(sums) as Record<keyof Counters, ReturnType<typeof sql<number>>>;
}

/** The statistics of links by their ids; links without any are missing. */
export async function findLinkStatistics(
  db: Database,
  linkIds: string[],
): Promise<Map<string, LinkStatistics>> {
  const rows = await db
    .selectFrom('link_statistics')
    .selectAll()
    .where('link_id', 'in', linkIds)
    .execute();
  return new Map(rows.map((row) => [row.link_id, row]));
}

/** A creator's days, with those of the installation that they came from. */
export function daysOf(db: Database, ownerId: string) {
  const own = db.selectFrom('seller_day').where('owner_id', '=', ownerId).selectAll();
  const imported = db.selectFrom('imported_day').where('owner_id', '=', ownerId).selectAll();
  const sum = (counter: keyof DayCounts) => sql<number>`cast(sum(${sql.ref(counter)}) as bigint)`;
  return db
    .selectFrom(own.unionAll(imported).as('both'))
    .groupBy('day')
    .select(['day', sum('views').as('views'), sum('checkouts').as('checkouts')])
    .select([sum('swept_checkouts').as('swept_checkouts'), sum('sales').as('sales')])
    .select([sum('refunds').as('refunds'), sum('net_cents').as('net_cents')])
    .select(sum('returned_cents').as('returned_cents'));
}

/** A creator's last days, oldest first and today last; quiet days are among them. */
export async function listSellerDays(
  db: Database,
  ownerId: string,
  days: number,
  now: number,
): Promise<SellerDay[]> {
  const first = dayOf(now) - days + 1;
  const rows = await daysOf(db, ownerId).where('day', '>=', first).execute();
  const known = new Map(rows.map((row) => [row.day, row]));
  const nothing = {
    ...{ views: 0, checkouts: 0, sales: 0, refunds: 0 },
    ...{ net_cents: 0, returned_cents: 0 },
  };
  return Array.from({ length: days }, (_, index) => {
    const day = first + index;
    return known.get(day) ?? { ...nothing, day };
  });
}
