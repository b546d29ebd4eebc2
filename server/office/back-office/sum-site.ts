import { sql } from 'kysely';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { DAY_MS, MINUTE_MS } from '../../ground/lib/time.ts';

interface Context extends DatabaseContext {
  mode: 'test' | 'live';
}

export interface Period {
  sales: number;
  /** Cents: what creators earned by the sales of these days. */
  netCents: number;
  /** Cents that refunds and disputes took back in these days. */
  returnedCents: number;
}

/** Sums over all creators. */
interface SiteSums {
  /** When they were read, in UTC milliseconds. */
  summedAt: number;
  /** Of the UTC day that is not over. */
  today: Period;
  /** Of the last seven UTC days, today included. */
  week: Period;
  /** Cents that creators have in their balances, and that some of them owe. */
  owedCents: number;
  owingCents: number;
}

const KEPT_MS = MINUTE_MS;
/** Milliseconds, where there are earlier sums to show instead. */
const WAIT_MS = 1_000;

const kept = new WeakMap<Database, SiteSums>();
const reading = new WeakMap<Database, Promise<SiteSums>>();

/**
 * The sums of the last minute. Reading them takes the longer, the more creators there are, so that
 * whoever asks waits a second at most, except for the first time, and gets earlier ones otherwise.
 */
export async function readSiteSums(context: Context): Promise<SiteSums> {
  const { db, now } = context;
  const known = kept.get(db);
  if (known && Math.abs(now() - known.summedAt) < KEPT_MS) return known;
  const news = reading.get(db) ?? read(context);
  if (!known) return news;
  const { promise: late, resolve } = Promise.withResolvers<SiteSums>();
  const timer = setTimeout(resolve, WAIT_MS, known);
  try {
    return await Promise.race([news.catch(() => known), late]);
  } finally {
    clearTimeout(timer);
  }
}

function read(context: Context): Promise<SiteSums> {
  const { db } = context;
  const sums = sumAll(context)
    .then((read) => {
      kept.set(db, read);
      return read;
    })
    .finally(() => reading.delete(db));
  reading.set(db, sums);
  return sums;
}

async function sumAll({ db, mode, now }: Context): Promise<SiteSums> {
  const summedAt = now();
  const day = Math.floor(summedAt / DAY_MS);
  return {
    summedAt,
    today: await sumDays(db, day),
    week: await sumDays(db, day - 6),
    ...(await sumBalances(db, mode)),
  };
}

async function sumDays(db: Database, since: number): Promise<Period> {
  const row = await db
    .selectFrom('seller_day')
    .where('day', '>=', since)
    .select(({ fn }) => [
      fn.sum<number | string | null>('sales').as('sales'),
      fn.sum<number | string | null>('net_cents').as('net'),
      fn.sum<number | string | null>('returned_cents').as('returned'),
    ])
    .executeTakeFirstOrThrow();
  return {
    sales: Number(row.sales),
    netCents: Number(row.net),
    returnedCents: Number(row.returned),
  };
}

async function sumBalances(db: Database, mode: 'test' | 'live') {
  const { owed, owing } = await db
    .selectFrom('user_balance')
    .where('mode', '=', mode)
    .select([
      sql<number | string | null>`sum(case when balance_cents > 0 then balance_cents end)`.as(
        'owed',
      ),
      sql<number | string | null>`sum(case when balance_cents < 0 then balance_cents end)`.as(
        'owing',
      ),
    ])
    .executeTakeFirstOrThrow();
  return { owedCents: Number(owed), owingCents: Math.abs(Number(owing)) };
}
