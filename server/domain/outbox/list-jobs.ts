import type { Database } from '../tables.ts';
import type { JobKind, JobTable } from './tables.ts';

export interface JobOverview {
  /** Jobs without an error so far, those that run included. */
  waiting: { kind: JobKind; jobs: number }[];
  /** Jobs whose last run failed and that are tried again. */
  failing: JobTable[];
  dead: JobTable[];
  /** Whether failing or dead ones are left out. */
  more: boolean;
}

/** The outbox at a glance; of what failed at most `limit` of each sort, the oldest first. */
export async function listJobs(db: Database, limit: number): Promise<JobOverview> {
  const waiting = await db
    .selectFrom('job')
    .where('died_at', 'is', null)
    .where('attempts', '=', 0)
    .groupBy('kind')
    .orderBy('kind')
    .select(({ fn }) => ['kind', fn.countAll<number | string>().as('jobs')])
    .execute();
  const failed = db
    .selectFrom('job')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit + 1);
  const failing = await failed.where('died_at', 'is', null).where('attempts', '>', 0).execute();
  const dead = await failed.where('died_at', 'is not', null).execute();
  return {
    waiting: waiting.map(({ kind, jobs }) => ({ kind, jobs: Number(jobs) })),
    failing: failing.slice(0, limit),
    dead: dead.slice(0, limit),
    more: failing.length > limit || dead.length > limit,
  };
}
