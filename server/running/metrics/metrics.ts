import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Answer } from '../../edge/http/tell-answers.ts';
import { measureRoom } from '../../files/admit-upload.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import type { Note } from '../../ground/lib/notes.ts';
import type { JobRun } from '../../ground/outbox/worker.ts';

/** How long figures that the database is asked for are kept, in milliseconds. */
const KEPT_MS = 5_000;
/** The same for sums over all files or creators: these take longer, and change little. */
const KEPT_SUMS_MS = 5 * 60_000;

/** Seconds. Answers come within milliseconds, files within minutes. */
const ANSWER_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const STATEMENT_SECONDS = [0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 15];
const JOB_SECONDS = [0.01, 0.05, 0.25, 1, 5, 30, 120];

interface Context extends DatabaseContext {
  store: Pick<FileStore, 'measureSpace'>;
  /** The connections to the database; null where it is a file. */
  countConnections(): { total: number; idle: number; waiting: number } | null;
  version: string;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** The figures of this process, for Prometheus. Loaded only where they are asked for. */
export function createMetrics() {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const answers = new Histogram({
    name: 'padlink_http_request_duration_seconds',
    help: 'Answers to requests, by the pattern of their route.',
    labelNames: ['method', 'route', 'status'],
    buckets: ANSWER_SECONDS,
    registers,
  });
  const statements = new Histogram({
    name: 'padlink_database_statement_duration_seconds',
    help: 'Statements that the database ran.',
    labelNames: ['outcome'],
    buckets: STATEMENT_SECONDS,
    registers,
  });
  const jobs = new Histogram({
    name: 'padlink_job_duration_seconds',
    help: 'Runs of jobs, by how they ended: done, failed or given_up.',
    labelNames: ['kind', 'outcome'],
    buckets: JOB_SECONDS,
    registers,
  });
  const booked = new Counter({
    name: 'padlink_booked_cents_total',
    help: 'What this process booked in the ledger, in cents, by account and side.',
    labelNames: ['entry', 'account', 'side', 'currency', 'mode'],
    registers,
  });
  const deliveries = new Counter({
    name: 'padlink_deliveries_total',
    help: 'Answers that sent a bought file or a part of one.',
    labelNames: ['outcome'],
    registers,
  });
  const deliveredBytes = new Counter({
    name: 'padlink_delivered_bytes_total',
    help: 'Bytes of bought files that this process sent.',
    registers,
  });
  return {
    contentType: register.contentType,
    /** In the text format of Prometheus. */
    print: () => register.metrics(),
    answered({ method, route, status, ms }: Answer): void {
      answers.observe({ method, route: route ?? 'none', status }, ms / 1000);
    },
    noted(note: Note): void {
      if (note.kind === 'delivered') {
        deliveries.inc({ outcome: note.outcome });
        deliveredBytes.inc(note.bytes);
        return;
      }
      const { entry, currency, mode } = note;
      for (const [account, cents] of Object.entries(note.cents)) {
        const side = cents > 0 ? 'credit' : 'debit';
        booked.inc({ entry, account, side, currency, mode }, Math.abs(cents));
      }
    },
    jobRan: ({ kind, outcome, ms }: JobRun) => jobs.observe({ kind, outcome }, ms / 1000),
    /** @param ms how long it took */
    statementRan: (ms: number, failed: boolean) =>
      statements.observe({ outcome: failed ? 'failed' : 'done' }, ms / 1000),
    /** To be called once the database is there; until then its figures are left out. */
    observe: (context: Context) => observeState(registers, context),
  };
}

/** What is read when it is asked for, and kept for some seconds. */
function observeState(
  registers: Registry[],
  { db, store, countConnections, version, now }: Context,
): void {
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: (set: (labels: Record<Label, string>, value: number) => void) => Promise<void> | void,
    keptMs = 0,
  ) => {
    let freshUntil = Number.NEGATIVE_INFINITY;
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        if (performance.now() < freshUntil) return;
        const values: [Record<Label, string>, number][] = [];
        await read((labels, value) => values.push([labels, value]));
        this.reset();
        for (const [labels, value] of values) this.set(labels as never, value);
        freshUntil = performance.now() + keptMs;
      },
    });
  };

  gauge('padlink_info', 'Which version is running.', ['version'], (set) => set({ version }, 1));
  gauge(
    'padlink_jobs',
    'Jobs by kind and state: waiting, running, failing (tried again later) or given_up.',
    ['kind', 'state'],
    async (set) => {
      for (const { kind, state, jobs } of await countJobs(db, now())) {
        set({ kind, state }, Number(jobs));
      }
    },
    KEPT_MS,
  );
  gauge(
    'padlink_uploads',
    'Uploads that are not finished.',
    [],
    async (set) => set({}, await countUploads(db)),
    KEPT_MS,
  );
  gauge(
    'padlink_storage_room_bytes',
    'What files can still take of the disk; +Inf in a bucket.',
    [],
    async (set) => set({}, await measureRoom(store)),
    KEPT_MS,
  );
  gauge(
    'padlink_stored_bytes',
    'Bytes of all files, unfinished uploads included.',
    [],
    async (set) => set({}, await sumFiles(db)),
    KEPT_SUMS_MS,
  );
  gauge(
    'padlink_owed_cents',
    'What is owed to creators.',
    ['mode'],
    async (set) => {
      for (const { mode, cents } of await sumBalances(db)) set({ mode }, Number(cents));
    },
    KEPT_SUMS_MS,
  );
  gauge('padlink_database_connections', 'By state.', ['state'], (set) => {
    for (const [state, count] of Object.entries(countConnections() ?? {})) set({ state }, count);
  });
}

const countJobs = (db: Database, now: number) =>
  db
    .selectFrom('job')
    .select(({ eb, fn }) => [
      'kind',
      eb
        .case()
        .when('died_at', 'is not', null)
        .then('given_up')
        .when('locked_until', '>', now)
        .then('running')
        .when('attempts', '>', 0)
        .then('failing')
        .else('waiting')
        .end()
        .as('state'),
      fn.countAll<number | string>().as('jobs'),
    ])
    .groupBy(['kind', 'state'])
    .execute();

async function countUploads(db: Database): Promise<number> {
  const { uploads } = await db
    .selectFrom('file')
    .where('finished_at', 'is', null)
    .select(({ fn }) => fn.countAll<number | string>().as('uploads'))
    .executeTakeFirstOrThrow();
  return Number(uploads);
}

async function sumFiles(db: Database): Promise<number> {
  const { bytes } = await db
    .selectFrom('file')
    .select(({ fn }) => fn.sum<number | string | null>('size_bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

const sumBalances = (db: Database) =>
  db
    .selectFrom('user_balance')
    .groupBy('mode')
    .select(({ fn }) => ['mode', fn.sum<number | string>('balance_cents').as('cents')])
    .execute();
