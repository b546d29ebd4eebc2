import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../server/ground/database/migrate.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { beforeCommit, transaction } from '../../server/ground/database/transaction.ts';
import { enqueue } from '../../server/ground/outbox/jobs.ts';
import { createWorker, type JobHandlers, type Worker } from '../../server/ground/outbox/worker.ts';
import { runSql } from '../errors/run-sql.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createTestEnvironment, type TestEnvironment } from '../harness/test-environment.ts';
import { withDatabase } from '../harness/with-database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const script = join(import.meta.dirname, '../harness', 'die-in-job.ts');

describeOnSqliteFirst('a job', (database) => {
  let environment: TestEnvironment;
  let ahead: number;

  beforeEach(async () => {
    ahead = 0;
    environment = await createTestEnvironment({ database });
    await withDatabase(environment, async (db) => {
      await migrate(db);
      await enqueue(db, 'follow-settlement', { purchaseId: 'none' }, Date.now());
    });
  });
  afterEach(() => environment.remove());

  const readJob = () =>
    withDatabase(environment, (db) => db.selectFrom('job').selectAll().executeTakeFirst());

  /** A process begins the job and is killed. */
  async function beginAndDie(): Promise<void> {
    const child = spawn(process.execPath, [script, String(ahead)], {
      env: { ...environment.env, PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Works with this handler until `reached`; answers what was logged at error. */
  async function workUntil(
    handler: () => Promise<void>,
    reached: () => Promise<void>,
  ): Promise<string[]> {
    const errors: string[] = [];
    const error = (_fields: object, message: string) => errors.push(message);
    await withDatabase(environment, async (db) => {
      const worker: Worker = createWorker({
        db,
        handlers: { 'follow-settlement': handler } as unknown as JobHandlers,
        isFinal: () => false,
        now: () => Date.now() + ahead,
        log: { warn() {}, error } as never,
      });
      worker.start();
      const look = () => {
        worker.wake();
        return reached();
      };
      try {
        await eventually(look);
      } finally {
        await worker.stop();
      }
    });
    return errors;
  }

  const failing = () => Promise.reject(new Error('the provider is down'));
  const isGone = async () => expect(await readJob()).toBeUndefined();

  test('counts its errors as tries, and not the kills of its process', {
    tags: 'long',
  }, async () => {
    for (let kill = 0; kill < 4; kill += 1) {
      await beginAndDie();
      // Past its lease, and past what is laid between the runs of a job that is cut off often.
      ahead += 2 * 60 * 60 * 1000;
    }
    await workUntil(failing, async () =>
      expect((await readJob())?.last_error).toMatch(/provider is down/),
    );
    expect(await readJob()).toMatchObject({ attempts: 1, died_at: null });
    ahead += 2 * 60 * 60 * 1000;
    await workUntil(async () => {}, isGone);
  });

  test('is run by one of two processes that look for it at once', async () => {
    let runs = 0;
    const handler = async () => {
      runs += 1;
      await sleep(50);
    };
    await withDatabase(environment, async (db) => {
      const workers = [1, 2].map(() =>
        createWorker({
          db,
          handlers: { 'follow-settlement': handler } as unknown as JobHandlers,
          isFinal: () => false,
          now: () => Date.now(),
          log: { warn() {}, error() {} } as never,
        }),
      );
      for (const worker of workers) worker.wake();
      await Promise.all(workers.map((worker) => worker.stop()));
    });
    expect(runs).toBe(1);
  });

  /** Writes jobs while a worker runs, and answers how many runs there were when none is left. */
  async function runsOf(write: (db: Database) => Promise<void>): Promise<number> {
    await runSql(environment, 'delete from job');
    let runs = 0;
    await withDatabase(environment, async (db) => {
      const worker = createWorker({
        db,
        handlers: {
          async 'follow-settlement'() {
            runs += 1;
            worker.wake();
            await sleep(100);
          },
        } as unknown as JobHandlers,
        isFinal: () => false,
        now: () => Date.now() + ahead,
        log: { warn() {}, error() {} } as never,
      });
      worker.start();
      try {
        await write(db);
        await eventually(isGone);
      } finally {
        await worker.stop();
      }
    });
    return runs;
  }

  const begin = (db: Database) =>
    enqueue(db, 'follow-settlement', { purchaseId: 'none' }, Date.now());

  test('runs once it is committed; where it is undone, its place is free again', async () => {
    const runs = await runsOf(async (db) => {
      for (let undone = 0; undone < 10; undone += 1) {
        const broken = transaction(db, async (trx) => {
          await begin(trx);
          beforeCommit(trx, 'counts', () => Promise.reject(new Error('the disk is full')));
        });
        await expect(broken).rejects.toThrow('the disk is full');
      }
      await transaction(db, begin);
    });
    expect(runs).toBe(1);
  });

  test('whose lease is over before it is committed is run once all the same', async () => {
    const runs = await runsOf((db) =>
      transaction(db, async (trx) => {
        await begin(trx);
        beforeCommit(trx, 'counts', async () => {
          ahead += 7_000;
        });
      }),
    );
    expect(runs).toBe(1);
  });

  test('that was cut off by a kill is free again right after its lease', {
    tags: 'long',
  }, async () => {
    await beginAndDie();
    ahead += 7_000;
    await workUntil(async () => {}, isGone);
  });

  test('that kills its process each time waits longer each time, and is given up in the end', {
    tags: 'long',
  }, async () => {
    await runSql(environment, 'update job set unended = 10');
    await beginAndDie();
    const waiting = await readJob();
    expect(waiting?.run_at).toBeGreaterThan(Date.now() + 60_000);
    await runSql(environment, 'update job set unended = 100');
    ahead += DAY_MS;
    const errors = await workUntil(
      async () => {},
      async () => expect((await readJob())?.died_at).toBeGreaterThan(0),
    );
    expect((await readJob())?.last_error).toMatch(/process died during each of 100 runs/);
    expect(errors).toHaveLength(1);
  });

  test('that fails is tried for three days, and the end of it is logged at error once', async () => {
    const begun = Date.now();
    const errors = await workUntil(failing, async () => {
      const job = await readJob();
      if (job?.died_at === null) ahead = Math.max(ahead, job.run_at - Date.now());
      expect(job?.died_at).not.toBeNull();
    });
    expect((await readJob())?.died_at).toBeGreaterThan(begun + 3 * DAY_MS - 60_000);
    expect(errors).toEqual([
      expect.stringMatching(/^a job was given up.* jobs retry with its id$/),
    ]);
  });
});
