import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  announceUpload,
  createLink,
  graphql,
  publishableKey,
  sendBytes,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { eventually, whileAlive } from '../harness/eventually.ts';
import { findProgram } from '../harness/find-program.ts';
import { findFreePort } from '../harness/free-port.ts';
import { connectLive } from '../harness/live-socket.ts';
import { skipWithout } from '../harness/needs.ts';
import { createPersonAt, type Person } from '../harness/person.ts';
import { startPair } from '../harness/postgres-cluster.ts';
import { runCli } from '../harness/run-command.ts';
import { createDataFolder, runFolder } from '../harness/run-folder.ts';
import { createBucket, needS3, s3Settings } from '../harness/s3.ts';
import { prepareApp, type SpawnedApp } from '../harness/spawn-app.ts';
import { withDatabase } from '../harness/with-database.ts';

/** Purchases, each with its download, that are in flight all the time; 50 take some minutes. */
const BUYERS = Number(process.env.PADLINK_MANY_PURCHASES ?? 2);
const UPLOADERS = Math.ceil(BUYERS / 4);
/** After each, so that the machine is not what is tested. An account may begin 60 uploads a minute. */
const BETWEEN_MS = 1_000;
const SOLD = 128 * 1024;
/** Far more than the system keeps for a client that does not read. */
const LARGE = 48 * 1024 ** 2;
const PIECE = 64 * 1024;
const PIECES = 4;
const SERVICE_KEY = 'service-'.repeat(5);

const haproxy = findProgram('haproxy');

