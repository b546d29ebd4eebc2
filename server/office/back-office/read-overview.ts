import { sql } from 'kysely';
import { type Fact, fact } from '../../../contract/fact.ts';
import type { FileStore } from '../../files/file-store.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { Database } from '../../ground/database/tables.ts';
import { UNDER_WAY } from '../../money/payouts/tables.ts';
import { readSiteSums, type SiteSums } from './sum-site.ts';

interface Context {
  db: Database;
  store: Pick<FileStore, 'place' | 'bucket' | 'measureSpace' | 'probe'>;
  mode: 'test' | 'live';
  now: () => number;
}

export interface Overview extends SiteSums {
  /** Cents of payouts that have not arrived. */
  inTransitCents: number;
  database: { kind: 'sqlite' | 'postgres'; bytes: number };
  /** The disk's bytes; null for a store without an end. */
  storage: { place: Fact; freeBytes: number | null; totalBytes: number | null };
  jobs: { waiting: number; failing: number; dead: number };
  /** What is wrong, each with what to do; none when all is well. */
  faults: Fact[];
}

/** Work that is due and waits so long is not being done; milliseconds. */
const PATIENCE_MS = 10 * 60 * 1000;
/** Less of the disk than this is a matter of days. */
const LITTLE_ROOM = 0.1;

/** How the site stands, for operators. */
export async function readOverview({ db, store, mode, now }: Context): Promise<Overview> {
  const at = now();
  const kind = dialectOf(db);
  const space = await store.measureSpace().catch(() => null);
  const [jobs, oldest, events, stored] = [
    await countJobs(db),
    await countDue(db, at - PATIENCE_MS),
    await countUnhandledEvents(db, at - PATIENCE_MS),
    await store.probe().then(
      () => true,
      () => false,
    ),
  ];
  const { bucket } = store;
  const place =
    bucket === undefined ? { text: store.place } : fact('the bucket {bucket}', { bucket });
  const isBounded = space !== null && Number.isFinite(space.total);
  return {
    ...(await readSiteSums({ db, mode, now })),
    inTransitCents: await sumInTransit(db, mode),
    database: { kind, bytes: await measureDatabase(db, kind) },
    storage: {
      place,
      freeBytes: isBounded ? space.free : null,
      totalBytes: isBounded ? space.total : null,
    },
    jobs,
    faults: [
      !stored &&
        fact(
          'Files cannot be stored in {place}. Check that it is there and can be written to; the log says what failed.',
          { place },
        ),
      isBounded &&
        space.free < space.total * LITTLE_ROOM &&
        fact('Less than a tenth of the disk is free. Make room before uploads are refused.'),
      jobs.dead > 0 &&
        fact('Some jobs were given up. Find the cause below, put it right, then retry them.'),
      oldest > 0 &&
        fact(
          'Jobs that are due have waited for more than ten minutes. Look in the log for what holds them up, and restart Padlink.',
        ),
      events > 0 &&
        fact(
          'Events of the payment provider have waited for more than ten minutes. Look in the log for what holds them up; “npm run cli -- reconcile” repairs what they missed.',
        ),
    ].filter((fault) => fault !== false),
  };
}

async function sumInTransit(db: Database, mode: 'test' | 'live'): Promise<number> {
  const { cents } = await db
    .selectFrom('payout')
    .where('mode', '=', mode)
    .where('state', 'in', UNDER_WAY)
    .select(({ fn }) => fn.sum<number | string | null>('amount_cents').as('cents'))
    .executeTakeFirstOrThrow();
  return Number(cents);
}

async function countJobs(db: Database): Promise<Overview['jobs']> {
  const { waiting, failing, dead } = await db
    .selectFrom('job')
    .select(({ fn }) => [
      fn.countAll<number | string>().filterWhere('died_at', 'is not', null).as('dead'),
      fn
        .countAll<number | string>()
        .filterWhere('died_at', 'is', null)
        .filterWhere('attempts', '>', 0)
        .as('failing'),
      fn
        .countAll<number | string>()
        .filterWhere('died_at', 'is', null)
        .filterWhere('attempts', '=', 0)
        .as('waiting'),
    ])
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), failing: Number(failing), dead: Number(dead) };
}

async function countDue(db: Database, before: number): Promise<number> {
  const { count } = await db
    .selectFrom('job')
    .where('died_at', 'is', null)
    .where('run_at', '<', before)
    .where('locked_until', '<', before)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function countUnhandledEvents(db: Database, before: number): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_event')
    .where('handled_at', 'is', null)
    .where('received_at', '<', before)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function measureDatabase(db: Database, kind: 'sqlite' | 'postgres'): Promise<number> {
  const size =
    kind === 'postgres'
      ? sql<{ bytes: number | string }>`select pg_database_size(current_database()) as bytes`
      : sql<{
          bytes: number;
        }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`;
  const { rows } = await size.execute(db);
  return Number(rows[0]?.bytes);
}
