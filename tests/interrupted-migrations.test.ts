import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { beforeAll, describe, expect, test } from 'vitest';
import { up as begin } from '../server/adapters/database/migrations/001-begin.ts';
import { up as appendOnlyLedger } from '../server/adapters/database/migrations/002-append-only-ledger.ts';
import { up as secretKeys } from '../server/adapters/database/migrations/003-secret-keys.ts';
import { up as followTheMoney } from '../server/adapters/database/migrations/004-follow-the-money.ts';
import { up as deletedLinks } from '../server/adapters/database/migrations/006-deleted-links.ts';
import { up as paywallPage } from '../server/adapters/database/migrations/007-paywall-page.ts';
import { up as statistics } from '../server/adapters/database/migrations/008-statistics.ts';
import { up as searchLinks } from '../server/adapters/database/migrations/009-search-links.ts';
import { createApp } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import type { Tables } from '../server/domain/tables.ts';
import {
  createTestEnvironment,
  type Database,
  type TestEnvironment,
} from './harness/test-environment.ts';
import { describeOnBothDatabases } from './on-both-databases.ts';
import { withDatabase } from './with-database.ts';

/** How often each kind of start is killed, at moments spread over its migrations. */
const ROUNDS = Number(process.env.PADLINK_KILL_ROUNDS ?? 2);
/** PostgreSQL is asked once for each word: as many take it as long. */
const LINKS = { sqlite: 5_000, postgres: 500 };

const MIGRATIONS = {
  '001-begin': begin,
  '002-append-only-ledger': appendOnlyLedger,
  '003-secret-keys': secretKeys,
  '004-follow-the-money': followTheMoney,
  '006-deleted-links': deletedLinks,
  '007-paywall-page': paywallPage,
  '008-statistics': statistics,
  '009-search-links': searchLinks,
} as unknown as Record<string, Migration['up']>;

/** Makes the schema that a version had whose last migration was this one. */
async function migrateUntil(db: Kysely<Tables>, last: string): Promise<void> {
  const known = Object.entries(MIGRATIONS).filter(([name]) => name <= last);
  const migrations = Object.fromEntries(known.map(([name, up]) => [name, { up }]));
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
}

async function insertLinks(db: Kysely<Tables>, links: number): Promise<void> {
  const count = sql`with recursive n(i) as
    (select 1 union all select i + 1 from n where i < ${sql.lit(links)})`;
  await sql`${count} insert into link_id
    select cast(10000000 + i as text), 'ada', i from n`.execute(db);
  await sql`${count} insert into link
    (id, owner_id, type, title, url, price_cents, unlocked, paused, version, created_at, updated_at)
    select cast(10000000 + i as text), 'ada', 'link', 'Notes of lecture ' || i,
      'https://a.example/', 500, 0, 0, 1, i, i from n`.execute(db);
}

async function startAndStop(environment: TestEnvironment): Promise<void> {
  const app = createApp(readConfig(environment.env));
  try {
    await app.start();
  } finally {
    await app.stop();
  }
}

/** Lets PostgreSQL count every change of the schema, slowly, so that each can be hit. */
const COUNT_STEPS = `create schema harness; create sequence harness.steps;
  create function harness.count_step() returns event_trigger language plpgsql as
  $$ begin perform nextval('harness.steps'), pg_sleep(0.02); end $$;
  create event trigger count_step on ddl_command_end execute function harness.count_step()`;
const STOP_COUNTING = 'drop event trigger count_step; drop schema harness cascade';

async function runOnPostgres(environment: TestEnvironment, statements: string): Promise<void> {
  if (!environment.env.DATABASE_URL) return;
  await withDatabase(environment, (db) => sql.raw(statements).execute(db));
}

const main = join(import.meta.dirname, '..', 'server', 'main.ts');

/** Starts the product and ends it as a power cut would, once it has come so far. */
async function killWhileMigrating(environment: TestEnvironment, progress: number): Promise<void> {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...environment.env },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  try {
    while (child.exitCode === null && !(await readProgress(environment))) await sleep(1);
    const begun = performance.now();
    while (child.exitCode === null && (await readProgress(environment, begun)) < progress) {
      await sleep(1);
    }
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

/**
 * How far the migrations have come, 0 before they begin: on PostgreSQL the changes of the schema,
 * on SQLite the milliseconds since they were seen to write.
 */
async function readProgress(environment: TestEnvironment, begun = 0): Promise<number> {
  if (environment.env.DATABASE_URL) {
    const [steps] = await readAll(environment, [STEPS]);
    return Number(steps);
  }
  const log = join(environment.dataDir, 'padlink.sqlite-wal');
  return existsSync(log) && statSync(log).size > 0 ? performance.now() - begun : 0;
}

const STEPS = 'select case when is_called then last_value else 0 end from harness.steps';

async function readAll(environment: TestEnvironment, queries: string[]): Promise<string[]> {
  return withDatabase(environment, async (db) => {
    const lines: string[] = [];
    for (const query of queries) {
      const { rows } = await sql.raw<Record<string, unknown>>(query).execute(db);
      lines.push(...rows.map((row) => Object.values(row).join(' ')));
    }
    return lines.sort();
  });
}

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
  return readAll(environment, [...parts, 'select name from kysely_migration']);
}