describe('three processes behind HAProxy, on PostgreSQL with a standby and S3', () => {
  needS3();
  let apps: SpawnedApp[] = [];
  let proxy: ChildProcess | undefined;
  let pair: Awaited<ReturnType<typeof startPair>> | undefined;
  let origin: string;
  let seller: Person;

  beforeAll(async () => {
    const bucket = await createBucket();
    if (!haproxy || !bucket) return;
    const name = `pair-${randomBytes(4).toString('hex')}`;
    pair = await startPair(join(runFolder(), name), join(runFolder(), `${name}-standby`));
    const port = await findFreePort();
    origin = `http://localhost:${port}`;
    const dataDir = createDataFolder();
    const [primary, standby] = [pair.primary, pair.standby].map(({ url }) => new URL(url).host);
    const env = {
      ...s3Settings(bucket),
      S3_DELIVERY: 'proxy',
      DATABASE_URL: `postgres://padlink@${primary},${standby}/postgres?target_session_attrs=read-write`,
      APP_SECRET: 'tests-'.repeat(8),
      PUBLIC_URL: origin,
      DATA_DIR: dataDir,
      TRUSTED_PROXIES: '127.0.0.1',
      // As the recipe says: HAProxy has to notice in this time that a process is leaving.
      SHUTDOWN_DELAY_SECONDS: '5',
      SERVICE_KEY,
      PAYOUTS: 'manual',
    };
    apps = await Promise.all([1, 2, 3].map(() => prepareApp({ env, empty: true })));
    await Promise.all(apps.map((app) => app.start()));
    proxy = await startProxy(dataDir, port);
    seller = await signUp({ origin });
  });
  afterAll(async () => {
    proxy?.kill();
    await Promise.all(apps.map((app) => app.stop()));
    await pair?.standby.stop();
    await pair?.primary.kill();
  });

  /** The recipe, with the addresses of this test, and looking more often. */
  async function startProxy(folder: string, port: number): Promise<ChildProcess> {
    const recipe = readFileSync(join(import.meta.dirname, '../../deploy/haproxy-many.cfg'), 'utf8');
    const config = join(folder, 'haproxy.cfg');
    writeFileSync(
      config,
      recipe
        .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
        .replaceAll(/10\.0\.0\.(\d):3000/g, (_, nth) => `127.0.0.1:${apps[nth - 1]?.port}`)
        .replace('inter 1s', 'inter 200ms')
        // The local mailbox is for who comes without a proxy.
        .replace('option forwardfor', 'option forwardfor except 127.0.0.1'),
    );
    const child = spawn(String(haproxy), ['-f', config, '-db', '-q'], { stdio: 'inherit' });
    await whileAlive(child, async () => expect((await fetch(`${origin}/readyz`)).status).toBe(200));
    return child;
  }

  /** Sells and stores without a pause until it is stopped. */
  function openShop(link: { id: string; bytes: Uint8Array }) {
    const faults: string[] = [];
    const done = { purchases: 0, uploads: 0 };
    let open = true;
    /** Whether a person presses again what did not work: for as long as something is broken. */
    let isPatient = false;

    async function step<Result>(work: () => Promise<Result>): Promise<Result> {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!isPatient) throw error;
          await sleep(200);
        }
      }
    }

    async function buy(): Promise<void> {
      const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
      const buyer = createPersonAt({ origin }, address);
      const url = await step(() => checkOut(buyer, link.id));
      await step(async () => expect((await payAt(buyer, url)).status).toBe(303));
      await step(() => waitUntilUnlocked(buyer, link.id));
      await step(async () => {
        const content = await buyer.fetch(`/p/${link.id}/content`);
        const file = await buyer.fetch(content.headers.get('location') ?? '');
        expect(Buffer.from(await file.arrayBuffer()).equals(link.bytes)).toBe(true);
      });
      done.purchases += 1;
    }

    async function upload(person: Person): Promise<void> {
      const bytes = new Uint8Array(randomBytes(PIECE * PIECES));
      const headers = { 'tus-resumable': '1.0.0' };
      const { location, key } = await step(async () => {
        const answer = await announceUpload(person, { name: 'a.bin', size: bytes.length });
        expect(answer.status).toBe(201);
        const { headers: given } = answer;
        return { location: given.get('location') ?? '', key: given.get('upload-key') ?? '' };
      });
      for (let offset = 0; offset < bytes.length; ) {
        const piece = bytes.subarray(offset, offset + PIECE);
        offset = await step(async () => {
          const state = await person.fetch(location, { method: 'HEAD', headers });
          const at = Number(state.headers.get('upload-offset') ?? Number.NaN);
          if (at > offset) return at;
          expect((await sendBytes(person, location, piece, offset)).status).toBe(204);
          return offset + piece.length;
        });
      }
      const url = await step(() => storageUrl(person, decodeURIComponent(key)));
      await step(async () => {
        const stored = await (await person.fetch(url)).arrayBuffer();
        expect(Buffer.from(stored).equals(bytes)).toBe(true);
      });
      done.uploads += 1;
    }

    async function repeat(work: () => Promise<void>): Promise<void> {
      while (open) {
        await work().catch((error: unknown) => faults.push(String(error)));
        await sleep(BETWEEN_MS);
      }
    }

    const running = [
      ...Array.from({ length: BUYERS }, () => repeat(buy)),
      ...Array.from({ length: UPLOADERS }, async () => {
        const person = await signUp({ origin });
        await repeat(() => upload(person));
      }),
    ];
    return {
      done,
      faults,
      buy,
      becomePatient() {
        isPatient = true;
      },
      async untilMoreIsSold(): Promise<void> {
        const wanted = done.purchases + BUYERS;
        await eventually(() => expect(done.purchases).toBeGreaterThanOrEqual(wanted));
      },
      async close() {
        open = false;
        await Promise.all(running);
      },
    };
  }

  test('sell on while each is restarted, one is killed and the database fails over', async () => {
    if (!haproxy) return skipWithout('haproxy');
    const bytes = new Uint8Array(randomBytes(SOLD));
    const { key } = await uploadFile(seller, { name: 'sold.bin', bytes });
    const { id } = await createLink(seller, { key });
    const shop = openShop({ id, bytes });
    onTestFinished(() => shop.close());
    await shop.untilMoreIsSold();
    for (const app of apps) {
      expect(await app.terminate()).toBe(0);
      await app.start();
      await shop.untilMoreIsSold();
    }
    expect(shop.faults).toEqual([]);
    const { purchases } = shop.done;
    shop.becomePatient();

    await apps[0]?.kill();
    await shop.untilMoreIsSold();
    await apps[0]?.start();

    await pair?.primary.kill();
    const failedAt = performance.now();
    await pair?.standby.promote();
    await shop.buy();
    const away = performance.now() - failedAt;
    await shop.untilMoreIsSold();
    await shop.close();
    expect(shop.faults).toEqual([]);
    // The proxy leaves out whoever has ended, or has not found the new primary yet.
    for (const app of apps) await app.untilReady();

    const [app] = apps as [SpawnedApp];
    await withDatabase(app, async (db) => {
      const settled = await db
        .selectFrom('purchase')
        .leftJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
        .where('settled_at', 'is not', null)
        .select(['purchase.id', 'access_grant.state'])
        .execute();
      expect(new Set(settled.map((one) => one.id)).size).toBe(settled.length);
      expect(new Set(settled.map(({ state }) => state))).toEqual(new Set(['active']));
      expect(settled.length).toBeGreaterThanOrEqual(shop.done.purchases);
    });
    // What was told to the process that was killed may still be on its way.
    await eventually(async () =>
      expect(await runCli(app.env, 'ledger', 'check')).toMatchObject({ status: 0 }),
    );
    expect(await runCli(app.env, 'reconcile')).toMatchObject({ status: 0 });
    expect(await runCli(app.env, 'storage', 'verify')).toMatchObject({ status: 0 });
    console.log(
      `${shop.done.purchases} purchases and ${shop.done.uploads} uploads, ${purchases} purchases of them by the end of the rolling restart; ${Math.round(away)} ms from the end of the primary to the end of a purchase.`,
    );
  });

  test('a take-down at one ends the download that runs at another', async () => {
    if (!haproxy) return skipWithout('haproxy');
    const bytes = new Uint8Array(randomBytes(LARGE));
    const { key } = await uploadFile(seller, { name: 'film.bin', bytes });
    const { id } = await createLink(seller, { key });
    const url = new URL(await storageUrl(seller, key), origin);
    const [first, second] = apps.map(({ port }) => ({ origin: `http://127.0.0.1:${port}` }));
    if (!first || !second) throw new Error('There are not three.');
    const headers = { host: url.host };
    const path = new URL(url.pathname, second.origin);
    const [response] = (await once(get(path, { headers, agent: false }), 'response')) as [
      IncomingMessage,
    ];
    expect(response.pause().statusCode).toBe(200);
    const live = await connectLive(second, { keys: await publishableKey({ origin }) });
    const onUpdate = 'subscription ($id: ID) { onUpdatePaywallLink(id: $id) { hold } }';
    await live.subscribe('page', onUpdate, { id });
    const begun = performance.now();
    const takenDown = await graphql<{ takeDownLink: string }>(
      createPersonAt(first, '10.0.0.1'),
      'mutation ($id: ID!) { takeDownLink(id: $id, reason: "fraud", words: "It is not what it says.") }',
      { id },
      { 'x-api-key': SERVICE_KEY, origin },
    );
    expect(takenDown).toEqual({ takeDownLink: id });
    await eventually(() => expect(live.answers('page')).toHaveLength(1));
    console.log(`The other process knew ${Math.round(performance.now() - begun)} ms later.`);
    let received = 0;
    try {
      for await (const chunk of response) received += (chunk as Buffer).length;
    } catch {
      // It was cut.
    }
    expect(received).toBeLessThan(LARGE);
    expect((await fetch(url)).status).toBe(403);
  });
});
