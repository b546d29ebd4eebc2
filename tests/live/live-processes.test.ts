import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRateLimits } from '../../server/edge/http/rate-limits.ts';
import { createLeases } from '../../server/ground/database/leases.ts';
import { createSharedCounts } from '../../server/ground/database/shared-counts.ts';
import { runSql } from '../errors/run-sql.ts';
import {
  announceUpload,
  createLink,
  publishableKey,
  sellFile,
  sendBytes,
  signUp,
  storageUrl,
  updateLink,
} from '../factories/factories.ts';
import { checkOut, payAt, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { connectLive } from '../harness/live-socket.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const ON_UPDATE = `subscription ($id: ID) {
  onUpdatePaywallLink(id: $id) { price unlocked key }
}`;

describe('two processes on one PostgreSQL', () => {
  const first = useApp({ database: 'postgres' });
  let second: SpawnedApp;
  let seller: Awaited<ReturnType<typeof signUp>>;
  let keys: { 'x-api-key': string };

  beforeAll(async () => {
    const { DATABASE_URL = '', APP_SECRET = '' } = first.env;
    second = await spawnApp({ env: { DATABASE_URL, APP_SECRET, DATA_DIR: first.dataDir } });
    seller = await signUp(first);
    keys = await publishableKey(second);
  });
  afterAll(async () => {
    expect(await second?.stop()).toBe(0);
  });

  const changePrice = (id: string, price: number) => updateLink(seller, { id, price });
  const sellAddress = () => createLink(seller, { type: 'link', url: 'https://example.com/' });

  /** Waits for the newest answer of a subscription. */
  const latest = (socket: Awaited<ReturnType<typeof connectLive>>) =>
    eventually(() => {
      const answer = socket.answers('link').at(-1);
      if (!answer) throw new Error('No answer yet.');
      return answer;
    });

  test('a link changed in one reaches the subscribers of the other', async () => {
    const { id } = await sellAddress();
    const socket = await connectLive(second, { keys });
    await socket.subscribe('link', ON_UPDATE, { id });
    await changePrice(id, 700);
    expect(await latest(socket)).toMatchObject({ price: 700, unlocked: false });
  });

  test('a sale settled in one unlocks the page that is open in the other', async () => {
    const { id, key } = await sellFile(seller);
    const buyer = createPerson(first);
    // The way back settles a sale at once.
    await buyer.fetch(await payFor(buyer, (await sellFile(seller)).id));
    const { cookies } = buyer;
    const socket = await connectLive(second, { origin: second.origin, cookies, keys });
    await socket.subscribe('link', ON_UPDATE, { id });
    await buyer.fetch(await payFor(buyer, id));
    expect(await latest(socket)).toMatchObject({ unlocked: true, key });
  });

  /** The same browser at the other process. */
  function atSecond({ cookies }: Person): Person {
    const person = createPerson(second);
    for (const [name, value] of cookies) person.cookies.set(name, value);
    return person;
  }

  test('what is checked out in one is paid in the other, and settled by the one that leads', async () => {
    const { id } = await sellFile(seller);
    const buyer = createPerson(first);
    const { pathname } = new URL(await checkOut(buyer, id));
    expect((await payAt(atSecond(buyer), pathname)).status).toBe(303);
    // No page is opened meanwhile, which would ask the sandbox itself.
    await eventually(() =>
      withDatabase(first, async (db) => {
        const purchase = db.selectFrom('purchase').where('link_id', '=', id).select('state');
        expect(await purchase.executeTakeFirst()).toEqual({ state: 'settled' });
      }),
    );
  });

  test('an upload begun in one goes on in the other, which waits until the first has let go', async () => {
    const size = 1024 * 1024;
    const bytes = new Uint8Array(randomBytes(size));
    const announced = await announceUpload(seller, { name: 'half.bin', size });
    const location = announced.headers.get('location') ?? '';
    const body = new ReadableStream({ start: (way) => way.enqueue(bytes.subarray(0, size / 2)) });
    const headers = { 'tus-resumable': '1.0.0' };
    const cut = seller
      .fetch(location, {
        method: 'PATCH',
        body,
        duplex: 'half',
        headers: {
          ...headers,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
        },
      })
      .catch((error: unknown) => error);
    const isHeld = () =>
      withDatabase(first, (db) =>
        db.selectFrom('lease').where('name', 'like', 'upload %').select('name').executeTakeFirst(),
      );
    await eventually(async () => expect(await isHeld()).toBeDefined());
    const elsewhere = atSecond(seller);
    const state = await elsewhere.fetch(location, { method: 'HEAD', headers });
    const offset = Number(state.headers.get('upload-offset'));
    expect(await cut).toBeInstanceOf(Error);
    const rest = await sendBytes(elsewhere, location, bytes.subarray(offset), offset);
    expect(rest.status).toBe(204);
    // It is let go when the answer has been given.
    await eventually(async () => expect(await isHeld()).toBeUndefined());
    const key = decodeURIComponent(announced.headers.get('upload-key') ?? '');
    await createLink(seller, { key });
    const sold = await fetch(await storageUrl(seller, key));
    expect(Buffer.from(await sold.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('one that cannot reach the sandbox of the others does not start, and says why', {
    tags: 'long',
  }, async () => {
    const { DATABASE_URL = '', APP_SECRET = '' } = first.env;
    await runSql(first, "update lease set place = '/not/here' where name = 'sandbox'");
    const env = { DATABASE_URL, APP_SECRET, DATA_DIR: first.dataDir };
    await expect(spawnApp({ env })).rejects.toThrow(
      'The payment sandbox of this database is in /not/here',
    );
    await runSql(first, `update lease set place = '${first.dataDir}' where name = 'sandbox'`);
  });

  test('what is given back costs nothing, however often it is taken', async () => {
    await withDatabase(first, async (db) => {
      const onFault = expect.unreachable;
      const counts = createSharedCounts({ db, now: Date.now, onFault });
      const limits = createRateLimits(Date.now, counts);
      // Most of the time something is taken, so that it is brought together in between.
      for (let times = 1; times <= 40; times += 1) {
        const giveBack = await limits.take('codesSent', 'somebody');
        await sleep(20);
        giveBack();
      }
      for (let left = 5; left > 0; left -= 1) await limits.take('codesSent', 'somebody');
      await expect(limits.take('codesSent', 'somebody')).rejects.toThrow('Too many attempts');
      await counts.close();
    });
  });

  test('what was taken before its time ended is no part of what is taken after it', async () => {
    await withDatabase(first, async (db) => {
      let ahead = 0;
      const now = () => Date.now() + ahead;
      const counts = createSharedCounts({ db, now, onFault: expect.unreachable });
      const limits = createRateLimits(now, counts);
      for (let round = 1; round <= 2; round += 1) {
        for (let left = 3; left > 0; left -= 1) await limits.take('accessCodesSent', 'a purchase');
        ahead += 600_000;
      }
      for (let left = 3; left > 0; left -= 1) {
        await limits.take('accessCodesSent', 'a purchase');
        await counts.close();
      }
      const taken = limits.take('accessCodesSent', 'a purchase');
      await expect(taken).rejects.toThrow('Too many attempts');
    });
  });

  test('guesses at a password are counted together', async () => {
    const guess = async (app: { origin: string }) => {
      const credentials = { email: seller.email, password: 'Wrong-horse-8' };
      return (await postJson(createPerson(app), '/api/auth/sign-in/email', credentials)).status;
    };
    const counted = (taken: number) =>
      eventually(() =>
        withDatabase(first, async (db) => {
          const count = db
            .selectFrom('shared_count')
            .where('name', 'like', 'passwordFailures 60 %');
          expect(await count.select('taken').executeTakeFirst()).toEqual({ taken });
        }),
      );
    for (let guesses = 1; guesses <= 4; guesses += 1) expect(await guess(first)).toBe(401);
    await counted(4);
    expect(await guess(second)).toBe(401);
    await counted(5);
    expect(await guess(second)).toBe(429);
  });

  test('what is done every hour is done by one of them', async () => {
    await withDatabase(first, async (db) => {
      const { turn } = createLeases(db, () => {});
      const turns = await Promise.all(Array.from({ length: 5 }, () => turn('a test', 60_000)));
      expect(turns.filter(Boolean)).toHaveLength(1);
      await runSql(first, "update lease set expires_at = now() where name = 'a test'");
      expect(await turn('a test', 60_000)).toBe(true);
    });
  });

  test('a lost line between them ends the live connections, which come again, and is mended', {
    tags: 'long',
  }, async () => {
    const { id } = await sellAddress();
    const before = await connectLive(second, { keys });
    await before.subscribe('link', ON_UPDATE, { id });
    await cutListeners(first.env.DATABASE_URL ?? '');
    expect(await before.closed).toBe(1012);
    const after = await connectLive(second, { keys });
    await after.subscribe('link', ON_UPDATE, { id });
    await eventually(async () => {
      await changePrice(id, 900);
      if (after.answers('link').length === 0) throw new Error('Not heard.');
    });
    expect(await latest(after)).toMatchObject({ price: 900 });
  });
});

/** Ends the connections by which the processes listen to each other. */
async function cutListeners(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where query like 'listen %' and datname = current_database()`,
    );
    expect(rowCount).toBe(2);
  } finally {
    await client.end();
  }
}
