import { randomUUID } from 'node:crypto';
import type { Actor } from '../acts/operator-of.ts';
import { recordAct } from '../acts/record-act.ts';
import { prepare } from '../database/prepare.ts';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import {
  beforeCommit,
  openedOf,
  transaction,
  whenCommitted,
  whenUndone,
} from '../database/transaction.ts';
import { DomainError } from '../lib/domain-error.ts';
import {
  JOBS,
  type JobKind,
  type JobPayloads,
  type JobTable,
  type Lane,
  MAX_ATTEMPTS,
} from './tables.ts';

/** Who runs the jobs of an opened database. */
export interface JobRunner {
  /** Looks for due jobs of these lanes, of all by default. */
  wake(lanes?: Lane[]): void;
  /** Keeps a place for a job that is about to be written; null where none is free. */
  keepPlace(lane: Lane): Place | null;
}

/** A place to run a job in, as soon as it is committed: it need not be looked for, nor taken. */
export interface Place {
  /** What the job is written with. */
  lease: Pick<JobTable, 'locked_until' | 'lease_id' | 'unended'>;
  /** To be called once; with null where the job was not committed. */
  fill(job: JobTable | null): void;
}

const runners = new WeakMap<Database, JobRunner>();

/** Names who runs the jobs that are committed. In commands nobody does. */
export function runBy(db: Database, runner: JobRunner): void {
  runners.set(db, runner);
}

/** To be called where a job was made due by anything but `enqueue`. */
export const wakeOnceCommitted = (db: Database, lanes?: Lane[]) =>
  whenCommitted(db, (committed) => runners.get(committed)?.wake(lanes));

/**
 * Writes a job in the caller's transaction, at its end, so that it exists exactly when the change does;
 * once it is due and committed, it is run.
 * @param runAt UTC milliseconds, before which it does not run
 */
export async function enqueue<Kind extends JobKind>(
  db: Database,
  kind: Kind,
  payload: JobPayloads[Kind],
  now: number,
  runAt = now,
): Promise<void> {
  const job: JobTable = {
    id: randomUUID(),
    kind,
    payload: JSON.stringify(payload),
    lane: JOBS[kind].lane,
    run_at: runAt,
    attempts: 0,
    unended: 0,
    locked_until: 0,
    lease_id: null,
    died_at: null,
    last_error: null,
    created_at: now,
  };
  if (db.isTransaction) return gather(db as DatabaseTransaction, job);
  await insertJobs(db, [job]);
  if (isDue(job)) wakeOnceCommitted(db, [job.lane]);
}

const isDue = ({ run_at, created_at }: JobTable) => run_at <= created_at;

/** Of transactions that are still open. */
const gathered = new WeakMap<DatabaseTransaction, JobTable[]>();

/** All jobs of a transaction are one statement. */
function gather(trx: DatabaseTransaction, job: JobTable): void {
  const others = gathered.get(trx);
  if (others) return void others.push(job);
  const jobs = [job];
  gathered.set(trx, jobs);
  beforeCommit(trx, 'jobs', async () => {
    gathered.delete(trx);
    const written = jobs.map((one) => (isDue(one) ? runOnceCommitted(trx, one) : one));
    await insertJobs(trx, written);
  });
}

/** @returns the job as it is to be written: with a lease where a place is free */
function runOnceCommitted(trx: DatabaseTransaction, job: JobTable): JobTable {
  const place = runners.get(openedOf(trx))?.keepPlace(job.lane);
  if (!place) {
    wakeOnceCommitted(trx, [job.lane]);
    return job;
  }
  const leased = { ...job, ...place.lease };
  whenCommitted(trx, () => place.fill(leased));
  whenUndone(trx, () => place.fill(null));
  return leased;
}

const insertJobs = prepare((db, jobs: JobTable[]) =>
  db.insertInto('job').values(
    jobs.map((job) => ({
      id: job.id,
      kind: job.kind,
      payload: job.payload,
      lane: job.lane,
      run_at: job.run_at,
      attempts: job.attempts,
      unended: job.unended,
      locked_until: job.locked_until,
      lease_id: job.lease_id,
      died_at: job.died_at,
      last_error: job.last_error,
      created_at: job.created_at,
    })),
  ),
);

/** The outbox at a glance; at most `limit` failed jobs of each kind, the oldest first. */
export async function listJobs(db: Database, limit: number) {
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
    /** Without an error so far, including those that are running. */
    waiting: waiting.map(({ kind, jobs }) => ({ kind, jobs: Number(jobs) })),
    /** Whose last run failed and that will be retried. */
    failing: failing.slice(0, limit),
    dead: dead.slice(0, limit),
    /** Whether failing or dead ones are left out. */
    more: failing.length > limit || dead.length > limit,
  };
}

/** Starts an update that lets jobs run now, with all their attempts; the caller narrows it. */
export function retryJobs(db: Database, now: number) {
  return db
    .updateTable('job')
    .set({ run_at: now, attempts: 0, unended: 0, died_at: null })
    .where('locked_until', '<=', now);
}

/**
 * Lets an operator run a failing or given-up job now, or all of them.
 * @param now UTC milliseconds
 * @returns how many will run
 * @throws DomainError NOT_FOUND where there is no such job
 */
export function retryFailedJobs(
  db: Database,
  actor: Actor,
  which: string | 'all',
  now: number,
): Promise<number> {
  return transaction(db, async (trx) => {
    const retried = await retryJobs(trx, now)
      .where(({ eb, or }) => or([eb('attempts', '>', 0), eb('died_at', 'is not', null)]))
      .$if(which !== 'all', (query) => query.where('id', '=', which))
      .returning(['id', 'kind'])
      .execute();
    if (which !== 'all' && retried.length === 0) {
      throw new DomainError('NOT_FOUND', 'There is no failing or given-up job with this ID.');
    }
    for (const { id, kind } of retried) {
      const subject = { kind: 'job', id } as const;
      await recordAct(trx, actor, { act: 'job.retried', subject, details: { kind } }, now);
    }
    wakeOnceCommitted(trx);
    return retried.length;
  });
}

/**
 * Lets an operator discard a given-up job. The act keeps its kind alone: a payload may name people.
 * @param now UTC milliseconds
 * @throws DomainError NOT_FOUND where there is no such job
 */
export function dropDeadJob(db: Database, actor: Actor, id: string, now: number): Promise<void> {
  return transaction(db, async (trx) => {
    const dropped = await trx
      .deleteFrom('job')
      .where('id', '=', id)
      .where('died_at', 'is not', null)
      .returning('kind')
      .executeTakeFirst();
    if (!dropped) throw new DomainError('NOT_FOUND', 'There is no given-up job with this ID.');
    const subject = { kind: 'job', id } as const;
    await recordAct(trx, actor, { act: 'job.dropped', subject, details: dropped }, now);
  });
}

/** Lanes whose jobs concern money. */
const MONEY: Lane[] = ['payments', 'follow-ups', 'reviews'];

/**
 * Lets jobs that concern money and were given up after three days of errors run once more. Those
 * that were given up at once wait for a person. @returns how many
 */
export async function retryAfterOutage(db: Database, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ run_at: now, attempts: MAX_ATTEMPTS - 1, unended: 0, died_at: null })
    .where('died_at', 'is not', null)
    .where('attempts', '>=', MAX_ATTEMPTS)
    .where('lane', 'in', MONEY)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
