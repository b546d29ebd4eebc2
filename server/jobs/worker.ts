import type { Logger } from 'pino';
import type { JobKind, JobPayloads, JobTable } from '../domain/outbox/tables.ts';
import type { Database } from '../domain/tables.ts';

export type JobHandlers = {
  [Kind in JobKind]: (payload: JobPayloads[Kind]) => Promise<void>;
};

export interface WorkerOptions {
  db: Database;
  handlers: JobHandlers;
  /** Whether trying again is pointless: the job becomes a dead letter at once. */
  isFinal: (error: unknown) => boolean;
  now: () => number;
  log: Logger;
}

export interface Worker {
  start(): void;
  /** Looks for due jobs now instead of at the next poll. */
  wake(): void;
  /** Waits for the jobs that run; takes no new ones. */
  stop(): Promise<void>;
}

const POLL_MS = 1_000;
/** A lease is renewed while its job runs: what a killed process held is free soon after. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/** Jobs that run at once. */
const PLACES = 8;
/** Doubling from 2 s: the 15th try comes after some 9 hours. */
const FIRST_RETRY_MS = 2_000;
const MAX_ATTEMPTS = 15;

/** Runs the outbox: every job at least once, several workers may share one database. */
export function createWorker({ db, handlers, isFinal, now, log }: WorkerOptions): Worker {
  const active = new Set<Promise<void>>();
  let stopped = false;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let timer: NodeJS.Timeout | undefined;

  /** Takes due jobs as far as there are free places; each that ends makes room for the next. */
  async function look(): Promise<void> {
    do {
      lookAgain = false;
      const due = await findDueJobs(db, now(), PLACES - active.size);
      for (const job of due) start(job);
    } while (lookAgain && active.size < PLACES && !stopped);
  }

  function start(job: JobTable): void {
    const work = take(job)
      .catch((error: unknown) => log.error({ err: error, job: job.id }, 'a job was left leased'))
      .finally(() => {
        active.delete(work);
        wake();
      });
    active.add(work);
  }

  function wake(): void {
    if (stopped) return;
    lookAgain = true;
    if (looking || active.size >= PLACES) return;
    looking = look()
      .catch((error: unknown) => log.error({ err: error }, 'the worker cannot read its jobs'))
      .finally(() => {
        looking = undefined;
        if (lookAgain) wake();
      });
  }

  async function take(job: JobTable): Promise<void> {
    if (!(await lease(db, job, now()))) return;
    const renewal = setInterval(() => void renew(job), RENEW_MS);
    try {
      const handler = handlers[job.kind] as (payload: unknown) => Promise<void>;
      await handler(JSON.parse(job.payload));
      // Only as the holder of the lease: a run that outlived it must not end another's.
      await db
        .deleteFrom('job')
        .where('id', '=', job.id)
        .where('attempts', '=', job.attempts + 1)
        .execute();
    } catch (error) {
      const attempts = job.attempts + 1;
      const dead = attempts >= MAX_ATTEMPTS || isFinal(error);
      log[dead ? 'error' : 'warn']({ err: error, job: job.kind, attempts }, 'a job failed');
      await postpone(db, job, error, dead, now());
    } finally {
      clearInterval(renewal);
    }
  }

  /** A renewal that fails ends the lease early: the job then runs twice, which it may. */
  async function renew(job: JobTable): Promise<void> {
    await ownLease(db, job)
      .set({ locked_until: now() + LEASE_MS })
      .execute()
      .catch((error: unknown) => log.warn({ err: error, job: job.id }, 'a lease was not renewed'));
  }

  return {
    start() {
      timer = setInterval(wake, POLL_MS);
      wake();
    },
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
      await Promise.all(active);
    },
  };
}

/** An embedded database has one process: what an earlier one held when it died is free again. */
export async function releaseLeases(db: Database): Promise<void> {
  await db.updateTable('job').set({ locked_until: 0 }).execute();
}

function findDueJobs(db: Database, now: number, limit: number): Promise<JobTable[]> {
  return db
    .selectFrom('job')
    .selectAll()
    .where('died_at', 'is', null)
    .where('run_at', '<=', now)
    .where('locked_until', '<=', now)
    .orderBy('run_at')
    .limit(limit)
    .execute();
}

async function lease(db: Database, job: JobTable, now: number): Promise<boolean> {
  const taken = await db
    .updateTable('job')
    .set({ locked_until: now + LEASE_MS, attempts: job.attempts + 1 })
    .where('id', '=', job.id)
    .where('attempts', '=', job.attempts)
    .where('locked_until', '<=', now)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

async function postpone(
  db: Database,
  job: JobTable,
  error: unknown,
  dead: boolean,
  now: number,
): Promise<void> {
  await ownLease(db, job)
    .set({
      locked_until: 0,
      run_at: now + FIRST_RETRY_MS * 2 ** job.attempts,
      died_at: dead ? now : null,
      last_error: String(error).slice(0, 1_000),
    })
    .execute();
}

/** The job as its holder may write it: a run that outlived its lease must not touch another's. */
function ownLease(db: Database, job: JobTable) {
  return db
    .updateTable('job')
    .where('id', '=', job.id)
    .where('attempts', '=', job.attempts + 1);
}
