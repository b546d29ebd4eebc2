import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../server/adapters/storage/open-store.ts';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/ground/config/read-config.ts';
import { copyBeforeUpgrade } from '../../server/ground/database/copy-before-upgrade.ts';
import { readInstallationId } from '../../server/ground/database/installation.ts';
import { isMigrated, MIGRATIONS, migrate } from '../../server/ground/database/migrate.ts';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { findWrongStatistics } from '../../server/money/payments/check-statistics.ts';
import { findWrongPayouts } from '../../server/money/payouts/check-payouts.ts';
import {
  graphql,
  PASSWORD,
  readBalance,
  readMail,
  seeLink,
  signIn,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { expectBooks, waitUntilIdle } from '../factories/money.ts';
import { payAt } from '../factories/payment.ts';
import {
  DATABASES,
  type KeptBuyer,
  RELEASES,
  type Release,
  SETTINGS,
} from '../fixtures/releases.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { skipWithout } from '../harness/needs.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, createPersonAt, type Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';
import { createTestEnvironment, type TestEnvironment } from '../harness/test-environment.ts';
import { stripeOf } from '../harness/webhook.ts';
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

/** What a sale at 1,000 cents, and what became of it, comes to in the books. */
const SOLD = { provider: -941, platform_fee: 80, creator: 920, processing_cost: -59 };
const GIVEN_BACK = { provider: 59, platform_fee: 0, creator: 0, processing_cost: -59 };
const LOST = { ...SOLD, provider: 1559, creator: -80, dispute_fee: -1500 };
const WON = { ...SOLD, provider: 559, dispute_fee: -1500 };

const readRelease = (version: string): Release =>
  JSON.parse(readFileSync(join(RELEASES, `${version}.json`), 'utf8'));

/** The shop of a released version as it was left, not started since. Its store holds no files. */
async function openRelease(version: string, env: Record<string, string>) {
  const { remove, ...environment } = await createTestEnvironment({
    empty: true,
    env: { ...SETTINGS, ...env },
  });
  for (const name of DATABASES) {
    const kept = readFileSync(join(RELEASES, `${version}.${name}.sqlite.gz`));
    writeFileSync(join(environment.dataDir, `${name}.sqlite`), gunzipSync(kept));
  }
  await withDatabase(environment, async (db) => {
    const config = readConfig(environment.env);
    const store = await openStore({ ...config, db: () => db, now: Date.now });
    await store.writeOwner(await readInstallationId(db));
  });
  return { environment, remove };
}

/** The same on another database, as a backup is restored. */
async function restoreRelease(
  version: string,
  env: Record<string, string>,
  database: 'sqlite' | 'postgres',
) {
  const { environment: old, remove: removeOld } = await openRelease(version, env);
  const folder = join(createDataFolder(), 'backup');
  const { remove, ...environment } = await createTestEnvironment({
    database,
    empty: true,
    env: { ...SETTINGS, ...env },
  });
  try {
    expect(await runCli(old.env, 'backup', folder)).toMatchObject({ status: 0 });
    // Its status is about what waits in the backup as well, by now for long.
    const { stdout } = await runCli(environment.env, 'restore', folder);
    expect(stdout).toMatch(/^Restored the backup of /m);
  } finally {
    await removeOld();
  }
  return { environment, remove };
}

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);
const REFUND = `mutation ($id: ID!) {
  refundSale(purchaseId: $id, reason: "As asked") { state }
}`;

