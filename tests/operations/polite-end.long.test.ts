import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  announceUpload,
  createLink,
  publishableKey,
  sellFile,
  sendBytes,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payAt, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { startFaultyLine } from '../harness/faulty-line.ts';
import { findFreePort } from '../harness/free-port.ts';
import { connectLive } from '../harness/live-socket.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { createDatabase } from '../harness/postgres.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { startApp } from '../harness/start-app.ts';
import type { AppOptions } from '../harness/test-environment.ts';
import { withDatabase } from '../harness/with-database.ts';

/** More than the system's buffers take of an answer that nobody reads. */
const SIZE = 16 * 1024 * 1024;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function spawn(options: AppOptions): Promise<SpawnedApp> {
  const app = await spawnApp(options);
  onTestFinished(async () => {
    await app.kill();
    await app.stop();
  });
  return app;
}

/** A connection of its own. */
async function dial(app: SpawnedApp): Promise<Socket> {
  const socket = connect(app.port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Waits until nobody new is let in. */
async function untilClosed(app: SpawnedApp): Promise<void> {
  await eventually(async () => {
    const error = await dial(app).then(
      (socket) => socket.destroy() && null,
      (refusal: NodeJS.ErrnoException) => refusal,
    );
    if (error?.code !== 'ECONNREFUSED') throw new Error('It still listens.');
  });
}

/** Begins to download on a connection of its own; nothing of the body is read yet. */
async function beginDownload(url: string): Promise<IncomingMessage> {
  const [response] = await once(get(url, { agent: false }), 'response');
  // That it was cut is seen by what has come.
  return response.on('error', () => {});
}

/** Sells a large file. Returns the buyer's download address. */
async function buyLargeFile(app: SpawnedApp, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const seller = await signUp(app);
  const { key } = await uploadFile(seller, { name: 'large.bin', bytes });
  const { id } = await createLink(seller, { key });
  const buyer = createPerson(app);
  await payFor(buyer, id);
  await waitUntilUnlocked(buyer, id);
  return storageUrl(buyer, key);
}

/** Sends the first bytes of an upload and then nothing more. Returns what it was answered. */
async function beginUpload(seller: Person, location: string, bytes: Uint8Array<ArrayBuffer>) {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(bytes) });
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  };
  return seller
    .fetch(location, { method: 'PATCH', headers, body, duplex: 'half' })
    .catch((error: unknown) => error);
}

async function offsetOf(seller: Person, location: string): Promise<number> {
  const headers = { 'tus-resumable': '1.0.0' };
  const state = await seller.fetch(location, { method: 'HEAD', headers });
  return Number(state.headers.get('upload-offset'));
}

test('a polite end begins by saying that it is not ready, and goes on serving for as long as it is told to', async () => {
  const app = await spawn({ env: { SHUTDOWN_DELAY_SECONDS: '10' } });
  const exited = app.terminate();
  await eventually(async () => {
    const readiness = await fetch(`${app.origin}/readyz`);
    expect([readiness.status, (await readiness.json()).status]).toEqual([503, 'draining']);
  });
  const answer = await fetch(`${app.origin}/config.json`);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'keep-alive']);
  expect(await exited).toBe(0);
});

