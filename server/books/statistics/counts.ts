import { type Insertable, sql } from 'kysely';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, DatabaseTransaction, Tables } from '../../ground/database/tables.ts';
import { beforeCommit } from '../../ground/database/transaction.ts';
import { pick } from '../../ground/lib/pick.ts';
import { dayOf } from '../../ground/lib/time.ts';
import type { DayCounts, LinkCounts, LinkStatistics, SellerDay, SourceCounts } from './tables.ts';

/** Fewer parameters than either database takes in one statement. */
const ROWS_AT_ONCE = 1_000;

interface Counted {
  links: LinkCounts[];
  days: DayCounts[];
  sources: SourceCounts[];
}

/** What a transaction has counted so far, by its handle. */
const counted = new WeakMap<DatabaseTransaction, Counted>();

/**
 * Adds to the counters when the transaction of what is counted ends: all that it counts at once.
 * Rows are locked in one order everywhere, and nothing is waited for while they are, so that
 * parallel counts never deadlock.
 */
export function addCounts(
  trx: DatabaseTransaction,
  links: LinkCounts[],
  days: DayCounts[],
  sources: SourceCounts[] = [],
): void {
  const known = counted.get(trx);
  const all = known ?? { links: [], days: [], sources: [] };
  all.links.push(...links);
  all.days.push(...days);
  all.sources.push(...sources);
  if (known) return;
  counted.set(trx, all);
  beforeCommit(trx, 'counts', () => writeCounts(trx, all));
}

async function writeCounts(
  trx: DatabaseTransaction,
  { links, days, sources }: Counted,
): Promise<void> {
  for (const rows of pieces(links, ({ link_id }) => link_id, OF_LINK)) {
    await insertLinks(trx, rows);
  }
  for (const rows of pieces(days, ({ owner_id, day }) => `${owner_id} ${day}`, OF_DAY)) {
    await insertDays(trx, rows);
  }
  const sourceKey = (row: SourceCounts) => `${row.link_id} ${row.day} ${row.source}`;
  for (const rows of pieces(sources, sourceKey, OF_SOURCE)) await insertSources(trx, rows);
}

const HAPPENED = { views: 0, checkouts: 0, swept_checkouts: 0, sales: 0 };
const OF_LINK = { ...HAPPENED, refunds: 0 };
const OF_DAY = { ...OF_LINK, net_cents: 0, returned_cents: 0 };
const OF_SOURCE = { ...HAPPENED, net_cents: 0 };

const insertLinks = prepare((db, rows: Insertable<Tables['link_statistics']>[]) =>
  db
    .insertInto('link_statistics')
    .values(rows.map((row) => ({ ...pick(row, 'link_id', 'refunds'), ...happened(row) })))
    .onConflict((conflict) =>
      conflict.column('link_id').doUpdateSet(added('link_statistics', OF_LINK)),
    ),
);

const insertDays = prepare((db, rows: Insertable<Tables['seller_day']>[]) =>
  db
    .insertInto('seller_day')
    .values(
      rows.map((row) => ({
        ...pick(row, 'owner_id', 'day', 'refunds', 'net_cents', 'returned_cents'),
        ...happened(row),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'day']).doUpdateSet(added('seller_day', OF_DAY)),
    ),
);

const insertSources = prepare((db, rows: Insertable<Tables['link_source']>[]) =>
  db
    .insertInto('link_source')
    .values(
      rows.map((row) => ({
        ...pick(row, 'link_id', 'day', 'source', 'owner_id', 'net_cents'),
        ...happened(row),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['link_id', 'day', 'source']).doUpdateSet(added('link_source', OF_SOURCE)),
    ),
);

const happened = (row: typeof HAPPENED) =>
  pick(row, 'views', 'checkouts', 'swept_checkouts', 'sales');

/** What was counted of each key together, in the order of the keys. */
function pieces<Row extends object, Counters extends Record<string, number>>(
  rows: Row[],
  keyOf: (row: Row) => string,
  nothing: Counters,
): (Row & Counters)[][] {
  const sums = new Map<string, Row & Counters>();
  for (const row of rows) {
    const sum = sums.get(keyOf(row)) ?? { ...row, ...nothing };
    const counts = { ...nothing, ...row };
    for (const name of Object.keys(nothing) as (keyof Counters)[]) {
      sum[name] = ((sum[name] ?? 0) + (counts[name] ?? 0)) as (Row & Counters)[keyof Counters];
    }
    sums.set(keyOf(row), sum);
  }
  const sorted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
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
  return Array.from({ length: days }, (_, index) => {
    const day = first + index;
    return known.get(day) ?? { ...OF_DAY, day };
  });
}