for (const version of versions) {
  describeOnSqliteFirst(`a shop of version ${version}`, (database) => {
    const release = readRelease(version);
    const { open, paid } = release;
    const app = {} as TestEnvironment;
    const closers: (() => Promise<void>)[] = [];
    let wasOlder: boolean;
    let visitors = 0;

    beforeAll(async () => {
      // Checkouts that are open would be over by now.
      vi.useFakeTimers({ toFake: ['Date'], now: release.keptAt, shouldAdvanceTime: true });
      const env = { SANDBOX_PORT: String(sandboxPort) };
      const { environment, remove } = await (database === 'sqlite'
        ? openRelease(version, env)
        : restoreRelease(version, env, database));
      closers.push(remove);
      Object.assign(app, environment);
      wasOlder = !(await withDatabase(app, isMigrated));
      const product = createApp(readConfig(app.env));
      closers.push(() => product.stop());
      await product.start();
    });
    afterAll(async () => {
      for (const close of closers.toReversed()) await close();
      vi.useRealTimers();
    });

    function cameBack({ cookies = [] }: Partial<KeptBuyer> = {}): Person {
      visitors += 1;
      const person = createPersonAt(app, `198.51.100.${visitors}`);
      for (const [name, value] of cookies) person.cookies.set(name, value);
      return person;
    }
    const unlocked = async (buyer: KeptBuyer) => {
      const person = cameBack(buyer);
      for (const id of buyer.links) await waitUntilUnlocked(person, id);
    };
    const isLocked = async ({ links, ...buyer }: KeptBuyer) =>
      (await seeLink(cameBack({ links, ...buyer }), links[0] ?? ''))?.unlocked === false;
    const books = ({ links }: KeptBuyer, accounts: Record<string, number>) =>
      expectBooks(app, links[0] ?? '', accounts);
    const openPersonalLink = async (path: string, id: string) => {
      const person = cameBack();
      expect((await person.fetch(path, { method: 'POST' })).status).toBe(303);
      expect(await seeLink(person, id)).toMatchObject({ unlocked: true });
    };

    test('is upgraded, where it is a file after a copy, and its statistics are right', async () => {
      const isCopied = wasOlder && database === 'sqlite';
      expect(copiesIn(app)).toHaveLength(isCopied ? 1 : 0);
      await withDatabase(app, async (db) => {
        expect(await isMigrated(db)).toBe(true);
        expect(await findWrongStatistics(db)).toEqual([]);
      });
    });

    test('knows its sellers, and lets in who bought', async () => {
      await openPersonalLink(release.personalPath, release.id);
      const seller = createPerson(app);
      await signIn(seller, release.seller, PASSWORD);
      const balance = await readBalance(seller);
      expect(balance).toBeGreaterThan(0);
      expect(balance).toBeLessThan(release.grossCents);
      await unlocked(paid.cart);
      await unlocked(paid.bundle);
      const part = cameBack(paid.bundle);
      for (const id of release.parts)
        expect(await seeLink(part, id)).toMatchObject({ unlocked: true });
    });

    test.each(['single', 'named', 'cart'] as const)(
      'is paid what a %s checkout asks for',
      async (kind) => {
        const { path, ...buyer } = open[kind];
        expect((await payAt(cameBack(buyer), path)).status).toBe(303);
        await unlocked(buyer);
      },
    );

    test('delivers gifts', async () => {
      const { path, links, ...giver } = open.gift;
      expect((await payAt(cameBack({ links, ...giver }), path)).status).toBe(303);
      const { text } = await readMail(app, release.recipient);
      await openPersonalLink(/\/access\/\S+/.exec(text)?.[0] ?? '', links[0] ?? '');
      await openPersonalLink(release.gift.path, release.gift.link);
    });

    test('wins a dispute that was open, and keeps no money of one that was lost', async () => {
      expect(await isLocked(paid.disputed)).toBe(true);
      await stripe.disputes.update(release.dispute, {
        evidence: { uncategorized_text: 'winning_evidence' },
        submit: true,
      });
      await unlocked(paid.disputed);
      await books(paid.disputed, WON);
      await books(paid.lost, LOST);
      expect(await isLocked(paid.lost)).toBe(true);
    });

    test('completes refunds', async () => {
      await books(paid.refundPending, GIVEN_BACK);
      const seller = createPerson(app);
      await signIn(seller, release.other, PASSWORD);
      await unlocked(paid.refundedInPart);
      const [sold] = await withDatabase(app, (db) =>
        db
          .selectFrom('purchase')
          .where('link_id', 'in', paid.refundedInPart.links)
          .select('id')
          .execute(),
      );
      await graphql(seller, REFUND, { id: sold?.id });
      await books(paid.refundedInPart, GIVEN_BACK);
      await withDatabase(app, (db) =>
        eventually(async () => {
          const refunds = await db.selectFrom('refund').select('state').execute();
          expect(refunds.map(({ state }) => state)).toEqual(Array(3).fill('succeeded'));
        }),
      );
    });

    test('pays out, and has books, statistics and payouts in order when all is done', async () => {
      await withDatabase(app, async (db) => {
        await eventually(async () => {
          const payout = db.selectFrom('payout').where('id', '=', release.payout).select('state');
          expect(await payout.execute()).toEqual([{ state: 'paid' }]);
        });
        await waitUntilIdle(db, sandboxPort);
        expect(await checkLedger(db)).toEqual([]);
        expect(await findWrongStatistics(db)).toEqual([]);
        expect(await findWrongPayouts(db)).toEqual([]);
      });
    });
  });

  test(`a backup of version ${version} is restored with all that it holds`, async () => {
    const countRows = (environment: Pick<TestEnvironment, 'env'>) =>
      withDatabase(environment, async (db) => {
        const counts: Record<string, number> = {};
        for (const table of [
          'purchase',
          'purchase_part',
          'payment_share',
          'access_grant',
          'refund',
        ]) {
          const { rows } = await sql<{ count: number }>`
            select count(*) as count from ${sql.table(table)}`.execute(db);
          counts[table] = Number(rows[0]?.count);
        }
        return counts;
      });
    const { environment: old, remove: removeOld } = await openRelease(version, {});
    onTestFinished(removeOld);
    const { environment, remove } = await restoreRelease(version, {}, 'sqlite');
    onTestFinished(remove);
    expect(await countRows(environment)).toEqual(await countRows(old));
    await withDatabase(environment, async (db) => {
      expect(await isMigrated(db)).toBe(true);
      expect(await checkLedger(db)).toEqual([]);
    });
  });
}