/** A throwaway product that has never been started, for one piece of work. */
async function withEnvironment<Result>(
  database: Database,
  work: (environment: TestEnvironment) => Promise<Result>,
): Promise<Result> {
  const environment = await createTestEnvironment({ database });
  try {
    return await work(environment);
  } finally {
    await environment.remove();
  }
}

/** The schema after a start that nobody disturbs. */
function readCompleteSchema(database: Database): Promise<string[]> {
  return withEnvironment(database, async (environment) => {
    await startAndStop(environment);
    return readSchema(environment);
  });
}

describeOnBothDatabases('a start', (database) => {
  let complete: string[];
  beforeAll(async () => {
    complete = await readCompleteSchema(database);
  });

  const asNew = async () => {};
  const asEarlierVersion = (environment: TestEnvironment) =>
    withDatabase(environment, async (db) => {
      await migrateUntil(db, '006-deleted-links');
      await insertLinks(db, LINKS[database]);
    });

  test.each([
    ['the first', asNew],
    ['an upgrade', asEarlierVersion],
  ])(
    'makes good one that was killed at any moment: %s',
    async (_kind, prepare) => {
      const prepareCounted = async (environment: TestEnvironment) => {
        await prepare(environment);
        await runOnPostgres(environment, COUNT_STEPS);
      };
      const whole = await withEnvironment(database, async (environment) => {
        await prepareCounted(environment);
        const begun = performance.now();
        await startAndStop(environment);
        if (database === 'sqlite') return performance.now() - begun;
        return readProgress(environment);
      });
      for (let round = 0; round < ROUNDS; round += 1) {
        await withEnvironment(database, async (environment) => {
          await prepareCounted(environment);
          await killWhileMigrating(environment, (whole * (round + Math.random())) / ROUNDS);
          await runOnPostgres(environment, STOP_COUNTING);
          await startAndStop(environment);
          expect(await readSchema(environment)).toEqual(complete);
        });
      }
    },
    60_000 + ROUNDS * 30_000,
  );

  test('brings back the indexes of accounts that an earlier version lost', async () => {
    await withEnvironment(database, async (environment) => {
      await startAndStop(environment);
      await withDatabase(environment, async (db) => {
        const names = complete.flatMap((line) => line.match(/index "?(\w+_idx)\b/i)?.[1] ?? []);
        expect(names).toContain('session_userId_idx');
        for (const name of names) await db.schema.dropIndex(name).ifExists().execute();
      });
      await startAndStop(environment);
      expect(await readSchema(environment)).toEqual(complete);
    });
  });

  test('refuses a database of a newer version in plain words and changes nothing', async () => {
    await withEnvironment(database, async (environment) => {
      await withDatabase(environment, async (db) => {
        await migrateUntil(db, '006-deleted-links');
        await sql`insert into kysely_migration values ('999-later', '2999-01-01')`.execute(db);
      });
      const before = await readSchema(environment);
      await expect(startAndStop(environment)).rejects.toThrow(
        'This database was written by a newer version of Padlink (999-later). ' +
          'Start that version, or restore a backup from before the upgrade.',
      );
      expect(await readSchema(environment)).toEqual(before);
    });
  });
});

describe('an upgrade of SQLite that an earlier version left half done', () => {
  let complete: string[];
  beforeAll(async () => {
    complete = await readCompleteSchema('sqlite');
  });

  test.each(Object.keys(MIGRATIONS))('at %s goes on', async (interrupted) => {
    await withEnvironment('sqlite', async (environment) => {
      await withDatabase(environment, async (db) => {
        const earlier = Object.keys(MIGRATIONS).filter((name) => name < interrupted);
        await migrateUntil(db, earlier.at(-1) ?? '');
        if (earlier.length > 0) await insertLinks(db, 10);
        await MIGRATIONS[interrupted]?.(db);
      });
      await startAndStop(environment);
      expect(await readSchema(environment)).toEqual(complete);
    });
  });

  test('is not guessed at where there is data and no record of a version', async () => {
    await withEnvironment('sqlite', async (environment) => {
      await withDatabase(environment, async (db) => {
        await MIGRATIONS['001-begin']?.(db);
        await insertLinks(db, 1);
      });
      await expect(startAndStop(environment)).rejects.toThrow(
        'The database holds data but no longer says which version wrote it. Restore a backup.',
      );
      expect(await readAll(environment, ['select id from link'])).toEqual(['10000001']);
    });
  });
});
