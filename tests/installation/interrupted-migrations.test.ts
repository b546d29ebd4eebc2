import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/ground/config/read-config.ts';
import { MIGRATIONS, migrate } from '../../server/ground/database/migrate.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import {
  createTestEnvironment,
  type Database,
  type TestEnvironment,
} from '../harness/test-environment.ts';
import { withDatabase } from '../harness/with-database.ts';

/** How often a first start is killed on each database, at moments spread over its migrations. */
const ROUNDS = Number(process.env.PADLINK_KILL_ROUNDS ?? 1);
/** In milliseconds, how long they take SQLite where the machine has much else to do. */
const SQLITE_MS = 75;

async function startAndStop(environment: TestEnvironment): Promise<void> {
  const app = createApp(readConfig(environment.env));
  try {
    await app.start();
  } finally {
    await app.stop();
  }
}

/** A throwaway product that has never been started, for one piece of work. */
async function withEnvironment<Result>(
  database: Database,
  work: (environment: TestEnvironment) => Promise<Result>,
): Promise<Result> {
  const environment = await createTestEnvironment({ database, empty: true });
  try {
    return await work(environment);
  } finally {
    await environment.remove();
  }
}

/** Lets PostgreSQL count every change of the schema, slowly, so that each can be hit. */
const COUNT_STEPS = `create schema harness; create sequence harness.steps;
  create function harness.count_step() returns event_trigger language plpgsql as
  $$ begin perform nextval('harness.steps'), pg_sleep(0.01); end $$;
  create event trigger count_step on ddl_command_end execute function harness.count_step()`;
const STEPS = sql<{ steps: number }>`
  select case when is_called then last_value else 0 end as steps from harness.steps`;

/**
 * The same, watched.
 * @param work is told how to read how far the migrations have come, 0 before they begin: on
 * PostgreSQL the changes of the schema, on SQLite the milliseconds since they were seen to write
 */
async function withWatched<Result>(
  database: Database,
  work: (environment: TestEnvironment, readProgress: () => Promise<number>) => Promise<Result>,
): Promise<Result> {
  return withEnvironment(database, async (environment) => {
    if (database === 'postgres') {
      return withDatabase(environment, async (db) => {
        await sql.raw(COUNT_STEPS).execute(db);
        return work(environment, async () => Number((await STEPS.execute(db)).rows[0]?.steps));
      });
    }
    const log = join(environment.dataDir, 'padlink.sqlite-wal');
    let begun: number | undefined;
    return work(environment, async () => {
      if (existsSync(log) && statSync(log).size > 0) begun ??= performance.now();
      return begun === undefined ? 0 : performance.now() - begun;
    });
  });
}