test('a backup from before the first migration names the version that restores it', async () => {
  const { environment: old, remove } = await openRelease('0.1.0', {});
  onTestFinished(remove);
  await withDatabase(old, (db) =>
    sql`update or replace kysely_migration set name = '163-words-anew'
      where name = '164-canonical-addresses'`.execute(db),
  );
  const folder = join(createDataFolder(), 'backup');
  expect(await runCli(old.env, 'backup', folder)).toMatchObject({ status: 0 });
  const { env } = await openEnvironment(SETTINGS);
  expect(await runCli(env, 'restore', folder)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^The backup was made by an earlier Padlink, \S+, than this one can upgrade\. Restore it with the version whose newest migration is 164-canonical-addresses \(git switch --detach 67822e71\), start that once, then this one\.$/m,
    ),
  });
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
  const later = ['998-later', '999-later'];
  const nothing = { up: async () => {} };
  const known = { ...MIGRATIONS, ...Object.fromEntries(later.map((name) => [name, nothing])) };
  for (const next of [newest, ...later, '999-later']) {
    const before = Object.entries(known).filter(([name]) => name < next);
    await withDatabase(environment, async (db) => {
      await migrate(db, Object.fromEntries(before));
      await copyBeforeUpgrade(db, readPath(env), known);
    });
  }
  expect(copiesIn(environment)).toEqual([
    ...['padlink-before-998.sqlite', 'padlink-before-999.sqlite'],
  ]);
  expect(namesOf(join(dataDir, 'padlink-before-999.sqlite'))).toEqual([
    ...[...Object.keys(MIGRATIONS), '998-later'],
  ]);
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
