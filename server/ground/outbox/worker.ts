import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { dialectOf } from '../database/dialect.ts';
import { prepare } from '../database/prepare.ts';
import type { Database, DatabaseContext } from '../database/tables.ts';
import { BeingMovedError } from '../lib/being-moved.ts';
import { gather } from '../lib/gather.ts';
import { type Place, runBy } from './jobs.ts';
import { retryDelay } from './retry-delay.ts';
import {
  JOBS,
  type JobKind,
  type JobPayloads,
  type JobTable,
  type Lane,
  MAX_ATTEMPTS,
} from './tables.ts';

export type JobHandlers = {
  /** `again` keeps the job and runs it again at a time in UTC milliseconds. */
  [Kind in JobKind]: (payload: JobPayloads[Kind], again: (at: number) => void) => Promise<void>;
};

/** What is told of a run: its job's kind, how it ended, and how many milliseconds it took. */
export interface JobRun {
  kind: JobKind;
  outcome: 'done' | 'failed' | 'given_up';
  ms: number;
}

export interface WorkerOptions extends DatabaseContext {
  handlers: JobHandlers;
  /** Whether retrying is pointless: the job becomes a dead letter immediately. */
  isFinal: (error: unknown) => boolean;
  /** Told of each run that ended. */
  tellRun?: ((run: JobRun) => void) | undefined;
  /** Runs a job so that what it does can be followed. */
  traceJob?: (<Result>(kind: string, run: () => Promise<Result>) => Promise<Result>) | undefined;
  log: Logger;
}

export type Worker = ReturnType<typeof createWorker>;

const POLL_MS = 1_000;
/** A lease is renewed while its job runs, so that a killed process's jobs are free soon after. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/**
 * Jobs of a lane that run at once. Who settles a payment waits for the provider most of the time, mail
 * and news take the mail server's five connections, a preview takes a processor, a webhook waits for a
 * program of its owner's, and a push for the service of a browser's maker.
 */
const PLACES: Record<Lane, number> = {
  payments: 32,
  'follow-ups': 4,
  reviews: 4,
  mail: 4,
  news: 1,
  files: 2,
  previews: 1,
  hooks: 8,
  push: 4,
};
const ALL_LANES = Object.keys(PLACES) as Lane[];
/**
 * A power cut interrupts many jobs at once; one that is interrupted again and again may be the
 * cause.
 */
const HARMLESS_CUTS = 3;
const MAX_UNENDED = 100;

const GIVEN_UP =
  'a job was given up, and what it should have done is missing: mend what its error says, then run npm run cli -- jobs retry with its id';