function runNode(environment: TestEnvironment, ...args: string[]): ChildProcess {
  const env = { PATH: process.env.PATH, ...environment.env };
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

const main = join(import.meta.dirname, '../..', 'server', 'main.mjs');

/** Starts the product and ends it as a power cut would, once its migrations have come so far. */
async function killStart(
  environment: TestEnvironment,
  readProgress: () => Promise<number>,
  progress: number,
): Promise<void> {
  const child = runNode(environment, main);
  const exited = once(child, 'exit');
  try {
    for (let come = 0; child.exitCode === null && (come === 0 || come < progress); ) {
      await sleep(5);
      come = await readProgress();
    }
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
  expect(child.signalCode).toBe('SIGKILL');
}

const locate = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** A process that ends in the midst of a migration, as in a power cut. */
const DYING_UPGRADE = `
  import { MIGRATIONS, migrate } from ${locate('../../server/ground/database/migrate.ts')};
  import { withDatabase } from ${locate('../harness/with-database.ts')};
  const up = async (db) => {
    await db.schema.createTable('later').addColumn('id', 'text').execute();
    await db.schema.alterTable('link').addColumn('later', 'text').execute();
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  };
  await withDatabase({ env: process.env }, (db) =>
    migrate(db, { ...MIGRATIONS, '999-later': { up } }));`;

async function dieUpgrading(environment: TestEnvironment): Promise<void> {
  const child = runNode(environment, '--input-type=module', '--eval', DYING_UPGRADE);
  await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
}

const LATER: Record<string, Migration> = {
  ...MIGRATIONS,
  '999-later': {
    up: (db) => db.schema.createTable('later').addColumn('id', 'text').execute(),
  },
};

const NOTHING: Migration = { up: async () => {} };

const SQLITE_SCHEMA = ['select type, name, sql from sqlite_master'];
const POSTGRES_SCHEMA = [
  `select table_name, column_name, data_type, is_nullable, column_default, collation_name
    from information_schema.columns where table_schema = 'public'`,
  `select indexdef from pg_indexes where schemaname = 'public'`,
  `select conrelid::regclass, conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace`,
  'select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal',
];

/** Every table, column, index, constraint and trigger, and what is recorded as done. */
function readSchema(environment: TestEnvironment): Promise<string[]> {
  const parts = environment.env.DATABASE_URL ? POSTGRES_SCHEMA : SQLITE_SCHEMA;
  return withDatabase(environment, async (db) => {
    const lines: string[] = [];
    for (const query of [...parts, 'select name from kysely_migration']) {
      const { rows } = await sql.raw<Record<string, unknown>>(query).execute(db);
      lines.push(...rows.map((row) => Object.values(row).join(' ')));
    }
    return lines.sort();
  });
}

const refusal = (migration: string) =>
  `This database was written by another version of Padlink (${migration}). ` +
  'Start that version, or restore a backup made with this one, such as the copy from before the upgrade: docs/backup.md, under Downgrade.';

describeOnSqliteFirst('a start', (database) => {
  test('completes a first start that was killed at any moment', {
    tags: 'long',
    timeout: 300_000 + ROUNDS * 30_000,
  }, async () => {
    const { complete, whole } = await withWatched(database, async (environment, readProgress) => {
      await startAndStop(environment);
      return {
        complete: await readSchema(environment),
        whole: database === 'sqlite' ? SQLITE_MS : await readProgress(),
      };
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      await withWatched(database, async (environment, readProgress) => {
        const progress = (whole * (round + Math.random())) / ROUNDS;
        await killStart(environment, readProgress, progress);
        await startAndStop(environment);
        expect(await readSchema(environment)).toEqual(complete);
      });
    }
  });

  test('finds that a killed upgrade never began, and makes it', async () => {
    await withEnvironment(database, async (environment) => {
      await withDatabase(environment, migrate);
      const before = await readSchema(environment);
      await dieUpgrading(environment);
      expect(await readSchema(environment)).toEqual(before);
      await withDatabase(environment, (db) => migrate(db, LATER));
      expect(await readSchema(environment)).toEqual(expect.arrayContaining(['999-later']));
    });
  });

  test('refuses a database of another version in plain words and changes nothing', async () => {
    await withEnvironment(database, async (environment) => {
      await withDatabase(environment, (db) => migrate(db, LATER));
      const before = await readSchema(environment);
      await expect(startAndStop(environment)).rejects.toThrow(refusal('999-later'));
      expect(await readSchema(environment)).toEqual(before);
    });
  });

  test('refuses a database of a development build, whose first migration made other tables', async () => {
    await withEnvironment(database, async (environment) => {
      const create: Migration['up'] = (db) =>
        db.schema.createTable('link').addColumn('id', 'text').execute();
      await withDatabase(environment, (db) => migrate(db, { '001-begin': { up: create } }));
      const before = await readSchema(environment);
      await expect(startAndStop(environment)).rejects.toThrow(refusal('001-begin'));
      expect(await readSchema(environment)).toEqual(before);
    });
  });

  test('goes on with a database that was made in steps, and keeps their records', async () => {
    await withEnvironment(database, async (environment) => {
      await startAndStop(environment);
      const made = await readSchema(environment);
      await withDatabase(environment, (db) =>
        sql`insert into kysely_migration (name, timestamp) values
          ('101-begin', '2026-01-01'), ('163-words-anew', '2026-01-02')`.execute(db),
      );
      await startAndStop(environment);
      expect(await readSchema(environment)).toEqual(
        [...made, '101-begin', '163-words-anew'].sort(),
      );
      await withDatabase(environment, (db) => migrate(db, LATER));
      expect(await readSchema(environment)).toEqual(expect.arrayContaining(['999-later']));
    });
  });

  test('says how a database that has not taken all the steps is upgraded, and changes nothing', async () => {
    await withEnvironment(database, async (environment) => {
      const steps = { '101-begin': NOTHING, '163-words-anew': NOTHING };
      await withDatabase(environment, (db) => migrate(db, steps));
      const before = await readSchema(environment);
      await expect(startAndStop(environment)).rejects.toThrow(
        'This database was written by an earlier version of Padlink than this one can upgrade (163-words-anew). ' +
          'Start the version whose newest migration is 164-canonical-addresses (git switch --detach 67822e71) once, then this one: docs/backup.md, under Upgrade.',
      );
      expect(await readSchema(environment)).toEqual(before);
    });
  });

  test('does not guess at a database that lost the record of its version', async () => {
    await withEnvironment(database, async (environment) => {
      await startAndStop(environment);
      await withDatabase(environment, (db) => sql`delete from kysely_migration`.execute(db));
      const before = await readSchema(environment);
      await expect(startAndStop(environment)).rejects.toThrow(
        /^The database already contains what migration 164-canonical-addresses would create \(.+ already exists\), but no record of it\. Restore a backup, or start with an empty database\.$/,
      );
      expect(await readSchema(environment)).toEqual(before);
    });
  });
});
