import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { READS_AT_ONCE } from '../../server/ground/database/postgres-client.ts';
import type { Tables } from '../../server/ground/database/tables.ts';
import {
  askGraphql,
  createLink,
  PASSWORD,
  publishableKey,
  readBalance,
  seeLink,
  sellFile,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payAt, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { startFaultyLine } from '../harness/faulty-line.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { createDatabase, POSTGRES_VARIABLE } from '../harness/postgres.ts';
import { type Cluster, startCluster } from '../harness/postgres-cluster.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const BUSY =
  'The database is busy or cannot be reached right now. Please try again in a few seconds.';
const HTML = { accept: 'text/html' };
const LIST = 'query { listPaywallLinks(limit: 5) { items { id } } }';

/** Keeps what the statement locks from everybody else while something is done. */
async function whileLocked(
  app: { env: Record<string, string> },
  statements: string[],
  work: (db: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  await withDatabase(app, (db) =>
    db.connection().execute(async (connection) => {
      for (const statement of statements) await sql.raw(statement).execute(connection);
      try {
        await work(db);
      } finally {
        await sql`rollback`.execute(connection);
      }
    }),
  );
}

async function expectUnavailable(answer: Response): Promise<void> {
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({
    status: 503,
    code: 'UNAVAILABLE',
    title: 'Temporarily unavailable',
    detail: BUSY,
  });
}

/** Waits until so many statements of others wait for a lock. */
const untilWaiting = (db: Kysely<Tables>, count: number) =>
  eventually(async () => {
    const { rows } = await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database()`.execute(db);
    expect(rows.length).toBeGreaterThanOrEqual(count);
  });

describeOnSqliteFirst('while another session keeps the database locked', (database) => {
  const app = useApp({ database });
  const locks = {
    sqlite: ['begin immediate'],
    postgres: ['begin', 'lock table link, "user", session, purchase in access exclusive mode'],
  };

  test('what needs it is refused in a few seconds, with words and a time to come back', async () => {
    const seller = await signUp(app);
    const link = await createLink(seller, { type: 'link', url: 'https://example.com/' });
    const signIn = (person: Person) =>
      postJson(person, '/api/auth/sign-in/email', { email: seller.email, password: PASSWORD });
    const checkOut = (person: Person) => postJson(person, '/prod/checkout', { paywallId: link.id });

    await whileLocked(app, locks[database], async () => {
      await expectUnavailable(await signIn(createPerson(app)));
      await expectUnavailable(await checkOut(createPerson(app)));
    });
    expect((await signIn(createPerson(app))).status).toBe(200);
    expect((await checkOut(createPerson(app))).status).toBe(200);
  });
});

describe('while another session of PostgreSQL keeps tables locked', () => {
  const app = useApp({ database: 'postgres' });

  test('pages say so, nobody is taken for signed out, and the product stays ready', async () => {
    const seller = await signUp(app);
    const keys = await publishableKey(app);
    const guest = createPerson(app);
    const locks = ['begin', 'lock table link, session in access exclusive mode'];
    await whileLocked(app, locks, async () => {
      const [explore, dashboard, account, asked, ready] = await Promise.all([
        guest.fetch('/explore', { headers: HTML }),
        seller.fetch('/dashboard', { headers: HTML, redirect: 'manual' }),
        seller.fetch('/api/user-attributes'),
        postJson(guest, '/graphql', { query: LIST }, keys),
        guest.fetch('/readyz'),
      ]);
      expect(ready.status).toBe(200);
      for (const page of [explore, dashboard]) {
        expect(page.status).toBe(503);
        expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(await explore.text()).toContain('The links could not be loaded.');
      expect(await dashboard.text()).toContain(BUSY);
      await expectUnavailable(account);
      expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await asked.json()).toMatchObject({
        errors: [{ message: BUSY, extensions: { code: 'UNAVAILABLE' } }],
      });
    });
    expect((await guest.fetch('/explore')).status).toBe(200);
    expect((await seller.fetch('/dashboard', { redirect: 'manual' })).status).toBe(200);
  });

  test('more requests than there are connections are refused as well, not left waiting', async () => {
    const guest = createPerson(app);
    await whileLocked(app, ['begin', 'lock table link in access exclusive mode'], async () => {
      const asked = Array.from({ length: 30 }, () => guest.fetch('/explore'));
      for (const answer of await Promise.all(asked)) expect(answer.status).toBe(503);
    });
    expect((await guest.fetch('/explore')).status).toBe(200);
  });
});

describe('a PostgreSQL that takes no writes, as a standby after a change of the primary', () => {
  const app = useApp({ database: 'postgres' });

  async function become(state: 'on' | 'off'): Promise<void> {
    const { pathname } = new URL(app.env.DATABASE_URL ?? '');
    const name = pathname.slice(1);
    const client = new pg.Client({ connectionString: process.env[POSTGRES_VARIABLE] });
    await client.connect();
    await client.query(`alter database ${name} set default_transaction_read_only = ${state}`);
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    );
    await client.end();
  }

  test('is read, says that it takes no writes, and sells again as soon as it does', async () => {
    const seller = await signUp(app);
    const sold = await sellFile(seller);
    const fresh = await sellFile(seller);
    const buyer = createPerson(app);
    await payFor(buyer, sold.id);
    await waitUntilUnlocked(buyer, sold.id);
    const other = createPerson(app);
    const checkout = await checkOut(other, fresh.id);

    await become('on');
    onTestFinished(() => become('off'));
    await eventually(async () => expect((await buyer.fetch('/explore')).status).toBe(200));
    expect((await createPerson(app).fetch(`/p/${fresh.id}`)).status).toBe(200);
    expect(await seeLink(buyer, sold.id)).toMatchObject({ unlocked: true });
    const content = await buyer.fetch(`/p/${sold.id}/content`);
    const download = await buyer.fetch(content.headers.get('location') ?? '');
    expect(download.status).toBe(200);
    expect(new Uint8Array(await download.arrayBuffer())).toEqual(sold.bytes);
    const refused = await postJson(buyer, '/prod/checkout', { paywallId: fresh.id });
    expect(refused.status).toBe(507);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      detail: expect.stringContaining('write-protected'),
    });
    const ready = await fetch(`${app.origin}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ faults: { database: 'It cannot be written to.' } });
    await payAt(other, checkout);

    await become('off');
    await waitUntilUnlocked(other, fresh.id);
  });
});