/** Runs the outbox: every job at least once, several workers may share one database. */
export function createWorker(options: WorkerOptions) {
  const { db, now, log } = options;
  const run = createRunner(options, wake);
  const active = new Set<Promise<void>>();
  const running = ofLanes(() => 0);
  /** Lanes that may have had more due jobs than places when it was looked: an end makes room for one. */
  const crowded = new Set<Lane>();
  /** Lanes whose free places are being filled. */
  const filling = new Set<Lane>();
  /** Lanes in which jobs may have become due since it was looked. */
  const woken = new Set<Lane>();
  let stopped = false;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Takes due jobs of the lanes that were woken, while they have free places. */
  async function look(): Promise<void> {
    while (woken.size > 0 && !stopped) {
      const lanes = [...woken].map((lane) => ({ lane, places: PLACES[lane] - running[lane] }));
      for (const { lane } of lanes) filling.add(lane);
      woken.clear();
      const free = lanes.filter(({ places }) => places > 0);
      const due = free.length > 0 ? await findDueJobs(db, now(), free) : [];
      for (const { lane, places } of lanes) {
        const isFull = due.filter((job) => job.lane === lane).length === places;
        if (isFull) crowded.add(lane);
        else crowded.delete(lane);
      }
      let leased = 0;
      for await (const job of lease(db, due, now())) {
        take(job.lane, job);
        leased += 1;
      }
      filling.clear();
      // Places became free meanwhile, or others took the jobs; where they took all, the poll looks next.
      const isShort = (lane: Lane) => crowded.has(lane) && running[lane] < PLACES[lane];
      if (leased > 0) for (const { lane } of lanes) if (isShort(lane)) woken.add(lane);
    }
  }

  /** Takes a place for a job that may be known later; null where there is none after all. */
  function take(lane: Lane, job: JobTable | Promise<JobTable | null>): void {
    running[lane] += 1;
    const work = runKnown(job).then((isEnded) => {
      running[lane] -= 1;
      active.delete(work);
      // One that could not be taken is still due, and looked for again in a moment.
      if (isEnded && crowded.has(lane)) wake([lane]);
    });
    active.add(work);
  }

  /** @returns whether it ended */
  async function runKnown(job: JobTable | Promise<JobTable | null>): Promise<boolean> {
    const known = await job;
    try {
      if (known) await run(known);
      return true;
    } catch (error) {
      tellFault({ err: error, job: known?.id }, 'a job was left unfinished by a process');
      return false;
    }
  }

  /** Jobs that wait already come first. */
  function keepPlace(lane: Lane): Place | null {
    const isFull = running[lane] >= PLACES[lane];
    if (stopped || isFull || crowded.has(lane) || filling.has(lane)) return null;
    const { promise, resolve } = Promise.withResolvers<JobTable | null>();
    take(lane, promise);
    const until = now() + LEASE_MS;
    return {
      lease: { lease_id: randomUUID(), locked_until: until, unended: 1 },
      // Committed too late for its first renewal, it is due again in a moment.
      fill: (job) => resolve(now() + RENEW_MS < until ? job : null),
    };
  }

  function wake(lanes = ALL_LANES): void {
    if (stopped) return;
    for (const lane of lanes) woken.add(lane);
    looking ??= look()
      .catch((error: unknown) => tellFault({ err: error }, 'the worker cannot take its jobs'))
      .finally(() => {
        filling.clear();
        looking = undefined;
        if (woken.size > 0) wake([]);
      });
  }

  /** Where everything goes to another place, the jobs are done there. */
  function tellFault(fault: { err: unknown; job?: string | undefined }, message: string): void {
    if (!(fault.err instanceof BeingMovedError)) log.error(fault, message);
  }

  return {
    start(): void {
      runBy(db, { wake, keepPlace });
      timer = setInterval(() => wake(), POLL_MS);
      wake();
    },
    /** Looks for due jobs now instead of at the next poll. */
    wake,
    /** Waits for running jobs; takes no new ones. */
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await looking;
      await Promise.all(active);
    },
  };
}

const ofLanes = (count: (lane: Lane) => number) =>
  Object.fromEntries(ALL_LANES.map((lane) => [lane, count(lane)])) as Record<Lane, number>;

/**
 * Runs single jobs that were leased, and writes down how they ended.
 * @param wake looks for due jobs of these lanes, because one is to run again now
 */
function createRunner(
  { db, handlers, isFinal, tellRun, now, log, traceJob = (_kind, run) => run() }: WorkerOptions,
  wake: (lanes: Lane[]) => void,
): (job: JobTable) => Promise<void> {
  const remove = gather((jobs: JobTable[]) => removeJobs(db, jobs));

  async function fail(job: JobTable, error: unknown, dead: boolean): Promise<void> {
    const attempts = job.attempts + 1;
    log[dead ? 'error' : 'warn'](
      { err: error, id: job.id, job: job.kind, attempts },
      dead ? GIVEN_UP : 'a job failed',
    );
    await ownLease(db, job)
      .set({
        attempts,
        unended: 0,
        locked_until: 0,
        run_at: now() + retryDelay(job.attempts),
        died_at: dead ? now() : null,
        last_error: String(error).slice(0, 1_000),
      })
      .execute();
  }

  /** A failed renewal ends the lease early: the job may then run twice, which is allowed. */
  async function renew(job: JobTable): Promise<void> {
    await ownLease(db, job)
      .set({ locked_until: now() + LEASE_MS })
      .execute()
      .catch((error: unknown) =>
        log.warn({ err: error, job: job.id }, 'the lease of a job was not renewed'),
      );
  }

  return async (job) => {
    if (job.unended > MAX_UNENDED) {
      const error = new Error(
        `It never ended: the process died during each of ${MAX_UNENDED} runs`,
      );
      return fail(job, error, true);
    }
    const renewal = setInterval(() => void renew(job), RENEW_MS);
    let runAgainAt: number | undefined;
    const begun = performance.now();
    const tell = (outcome: JobRun['outcome']) =>
      tellRun?.({ kind: job.kind, outcome, ms: performance.now() - begun });
    try {
      await traceJob(job.kind, () =>
        handle(handlers, job.kind, job.payload, (at) => {
          runAgainAt = at;
        }),
      );
      await (runAgainAt === undefined ? remove(job) : putOff(db, job, runAgainAt));
      if (runAgainAt !== undefined && runAgainAt <= now()) wake([job.lane]);
      tell('done');
    } catch (error) {
      const dead = job.attempts + 1 >= MAX_ATTEMPTS || isFinal(error);
      tell(dead ? 'given_up' : 'failed');
      await fail(job, error, dead);
    } finally {
      clearInterval(renewal);
    }
  };
}

