import { sql } from 'kysely';
import { isSourceWord } from '../../../contract/sources.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, DatabaseTransaction } from '../../ground/database/tables.ts';
import { beforeCommit } from '../../ground/database/transaction.ts';
import { readPages } from '../../ground/lib/read-pages.ts';
import { dayOf } from '../../ground/lib/time.ts';
import type { SourceCounts } from './tables.ts';

/** Of a link on a day, with those of this site: whoever comes from further ones is counted as `other`. */
const MAX_SOURCES = 20;

/** Fewer parameters than either database takes in one statement. */
const LINKS_AT_ONCE = 1_000;

/** The source that a checkout is counted under: what strangers say of it adds few rows a day. */
export function admitSource(linkId: string, day: number, source: string | null) {
  return sql<string>`case
    when exists (
      select 1 from link_source where link_id = ${linkId} and day = ${day} and source = ${source}
    ) or (
      select count(*) from link_source where link_id = ${linkId} and day = ${day}
    ) < ${MAX_SOURCES} then cast(${source} as text) else 'other' end`;
}

/** The same for views that are counted together. */
export async function admitSources(
  trx: DatabaseTransaction,
  counted: SourceCounts[],
): Promise<SourceCounts[]> {
  const dayKey = ({ link_id, day }: { link_id: string; day: number }) => `${link_id} ${day}`;
  const known = new Map<string, Set<string>>();
  const links = [...new Set(counted.map(({ link_id }) => link_id))];
  const firstDay = Math.min(...counted.map(({ day }) => day));
  for (let at = 0; at < links.length; at += LINKS_AT_ONCE) {
    const rows = await trx
      .selectFrom('link_source')
      .where('link_id', 'in', links.slice(at, at + LINKS_AT_ONCE))
      .where('day', '>=', firstDay)
      .select(['link_id', 'day', 'source'])
      .execute();
    for (const row of rows) sourcesOf(row).add(row.source);
  }
  return counted.map((row) => {
    const sources = sourcesOf(row);
    const isAdmitted =
      isSourceWord(row.source) || sources.has(row.source) || sources.size < MAX_SOURCES;
    const source = isAdmitted ? row.source : 'other';
    sources.add(source);
    return { ...row, source };
  });

  function sourcesOf(of: { link_id: string; day: number }): Set<string> {
    const found = known.get(dayKey(of)) ?? new Set();
    known.set(dayKey(of), found);
    return found;
  }
}

interface SoldBySource {
  purchaseId: string;
  /** UTC milliseconds. */
  soldAt: number;
  /** The creator's part. */
  netCents: number;
}

/**
 * Counts a sale where its buyer came from, which its purchase says; nowhere if that is not known.
 * After what `addCounts` was told of its link, by which whoever counts for the link has to wait.
 */
export function addSaleToSource(trx: DatabaseTransaction, sale: SoldBySource): void {
  beforeCommit(trx, 'sources', async () => {
    await writeSale(trx, sale, dayOf(sale.soldAt));
  });
}

const writeSale = prepare((db, { purchaseId, netCents }: SoldBySource, day: number) => ({
  compile: () =>
    sql`insert into link_source (link_id, day, source, owner_id, views, checkouts, swept_checkouts,
      sales, net_cents)
    select link_id, cast(${day} as integer), source, seller_id, 0, 0, 0, 1,
      cast(${netCents} as bigint)
    from purchase where id = ${purchaseId} and source is not null
    on conflict (link_id, day, source) do update set sales = link_source.sales + 1,
      net_cents = link_source.net_cents + excluded.net_cents`.compile(db),
}));

/** What came of visitors, by where they came from. */
export interface SourceSum {
  source: string;
  views: number;
  checkouts: number;
  sales: number;
  net_cents: number;
}

interface Asked {
  ownerId: string;
  /** Null for all links. */
  linkId: string | null;
  /** Today is the last one. */
  days: number;
}

/** The most that are listed; a table for spreadsheets has all of them. */
const MAX_LISTED_SOURCES = 100;

/** A creator's sources, those that brought most first. */
export function sumSources(
  db: Database,
  { ownerId, linkId, days }: Asked,
  now: number,
): Promise<SourceSum[]> {
  const sum = (counter: 'views' | 'checkouts' | 'sales' | 'net_cents') =>
    sql<number>`cast(sum(${sql.ref(counter)}) as bigint)`;
  return db
    .selectFrom('link_source')
    .where('owner_id', '=', ownerId)
    .where('day', '>', dayOf(now) - days)
    .$if(linkId !== null, (query) => query.where('link_id', '=', linkId))
    .groupBy('source')
    .select(['source', sum('views').as('views'), sum('checkouts').as('checkouts')])
    .select([sum('sales').as('sales'), sum('net_cents').as('net_cents')])
    .orderBy(sum('net_cents'), 'desc')
    .orderBy(sum('views'), 'desc')
    .orderBy('source')
    .limit(MAX_LISTED_SOURCES)
    .execute();
}

/** Some milliseconds' work, during which nobody else is answered. */
const ROWS_AT_ONCE = 500;

type SourceDay = SourceSum & { day: number; link_id: string };

/** Each day of each source, oldest first, in batches: they are never all in memory. */
export function readSourceDays(
  db: Database,
  ownerId: string,
  linkId: string | null,
): AsyncGenerator<SourceDay[]> {
  return readPages({ day: 0, link_id: '', source: '' }, ({ day, link_id, source }) =>
    db
      .selectFrom('link_source')
      .where('owner_id', '=', ownerId)
      .$if(linkId !== null, (query) => query.where('link_id', '=', linkId))
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('day', 'link_id', 'source'), '>', tuple(day, link_id, source)),
      )
      .orderBy('day')
      .orderBy('link_id')
      .orderBy('source')
      .limit(ROWS_AT_ONCE)
      .select(['day', 'link_id', 'source', 'views', 'checkouts', 'sales', 'net_cents'])
      .execute(),
  );
}