describe('when the connection to PostgreSQL fails', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let line: Awaited<ReturnType<typeof startFaultyLine>>;
  let app: SpawnedApp;
  let direct: { env: Record<string, string> };

  beforeAll(async () => {
    database = await createDatabase();
    const url = new URL(database.url);
    line = await startFaultyLine({ host: '127.0.0.1', port: Number(url.port) });
    url.port = String(line.port);
    app = await spawnApp({ env: { DATABASE_URL: url.href, APP_SECRET: 'tests-'.repeat(8) } });
    direct = { env: { ...app.env, DATABASE_URL: database.url } };
  });
  afterAll(async () => {
    await app?.stop();
    line?.stop();
    await database?.drop();
  });

  /** Every connection; new ones pass. */
  function cut(): void {
    line.become('is dead');
    line.become('passes');
  }

  /** By a connection of its own: one that is kept may be closed just when it is used again. */
  const ask = () => fetch(`${app.origin}/explore`, { headers: { connection: 'close' } });

  const isBack = () => eventually(async () => expect((await ask()).status).toBe(200));

  test('cut in the middle of requests, they are refused and the process goes on', async () => {
    const before = app.pid();
    await whileLocked(direct, ['begin', 'lock table link in access exclusive mode'], async (db) => {
      // On each connection, the first of those that share it waits for the lock.
      const asked = Array.from({ length: 8 * READS_AT_ONCE }, ask);
      await untilWaiting(db, 8);
      cut();
      for (const answer of await Promise.all(asked)) {
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    });
    await isBack();
    // Idle ones are cut as well.
    cut();
    await isBack();
    expect(app.pid()).toBe(before);
    expect(app.output()).not.toMatch(/unhandled|uncaught/i);
  });

  test('swallowing every packet, requests are refused, and succeed when it is back', async () => {
    await isBack();
    line.become('is silent');
    onTestFinished(() => line.become('passes'));
    const asked = Array.from({ length: 12 }, ask);
    for (const answer of await Promise.all(asked)) expect(answer.status).toBe(503);
    line.become('passes');
    await isBack();
  });
});

describe('when PostgreSQL is restarted', () => {
  let cluster: Cluster;
  let app: SpawnedApp;

  beforeAll(async () => {
    const folder = createDataFolder();
    // PostgreSQL, which runs under another account, has its data inside.
    chmodSync(folder, 0o711);
    cluster = await startCluster(join(folder, 'postgres'));
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    await client.query('create database shop');
    await client.end();
    const url = Object.assign(new URL(cluster.url), { pathname: '/shop' }).href;
    app = await spawnApp({ env: { DATABASE_URL: url, APP_SECRET: 'tests-'.repeat(8) } });
  });
  afterAll(async () => {
    await app?.stop();
    await cluster?.stop();
  });

  test('the process lives, and what was paid for at that moment is delivered', async () => {
    const seller = await signUp(app);
    const link = await createLink(seller, {
      type: 'link',
      url: 'https://example.com/',
      price: 1000,
    });
    const buyer = createPerson(app);
    const lock = ['begin', 'lock table ledger_entry in access exclusive mode'];
    const answers: Response[] = [];
    await whileLocked(app, lock, async (db) => {
      await payFor(buyer, link.id);
      await untilWaiting(db, 1);
      await cluster.restart();
      answers.push(await fetch(`${app.origin}/explore`));
    }).catch(() => {});
    await waitUntilUnlocked(buyer, link.id);
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(await readBalance(seller)).toBe(920);
    expect((await askGraphql(buyer, LIST, {}, await publishableKey(app))).errors).toBeUndefined();
  });
});
