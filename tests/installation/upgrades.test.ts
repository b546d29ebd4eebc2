import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/ground/config/read-config.ts';
import { copyBeforeUpgrade } from '../../server/ground/database/copy-before-upgrade.ts';
import { isMigrated, MIGRATIONS, migrate } from '../../server/ground/database/migrate.ts';
import { findWrongStatistics } from '../../server/money/payments/check-statistics.ts';
import { PASSWORD, readBalance, seeLink, signIn } from '../factories/factories.ts';
import { RELEASES, type Release, SECRET } from '../fixtures/releases.ts';
import { skipWithout } from '../harness/needs.ts';
import { createPerson } from '../harness/person.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';
import { createTestEnvironment, type TestEnvironment } from '../harness/test-environment.ts';
import { withDatabase } from '../harness/with-database.ts';

const versions = readdirSync(RELEASES).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);

const newest = Object.keys(MIGRATIONS).at(-1) as string;
/** All that a version before this one knew. */
const EARLIER = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name !== newest));
const COPY = `padlink-before-${Number.parseInt(newest, 10)}.sqlite`;

async function openEnvironment(env: Record<string, string> = {}): Promise<TestEnvironment> {
  const environment = await createTestEnvironment({ empty: true, env });
  onTestFinished(environment.remove);
  return environment;
}

async function start(environment: TestEnvironment) {
  const app = createApp(readConfig(environment.env));
  onTestFinished(() => app.stop());
  await app.start();
  return app;
}

const namesOf = (file: string) => {
  using database = new DatabaseSync(file, { readOnly: true });
  return database
    .prepare('select name from kysely_migration order by name')
    .all()
    .map(({ name }) => name);
};

const copiesIn = ({ dataDir }: TestEnvironment) =>
  readdirSync(dataDir).filter((name) => name.startsWith('padlink-before-'));

test.each(versions)('a shop of version %s goes on with this one', async (version) => {
  const environment = await openEnvironment({ APP_SECRET: SECRET });
  const file = join(environment.dataDir, 'padlink.sqlite');
  writeFileSync(file, gunzipSync(readFileSync(join(RELEASES, `${version}.sqlite.gz`))));
  const wasOlder = !(await withDatabase(environment, isMigrated));
  const release = JSON.parse(readFileSync(join(RELEASES, `${version}.json`), 'utf8')) as Release;
  await start(environment);
  expect(copiesIn(environment)).toHaveLength(wasOlder ? 1 : 0);

  expect(await withDatabase(environment, findWrongStatistics)).toEqual([]);

  const buyer = createPerson(environment);
  const opened = await buyer.fetch(release.personalPath, { method: 'POST' });
  expect(opened.status).toBe(303);
  expect(await seeLink(buyer, release.id)).toMatchObject({ unlocked: true });
  const seller = createPerson(environment);
  await signIn(seller, release.seller, PASSWORD);
  const balance = await readBalance(seller);
  expect(balance).toBeGreaterThan(0);
  expect(balance).toBeLessThan(release.grossCents);
});

test('a database is copied before its upgrade, once, for nobody else to read', async () => {
  const environment = await openEnvironment();
  await withDatabase(environment, (db) => migrate(db, EARLIER));
  const app = await start(environment);
  const copy = join(environment.dataDir, COPY);
  expect(copiesIn(environment)).toEqual([COPY]);
  expect(namesOf(copy)).toEqual(Object.keys(EARLIER));
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const { mtimeMs } = statSync(copy);
  await app.stop();
  await start(environment);
  expect(statSync(copy).mtimeMs).toBe(mtimeMs);
  expect(copiesIn(environment)).toEqual([COPY]);
});

test('the copies of the last two upgrades are kept, each of the last attempt', async () => {
  const environment = await openEnvironment();
  const { env, dataDir } = environment;
  for (const next of [...Object.keys(MIGRATIONS).slice(-3), '999-later', '999-later']) {
    const known = { ...MIGRATIONS, '999-later': { up: async () => {} } };
    const before = Object.entries(known).filter(([name]) => name < next);
    await withDatabase(environment, async (db) => {
      await migrate(db, Object.fromEntries(before));
      await copyBeforeUpgrade(db, readPath(env), known);
    });
  }
  expect(copiesIn(environment)).toEqual([COPY, 'padlink-before-999.sqlite']);
  expect(namesOf(join(dataDir, 'padlink-before-999.sqlite'))).toEqual(Object.keys(MIGRATIONS));
});

test('without room for a copy nothing is upgraded', async () => {
  const disk = mountSmallDisk(8);
  if (!disk) return skipWithout('mount');
  onTestFinished(disk.remove);
  const DATA_DIR = join(disk.path, 'data');
  mkdirSync(DATA_DIR);
  const environment = await openEnvironment({ DATA_DIR });
  await withDatabase(environment, (db) => migrate(db, EARLIER));
  const file = join(DATA_DIR, 'padlink.sqlite');
  // Room for what SQLite needs beside the database, and for a part of the copy.
  const spare = join(disk.path, 'spare');
  writeFileSync(spare, Buffer.alloc(256 * 1024));
  disk.fill();
  rmSync(spare);
  await expect(withDatabase(environment, (db) => copyBeforeUpgrade(db, file))).rejects.toThrow(
    /^There is no room in \S+ for a copy of the database, which is made before each upgrade\. \d+ MiB more are needed\. Nothing was changed\. Free some space, and start again\.$/,
  );
  disk.empty();
  expect(readdirSync(DATA_DIR)).not.toContainEqual(expect.stringContaining('before'));
  expect(namesOf(file)).toEqual(Object.keys(EARLIER));
});

function readPath(env: Record<string, string>): string {
  const { database } = readConfig(env);
  if (database.kind !== 'sqlite') throw new Error('Only SQLite has a path.');
  return database.file;
}
