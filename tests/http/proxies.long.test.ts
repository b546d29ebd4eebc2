import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  announceUpload,
  createLink,
  graphql,
  sellFile,
  sendBytes,
  signUp,
  storageUrl,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { listBlobs } from '../factories/stored-files.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { skipWithout } from '../harness/needs.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { PROXY_NAMES, type RunningProxy, startProxy } from '../harness/proxies.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { openLivePage, payOnPage, waitForSuccess } from '../journeys/steps.ts';

const MEBIBYTE = 1024 ** 2;
/** Far more than the system keeps for a client that does not read. */
const SIZE = 48 * MEBIBYTE;

/** As people see it. */
const shop = { origin: '' };
let app: SpawnedApp;
let port: number;
let seller: Person;
let large: Awaited<ReturnType<typeof sellFile>>;

beforeAll(async () => {
  app = await spawnApp({ env: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn' } });
  // Before there is a proxy: the local mailbox is for this machine alone.
  const { cookies } = await signUp(app);
  port = await findFreePort();
  shop.origin = `http://localhost:${port}`;
  await app.terminate();
  app.env.PUBLIC_URL = shop.origin;
  await app.start();
  seller = createPerson(shop);
  for (const [name, value] of cookies) seller.cookies.set(name, value);
});
afterAll(async () => void (await app?.stop()));

describe.each(PROXY_NAMES)('behind %s, set up as in deploy/', (name) => {
  let proxy: RunningProxy | null;

  beforeAll(async () => {
    proxy = await startProxy(name, { port, appPort: app.port, dataDir: app.dataDir });
    if (!proxy) return;
    large ??= await sellFile(seller, { name: 'film.bin', size: SIZE });
  });
  afterAll(() => proxy?.stop());

  test('a browser sees a change at once, pays and downloads', async () => {
    if (!proxy) return skipWithout(name);
    const { id, bytes } = await sellFile(seller, { size: 3 * MEBIBYTE });
    const page = await openPage(shop, { context: { acceptDownloads: true } });
    await openLivePage(page, `/p/${id}`);
    await updateLink(seller, { id, title: 'Chapter one' });
    await page.getByRole('heading', { name: 'Chapter one' }).waitFor();
    await page.getByRole('button', { name: 'Unlock Now' }).click();
    await page.waitForURL(/\/sandbox\/checkout\//);
    const downloading = page.waitForEvent('download');
    await payOnPage(page);
    await waitForSuccess(page);
    const stream = await (await downloading).createReadStream();
    expect(Buffer.concat(await stream.toArray())).toEqual(Buffer.from(bytes));
  });

  test('an upload arrives while it is being sent, and a download begins in the middle', async () => {
    if (!proxy) return skipWithout(name);
    const bytes = new Uint8Array(randomBytes(6 * MEBIBYTE));
    const announced = await announceUpload(seller, { name: 'film.bin', size: bytes.length });
    const location = announced.headers.get('location') ?? '';
    const first = await sendBytes(seller, location, bytes.subarray(0, MEBIBYTE));
    expect(first.status).toBe(204);
    const before = await storedBytes();
    const headers = { 'upload-offset': String(MEBIBYTE), 'content-length': String(3 * MEBIBYTE) };
    const unfinished = open(location, { method: 'PATCH', headers: { ...tus(seller), ...headers } });
    unfinished.write(bytes.subarray(MEBIBYTE, 3 * MEBIBYTE));
    await eventually(async () => expect(await storedBytes()).toBeGreaterThan(before));
    // Asked for the state, Padlink ends what it still waits for.
    const state = await seller.fetch(location, { method: 'HEAD', headers: tus(seller) });
    const offset = Number(state.headers.get('upload-offset'));
    unfinished.destroy();
    const rest = await sendBytes(seller, location, bytes.subarray(offset), offset);
    expect(rest.status).toBe(204);

    const key = decodeURIComponent(announced.headers.get('upload-key') ?? '');
    const { buyer, path } = await buy(await createLink(seller, { key }));
    const range = { range: `bytes=${2 * MEBIBYTE}-` };
    const answer = await buyer.fetch(path, { headers: range });
    expect([answer.status, await answer.bytes()]).toEqual([206, bytes.slice(2 * MEBIBYTE)]);
  });

  test('no more of a download is taken than its client reads', async () => {
    if (!proxy) return skipWithout(name);
    const [unread, other] = [await buy(large), await buy(large)];
    const answer = await receive(open(unread.path));
    // As long as this takes, the proxy could take in the other as well.
    expect((await (await other.buyer.fetch(other.path)).bytes()).length).toBe(SIZE);
    answer.destroy();
    await eventually(async () => {
      const query = 'query { listSales { items { delivery { state percent } } } }';
      type Sales = { listSales: { items: { delivery: { state: string; percent: number } }[] } };
      const { items } = (await graphql<Sales>(seller, query)).listSales;
      const [full, partly] = items.map(({ delivery }) => delivery);
      expect([full, partly?.state]).toEqual([{ state: 'delivered', percent: 100 }, 'partly']);
    });
  });

  test('a client is known by its address, whatever it says itself', async () => {
    if (!proxy) return skipWithout(name);
    const before = app.output().length;
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'Wrong-horse-7' });
    const attempt = open('/api/auth/sign-in/email', {
      method: 'POST',
      localAddress: '127.0.0.2',
      headers: {
        origin: shop.origin,
        'content-type': 'application/json',
        'content-length': body.length,
        'x-forwarded-for': '203.0.113.9',
      },
    });
    attempt.write(body);
    expect((await receive(attempt)).statusCode).toBe(401);
    const said = await eventually(() => {
      const line = app
        .output()
        .slice(before)
        .split('\n')
        .find((text) => text.includes('sign-in'));
      if (!line) throw new Error('It is not told.');
      return JSON.parse(line);
    });
    expect(said).toMatchObject({ client: '127.0.0.2', msg: 'a sign-in failed' });
  });
});

/** A request of a client that does as it likes with it. */
function open(path: string, options: RequestOptions = {}): ClientRequest {
  const asked = request(new URL(path, shop.origin), { agent: false, family: 4, ...options });
  // It is broken off, or its answer is not read to the end.
  asked.on('error', () => {});
  asked.flushHeaders();
  return asked;
}

function receive(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve) => {
    asked.once('response', resolve).end();
  });
}

function tus({ cookies, origin }: Person) {
  return {
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    origin,
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
  };
}

/** How much of all files is there. */
async function storedBytes(): Promise<number> {
  const blobs = await listBlobs(app.dataDir);
  const sizes = blobs.map((blob) => statSync(join(app.dataDir, 'blobs', blob)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A new buyer, and where the file is downloaded from. */
async function buy({ id }: { id: string }) {
  const buyer = createPerson(shop);
  await payFor(buyer, id);
  const { key } = await waitUntilUnlocked(buyer, id);
  return { buyer, path: await storageUrl(buyer, key ?? '') };
}
