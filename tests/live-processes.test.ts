import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLink, publishableKey, sellFile, signUp, updateLink } from './factories.ts';
import { eventually } from './harness/eventually.ts';
import { connectLive } from './live-socket.ts';
import { payFor } from './payment.ts';
import { createPerson, type Person } from './person.ts';
import { type SpawnedApp, spawnApp } from './spawn-app.ts';
import { useApp } from './use-app.ts';

const ON_UPDATE = `subscription ($id: ID) {
  onUpdatePaywallLink(id: $id) { price unlocked key }
}`;

describe('two processes on one PostgreSQL', () => {
  const first = useApp({ database: 'postgres' });
  let second: SpawnedApp;
  let seller: Person;
  let keys: { 'x-api-key': string };

  beforeAll(async () => {
    const { DATABASE_URL = '', APP_SECRET = '' } = first.env;
    second = await spawnApp({ env: { DATABASE_URL, APP_SECRET } });
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
    // Each process has a sandbox of its own: the way back settles a sale where it was paid.
    await buyer.fetch(await payFor(buyer, (await sellFile(seller)).id));
    const { cookies } = buyer;
    const socket = await connectLive(second, { origin: second.origin, cookies, keys });
    await socket.subscribe('link', ON_UPDATE, { id });
    await buyer.fetch(await payFor(buyer, id));
    expect(await latest(socket)).toMatchObject({ unlocked: true, key });
  });

  test('a lost line between them ends the live connections, which come again, and is mended', async () => {
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
