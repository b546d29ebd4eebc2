import { sql } from 'kysely';
import { type Fact, fact } from '../../../contract/fact.ts';
import type { FileStore } from '../../files/file-store.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { UNDER_WAY } from '../../money/payouts/tables.ts';
import { readSiteSums } from './sum-site.ts';

interface Context extends DatabaseContext {
  store: Pick<FileStore, 'place' | 'bucket' | 'measureSpace' | 'probe'>;
  mode: 'test' | 'live';
}

/** Work that is due and waits so long is not being done; milliseconds. */
const PATIENCE_MS = 10 * 60 * 1000;
/** Less of the disk than this is a matter of days. */
const LITTLE_ROOM = 0.1;

/** How the site stands, for operators. The bytes of the disk are null for a store without an end. */
export async function readOverview({ db, store, mode, now }: Context) {
  const before = now() - PATIENCE_MS;
  const database = dialectOf(db);
  const space = await store.measureSpace().catch(() => null);
  const jobs = await countJobs(db, before);
  const eventsWait = await hasUnhandledEvents(db, before);
  const isStorable = await store.probe().then(
    () => true,
    () => false,
  );
  const isBegun = await hasBegun(db);
  const { bucket } = store;
  const storageFact: Fact =
    bucket === undefined ? { text: store.place } : fact('the bucket {bucket}', { bucket });
  const disk = space !== null && Number.isFinite(space.total) ? space : null;
  return {
    ...(await readSiteSums({ db, mode, now })),
    inTransitCents: await sumInTransit(db, mode),
    database,
    databaseBytes: await measureDatabase(db, database),
    storageFact,
    freeBytes: disk?.free ?? null,
    totalBytes: disk?.total ?? null,
    waitingJobs: Number(jobs.waiting),
    failingJobs: Number(jobs.failing),
    deadJobs: Number(jobs.dead),
    isBegun,
    faultFacts: [
      !isStorable &&
        fact(
          'Files cannot be stored in {place}. Check that it is there and can be written to; the log says what failed.',
          { place: storageFact },
        ),
      disk !== null &&
        disk.free < disk.total * LITTLE_ROOM &&
        fact('Less than a tenth of the disk is free. Make room before uploads are refused.'),
      Number(jobs.dead) > 0 &&
        fact('Some jobs were given up. Find the cause below, fix it, then retry them.'),
      Number(jobs.overdue) > 0 &&
        fact(
          'Jobs that are due have waited for more than ten minutes. Look in the log for what holds them up, and restart Padlink.',
        ),
      eventsWait &&
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

function countJobs(db: Database, before: number) {
  return db
    .selectFrom('job')
    .select(({ fn }) => {
      const all = fn.countAll<number | string>();
      const alive = all.filterWhere('died_at', 'is', null);
      return [
        all.filterWhere('died_at', 'is not', null).as('dead'),
        alive.filterWhere('attempts', '>', 0).as('failing'),
        alive.filterWhere('attempts', '=', 0).as('waiting'),
        alive
          .filterWhere('run_at', '<', before)
          .filterWhere('locked_until', '<', before)
          .as('overdue'),
      ];
    })
    .executeTakeFirstOrThrow();
}

async function hasUnhandledEvents(db: Database, before: number): Promise<boolean> {
  const event = await db
    .selectFrom('webhook_event')
    .where('handled_at', 'is', null)
    .where('received_at', '<', before)
    .select('received_at')
    .limit(1)
    .executeTakeFirst();
  return event !== undefined;
}

/** Whether there is a link, or anybody besides the first operator: an account, or an invitation. */
async function hasBegun(db: Database): Promise<boolean> {
  const firsts = await Promise.all([
    db.selectFrom('link').select('id').limit(1).execute(),
    db.selectFrom('user').select('id').offset(1).limit(1).execute(),
    db.selectFrom('invitation').where('revoked_at', 'is', null).select('id').limit(1).execute(),
  ]);
  return firsts.some(({ length }) => length > 0);
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