describeOnSqliteFirst('a polite end', (database) => {
  test('answers every request that had begun, and keeps no connection', async () => {
    const app = await spawn({ database, env: { LOG_LEVEL: 'warn' } });
    const live = await connectLive(app, { keys: await publishableKey(app) });
    const idle = await dial(app);
    idle.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await once(idle, 'data');
    const begun = await Promise.all(Array.from({ length: 100 }, () => dial(app)));
    for (const [number, socket] of begun.entries()) {
      const path = number === 0 ? '/readyz' : '/config.json';
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost:${app.port}\r\n`);
    }
    const unseen = await Promise.all(Array.from({ length: 20 }, () => dial(app)));
    const exited = app.terminate();
    // Sent just before the listener closes: they may still wait to be accepted.
    for (const socket of unseen) {
      socket.write(`GET /config.json HTTP/1.1\r\nhost: localhost:${app.port}\r\n\r\n`);
    }
    // Closed with the listener. To ask first whether that refuses takes a busy machine longer than
    // requests may take to end.
    await (idle.closed || once(idle, 'close'));
    for (const socket of begun) socket.write('\r\n');
    const [readiness, ...answers] = await Promise.all(begun.map(text));
    expect(readiness).toMatch(/^HTTP\/1.1 503 .*"status":"draining"/s);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
    for (const answer of await Promise.all(unseen.map(text))) {
      expect(answer).toMatch(/^HTTP\/1.1 200 /);
    }
    await untilClosed(app);
    expect(await live.closed).toBe(1001);
    expect(await exited).toBe(0);
    expect(app.output()).not.toContain('did not close in time');
  });

  test('lets downloads end for a while, then cuts them, and records both; an upload goes on later', async () => {
    const app = await spawn({ database });
    const bytes = randomBytes(SIZE);
    const url = await buyLargeFile(app, bytes);
    const seller = await signUp(app);
    const announced = await announceUpload(seller, { name: 'half.bin', size: SIZE });
    const location = announced.headers.get('location') ?? '';
    const half = bytes.subarray(0, SIZE / 2);
    const upload = beginUpload(seller, location, half);
    const blob = join(app.dataDir, 'blobs', location.slice('/uploads/'.length));
    await eventually(async () => expect((await stat(blob)).size).toBe(half.length));
    const live = await connectLive(app, { keys: await publishableKey(app) });
    const [finished, stuck] = [await beginDownload(url), await beginDownload(url)];

    const exited = app.terminate();
    await untilClosed(app);
    expect(await live.closed).toBe(1001);
    expect(sha256(Buffer.concat(await finished.toArray()))).toBe(sha256(bytes));
    expect(await exited).toBe(0);
    stuck.resume();
    await eventually(() => expect(stuck.closed).toBe(true));
    expect(await upload).toBeInstanceOf(Error);

    const deliveries = await withDatabase(app, (db) =>
      db.selectFrom('delivery').selectAll().orderBy('outcome').execute(),
    );
    expect(deliveries).toMatchObject([
      { outcome: 'broken', bytes_sent: expect.toSatisfy((sent) => sent > 0 && sent < SIZE) },
      { outcome: 'delivered', bytes_sent: SIZE },
    ]);
    await app.start();
    expect(await offsetOf(seller, location)).toBe(half.length);
    const rest = bytes.subarray(half.length);
    expect((await sendBytes(seller, location, rest, half.length)).status).toBe(204);
  });

  test('is at once for who asks twice', async () => {
    const app = await spawn({ database });
    await beginDownload(await buyLargeFile(app, randomBytes(SIZE)));
    const exited = app.terminate();
    await untilClosed(app);
    await app.terminate();
    // The first signal alone ends with 0, once the download was cut.
    expect(await exited).toBe(1);
  });
});

describe('a polite end does not wait', () => {
  async function startLine(target: { host: string; port: number }) {
    const line = await startFaultyLine(target);
    onTestFinished(() => line.stop());
    return line;
  }

  test('for a silent mail server', async () => {
    const taken = Promise.withResolvers<void>();
    const mail = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      // It takes the mail and never says so.
      onData(stream) {
        stream.resume();
        taken.resolve();
      },
    });
    onTestFinished(() => void mail.close());
    await once(mail.listen(0, '127.0.0.1'), 'listening');
    const { port } = mail.server.address() as AddressInfo;
    const app = await spawn({});
    const { id } = await sellFile(await signUp(app));
    await app.terminate();
    Object.assign(app.env, {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'shop@example.com',
    });
    await app.start();
    await payFor(createPerson(app), id);
    await taken.promise;
    expect(await app.terminate()).toBe(0);
  });

  test('for a silent provider', async () => {
    const sandboxPort = await findFreePort();
    const line = await startLine({ host: '127.0.0.1', port: sandboxPort });
    const app = await startApp({
      env: { SANDBOX_PORT: String(sandboxPort) },
      overrides: { providerUrl: `http://127.0.0.1:${line.port}` },
    });
    const { id } = await sellFile(await signUp(app));
    const buyer = createPerson(app);
    const checkout = await checkOut(buyer, id);
    line.become('is silent');
    await payAt(buyer, checkout);
    await eventually(() => expect(line.unanswered()).toBeGreaterThan(0));
    await app.stop();
    expect(line.unanswered()).toBeGreaterThan(0);
  });

  test('for a silent database', async () => {
    const { url, drop } = await createDatabase();
    onTestFinished(drop);
    const { hostname: host, port } = new URL(url);
    const line = await startLine({ host, port: Number(port) });
    const app = await spawn({
      env: {
        DATABASE_URL: Object.assign(new URL(url), { port: String(line.port) }).href,
        APP_SECRET: 'tests-'.repeat(8),
      },
    });
    line.become('is silent');
    // The worker looks for jobs every second.
    await eventually(() => expect(line.unanswered()).toBeGreaterThan(0));
    expect(await app.terminate()).toBe(0);
  });
});
