import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../tests/harness/eventually.ts';
import { sendBlob } from '../../files/send-blob.ts';
import {
  connectionsInAll,
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_OF_ADDRESS,
  MAX_PIPELINED_REQUESTS,
  STALLED_DOWNLOAD_MS,
  STALLED_MS,
} from './guard-connections.ts';
import { createServer } from './server.ts';

const MEBIBYTE = 1024 ** 2;
/** More than the system takes over by itself. */
const LARGE = 32 * MEBIBYTE;
/** Routes whose answers may be as large (answer-bounds.ts). */
const LARGE_ROUTE = '/sitemap/links.xml';
const STREAMED_ROUTE = '/dashboard/sales.csv';
/** What a slow reader takes at once. The system tells of it in larger steps. */
const STEP = MEBIBYTE;
/** Milliseconds. */
const STALLED = 60;

/** The product's server with routes of the test, and what it logged. */
async function startServer(trustedProxies: string[] = [], stalledMs = STALLED) {
  const logged: { client?: string; msg: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(JSON.parse(line)) });
  const app = await createServer({
    publicUrl: 'http://pay.example.com',
    trustedProxies,
    log,
    stalledMs,
  });
  onTestFinished(() => app.close());
  const listen = async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    return (app.server.address() as AddressInfo).port;
  };
  return { app, logged, listen };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: pay.example.com\r\n\r\n`;

/** A connection that reads nothing unless it is told to. */
function open(port: number, from = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.pause();
  socket.on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

const openConnections = (app: FastifyInstance) =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));

describe('an answer that nobody reads', () => {
  async function startWithRoutes() {
    const server = await startServer();
    const { app } = server;
    app.get(LARGE_ROUTE, async () => Buffer.alloc(LARGE));
    app.get('/small', async () => Buffer.alloc(MEBIBYTE / 2));
    app.get(STREAMED_ROUTE, async () => Readable.from(blocks()));
    app.post(LARGE_ROUTE, async (_request, reply) => reply.status(400).send(Buffer.alloc(LARGE)));
    return { ...server, port: await server.listen() };
  }

  function* blocks() {
    for (let sent = 0; sent < LARGE; sent += MEBIBYTE) yield Buffer.alloc(MEBIBYTE);
  }

  test.each([
    ['large', get(LARGE_ROUTE)],
    ['streamed', get(STREAMED_ROUTE)],
    ['many small ones of one packet', get('/small').repeat(MAX_PIPELINED_REQUESTS)],
    ['to a body that is still on its way', get(LARGE_ROUTE).replace('GET', 'POST')],
  ])('ends its connection: %s', async (_what, requests) => {
    const { app, port } = await startWithRoutes();
    open(port).write(requests);
    await eventually(async () => expect(await openConnections(app)).toBe(1));
    await eventually(async () => expect(await openConnections(app)).toBe(0));
  });

  test('ends its connection also while its reader goes on sending', async () => {
    const { app, port } = await startWithRoutes();
    const socket = open(port);
    socket.write(get(LARGE_ROUTE));
    await eventually(async () => expect(await openConnections(app)).toBe(1));
    const sending = setInterval(() => socket.write('\r\n'), 5);
    onTestFinished(() => clearInterval(sending));
    await eventually(async () => expect(await openConnections(app)).toBe(0));
  });
});

test('a reader that is slow but goes on gets its answer to the end', async () => {
  // Long enough for a busy machine, and a fraction of what this reader takes.
  const stalledMs = 20 * STALLED;
  const { app, listen } = await startServer([], stalledMs);
  app.get(LARGE_ROUTE, async () => Buffer.alloc(LARGE));
  const socket = open(await listen());
  socket.write(get(LARGE_ROUTE));
  let received = 0;
  for await (const chunk of socket) {
    const steps = Math.floor(received / STEP);
    received += chunk.length;
    if (received > LARGE) break;
    if (Math.floor(received / STEP) > steps) await sleep(stalledMs / 10);
  }
  expect(received).toBeGreaterThan(LARGE);
});

test('a download may stand still for longer, and ends as well', async () => {
  const { app, listen } = await startServer();
  const ended: string[] = [];
  const blob = {
    blob: 'a'.repeat(32),
    async open() {
      return { read: async (_buffer: Uint8Array, length: number) => length, async close() {} };
    },
    size: LARGE,
    name: 'a.txt',
    isShown: false,
    mediaType: 'text/plain',
    etag: '"a"',
    lastModified: 0,
    accel: null,
    direct: null,
  };
  app.get('/blob', (request, reply) =>
    sendBlob(request, reply, blob, ({ outcome }) => {
      ended.push(`a download: ${outcome}`);
    }),
  );
  app.get(LARGE_ROUTE, async (_request, reply) => {
    reply.raw.once('close', () => ended.push('a page'));
    return Buffer.alloc(LARGE);
  });
  const port = await listen();
  open(port).write(get('/blob'));
  for (const pages of [1, 2]) {
    open(port).write(get(LARGE_ROUTE));
    await eventually(() => expect(ended.length).toBeGreaterThanOrEqual(pages));
  }
  await eventually(() => expect(ended).toEqual(['a page', 'a page', 'a download: broken']));
});

test('a connection whose answer takes its time is left alone', async () => {
  const { app, listen } = await startServer();
  let answer = () => {};
  app.get('/late', (_request, reply) => {
    answer = () => reply.send('at last');
  });
  const socket = open(await listen());
  socket.write(get('/late'));
  await sleep(10 * STALLED);
  answer();
  const [chunk] = await once(socket.resume(), 'data');
  expect(String(chunk)).toContain('at last');
});

test('a connection has so many requests under way, and ends with one more before any further begins', async () => {
  const { app, listen } = await startServer();
  let begun = 0;
  app.get('/late', () => {
    begun += 1;
  });
  const port = await listen();
  const full = open(port);
  full.write(get('/late').repeat(MAX_PIPELINED_REQUESTS));
  await eventually(() => expect(begun).toBe(MAX_PIPELINED_REQUESTS));
  const overfull = open(port).resume();
  overfull.write(get('/late').repeat(10 * MAX_PIPELINED_REQUESTS));
  await once(overfull, 'close');
  expect(begun).toBe(2 * MAX_PIPELINED_REQUESTS);
  expect(full.closed).toBe(false);
});

test('requests that were answered make room for others on their connection', async () => {
  const { app, listen } = await startServer();
  app.get('/', async () => 'answered');
  const socket = open(await listen()).resume();
  for (let sent = 0; sent < 2 * MAX_PIPELINED_REQUESTS; sent += 1) {
    socket.write(get('/'));
    const [chunk] = await once(socket, 'data');
    expect(String(chunk)).toContain('answered');
  }
});

describe('an address', () => {
  async function fill(port: number): Promise<Socket[]> {
    const sockets = Array.from({ length: MAX_CONNECTIONS_OF_ADDRESS }, () => open(port));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return sockets;
  }

  async function isAnswered(port: number, from?: string): Promise<boolean> {
    const socket = open(port, from);
    socket.write(get('/'));
    return Promise.race([
      once(socket, 'readable').then(() => socket.read() !== null),
      once(socket, 'close').then(() => false),
    ]);
  }

  test('holds so many connections; more are closed at once, and the log says whose', async () => {
    const { app, logged, listen } = await startServer();
    const port = await listen();
    const [first] = await fill(port);
    await eventually(async () =>
      expect(await openConnections(app)).toBe(MAX_CONNECTIONS_OF_ADDRESS),
    );
    expect(await isAnswered(port)).toBe(false);
    expect(await isAnswered(port, '127.0.0.2')).toBe(true);
    expect(logged).toEqual([
      expect.objectContaining({
        client: '127.0.0.1',
        msg: expect.stringContaining('TRUSTED_PROXIES'),
      }),
    ]);
    first?.destroy();
    await eventually(async () => expect(await isAnswered(port)).toBe(true));
  });

  test('of a trusted proxy holds as many as its people need', async () => {
    const { listen } = await startServer(['127.0.0.0/8']);
    const port = await listen();
    await fill(port);
    expect(await isAnswered(port)).toBe(true);
  });

  test('of IPv6 is one with all others of its network', async () => {
    const { app } = await startServer();
    const arrive = (remoteAddress: string) => {
      const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
      app.server.emit('connection', Object.assign(connection, { remoteAddress }));
      return connection;
    };
    for (let host = 1; host <= MAX_CONNECTIONS_OF_ADDRESS; host += 1) {
      expect(arrive(`2001:db8::${host.toString(16)}`).destroyed).toBe(false);
    }
    expect(arrive('2001:db8::ffff').destroyed).toBe(true);
    expect(arrive('2001:db8:0:1::1').destroyed).toBe(false);
  });
});

test('a reader has half a minute, or five minutes of a download, and a school room for its connections', () => {
  expect([STALLED_MS, STALLED_DOWNLOAD_MS]).toEqual([30_000, 300_000]);
  expect([MAX_CONNECTIONS_OF_ADDRESS, MAX_PIPELINED_REQUESTS]).toEqual([1_024, 16]);
});

test('all connections together leave files for the rest of the product', async () => {
  expect(connectionsInAll(1_024)).toBe(384);
  expect(connectionsInAll(65_536)).toBe(MAX_CONNECTIONS);
  expect(connectionsInAll(Number.POSITIVE_INFINITY)).toBe(MAX_CONNECTIONS);
  const { app, logged, listen } = await startServer();
  expect(app.server.maxConnections).toBeLessThanOrEqual(MAX_CONNECTIONS);
  app.server.maxConnections = 1;
  const port = await listen();
  await once(open(port), 'connect');
  await once(open(port).resume(), 'close');
  expect(logged).toEqual([
    expect.objectContaining({
      client: '127.0.0.1',
      msg: expect.stringContaining('no more connections'),
    }),
  ]);
});

test('what came on a connection that was reset before it was accepted is not answered', async () => {
  const { app, listen } = await startServer();
  let answered = 0;
  app.get('/', () => {
    answered += 1;
    return 'done';
  });
  const port = await listen();
  const accepted = once(app.server, 'connection');
  // Meanwhile, nothing is accepted.
  const client = `
    const socket = require('node:net').connect(${port}, '127.0.0.1', () => {
      socket.write(${JSON.stringify(get('/'))}, () => socket.resetAndDestroy());
    });`;
  execFileSync(process.execPath, ['-e', client]);
  const [socket] = await accepted;
  await expect.poll(() => socket.destroyed).toBe(true);
  expect(answered).toBe(0);
  const next = open(port).resume();
  next.write(get('/'));
  await once(next, 'data');
  expect(answered).toBe(1);
});