const TYPES: { [Kind in JobKind]: { payload: z.ZodType<JobPayloads[Kind]> } } = JOBS;

/** @throws ZodError for a payload of another version that is not of this shape */
async function handle<Kind extends JobKind>(
  handlers: JobHandlers,
  kind: Kind,
  payload: string,
  again: (at: number) => void,
): Promise<void> {
  await handlers[kind](TYPES[kind].payload.parse(JSON.parse(payload)), again);
}

/** An embedded database has one process: what an earlier one held when it died is free. */
export async function releaseLeases(db: Database): Promise<void> {
  await db.updateTable('job').set({ locked_until: 0 }).execute();
}

/**
 * Of each lane at most as many as it has free places. PostgreSQL plans it anew each time, which takes
 * longer the more lanes are asked for.
 */
const findDueJobs = prepare((db, now: number, lanes: { lane: Lane; places: number }[]) =>
  lanes
    .map(({ lane, places }) =>
      db
        .selectFrom('job')
        .selectAll()
        .where('lane', '=', lane)
        .where('died_at', 'is', null)
        .where('run_at', '<=', now)
        .where('locked_until', '<=', now)
        .orderBy('run_at')
        // Compared with a bare number, SQLite would plan anew each time.
        .limit(sql<number>`${places} + 0`)
        .as('due'),
    )
    .map((due) => db.selectFrom(due).selectAll('due'))
    .reduce((all, lane) => all.unionAll(lane)),
);

/**
 * Takes due jobs that nobody else has taken meanwhile. A run counts as an attempt when it ends with an
 * error, not when it starts: a job interrupted by a power cut is free again immediately. Only jobs that
 * are interrupted again and again have to wait.
 */
async function* lease(db: Database, due: JobTable[], now: number): AsyncGenerator<JobTable> {
  const byCuts = Map.groupBy(due, ({ unended }) => Math.max(0, unended - HARMLESS_CUTS));
  for (const [cuts, jobs] of byCuts) {
    const lease = { id: randomUUID(), until: now + LEASE_MS };
    const ids = jobs.map(({ id }) => id);
    yield* cuts === 0
      ? await leaseFree(db, ids, now, lease)
      : await leaseCut(db, ids, now, lease, now + retryDelay(cuts));
  }
}

interface Lease {
  id: string;
  /** UTC milliseconds. */
  until: number;
}

const leaseOf = (db: Database, ids: string[], now: number, lease: Lease) =>
  db
    .updateTable('job')
    .set(({ eb }) => ({
      locked_until: lease.until,
      lease_id: lease.id,
      unended: eb('unended', '+', 1),
    }))
    .where('id', 'in', (free) =>
      free
        .selectFrom('job')
        .select('id')
        .where('id', 'in', ids)
        .where('died_at', 'is', null)
        .where('run_at', '<=', now)
        .where('locked_until', '<=', now)
        // Several processes would wait for each other's.
        .$if(dialectOf(db) === 'postgres', (query) => query.forUpdate().skipLocked()),
    )
    .returningAll();

const leaseFree = prepare(leaseOf);

const leaseCut = prepare((db, ids: string[], now: number, lease: Lease, runAt: number) =>
  leaseOf(db, ids, now, lease).set({ run_at: runAt }),
);

async function putOff(db: Database, job: JobTable, runAgainAt: number): Promise<void> {
  await ownLease(db, job)
    .set({ attempts: 0, unended: 0, locked_until: 0, run_at: runAgainAt, last_error: null })
    .execute();
}

const removeJobs = prepare((db, jobs: JobTable[]) =>
  db
    .deleteFrom('job')
    .where(({ eb, and, or }) =>
      or(jobs.map(({ id, lease_id }) => and([eb('id', '=', id), eb('lease_id', '=', lease_id)]))),
    ),
);

/** The job as its holder may write it: a run that outlived its lease must not touch another's. */
function ownLease(db: Database, job: JobTable) {
  return db.updateTable('job').where('id', '=', job.id).where('lease_id', '=', job.lease_id);
}
