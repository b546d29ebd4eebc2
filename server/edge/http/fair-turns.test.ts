import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createServer } from './server.ts';
import type { Answer } from './tell-answers.ts';

const HOST = 'pay.example.com';
const LAST = 'Connection: close';
/** What a request keeps the process busy for: longer than a round may take, in milliseconds. */
const WORK_MS = 10;

/** A server behind a proxy, of which every request but those that are ready is work. */
async function startBusyServer() {
  const answers: Answer[] = [];
  const traced = new AsyncLocalStorage<string>();
  const app = await createServer({
    publicUrl: `http://${HOST}`,
    trustedProxies: ['127.0.0.1'],
    log: pino({ level: 'silent' }),
    tellAnswer: (answer) => answers.push(answer),
    traceAnswer: (reqId, _traceparent, run) => traced.run(reqId, run),
  });
  onTestFinished(() => app.close());
  const begun: string[] = [];
  function work(name: string): void {
    const end = performance.now() + WORK_MS;
    while (performance.now() < end);
    begun.push(name);
  }
  app.get('/work/:name', ({ id, params }) => {
    const { name } = params as { name: string };
    work(traced.getStore() === id ? name : 'under the trace of another');
    return name;
  });
  app.answerPosts('/posts', ({ body }) => async () => {
    work(String(body));
    return { status: 200, headers: {}, text: '{}' };
  });
  app.setErrorHandler((_error, { url }, reply) => {
    work(url.split('?')[1] ?? '');
    reply.send('no address');
  });
  app.post('/webhooks/stripe', ({ body }) => {
    work(String(body));
    return 'received';
  });
  app.get('/work/steps', async () => {
    for (let step = 0; step < 5; step += 1) await setImmediate();
    begun.push('all steps');
    return 'done';
  });
  const headers = ['content-type', 'text/plain', 'content-length', '5', 'x-request-id', ''];
  const ready = { status: 200, route: '/ready', headers, body: Buffer.from('ready') };
  app.answerReady(({ url }) => (url === '/ready' ? ready : undefined));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;

  let accepted = 0;
  let received = 0;
  app.server.on('connection', () => {
    accepted += 1;
  });
  app.server.on('request', () => {
    received += 1;
  });
  const dial = () => connect(port, '127.0.0.1');
  /** Sends one request each at the same time, on connections of their own, and waits until they came. */
  async function send(names: string[], from = (_index: number) => '192.0.2.1', ask = askFor) {
    const until = accepted + names.length;
    const sockets = names.map(dial);
    while (accepted < until) await once(app.server, 'connection');
    const last = received + names.length;
    for (const [index, socket] of sockets.entries()) {
      socket.write(ask(names[index] ?? '', `X-Forwarded-For: ${from(index)}`));
    }
    while (received < last) await once(app.server, 'request');
    return sockets;
  }
  return { answers, begun, send, dial };
}

function get(path: string, ...lines: string[]): string {
  return `${[`GET ${path} HTTP/1.1`, `Host: ${HOST}`, ...lines].join('\r\n')}\r\n\r\n`;
}

const askFor = (name: string, from: string) => get(`/work/${name}`, from, LAST);

const bent = (name: string, from: string) => get(`/%E0%A4%A?${name}`, from, LAST);

const post = (name: string, from: string) => postTo('/posts', name, from);

function postTo(path: string, name: string, from: string): string {
  const body = JSON.stringify(name);
  const type = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const head = [`POST ${path} HTTP/1.1`, `Host: ${HOST}`, from, LAST, ...type];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const named = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${name}-${number}`);

const readAll = (sockets: Socket[]) => Promise.all(sockets.map((socket) => text(socket)));

test('whoever sends one request waits for one of each address, however many they send', async () => {
  const { begun, send } = await startBusyServer();
  const many = await send(named('many', 60));
  const ofNetwork = await send(named('of-network', 30), (index) => `2001:db8::${index + 1}`);
  const before = begun.length;
  const one = await send(['one'], () => '192.0.2.2');
  expect(await readAll(one)).toEqual([expect.stringContaining('\r\n\r\none')]);
  // Its connection took some rounds as well.
  expect(begun.indexOf('one')).toBeLessThan(before + 10);
  await readAll([...many, ...ofNetwork]);
  expect(begun.filter((name) => name.startsWith('many'))).toEqual(named('many', 60));
  expect(begun).toHaveLength(91);
});

test('what the provider says has one turn in four, however many wait and however much it says', async () => {
  const { begun, send } = await startBusyServer();
  const told = named('told', 20);
  const sockets = await send(
    [...named('buyer', 60), ...told],
    (index) => (index < 60 ? `192.0.2.${index}` : '198.51.100.1'),
    (name, from) =>
      told.includes(name) ? postTo('/webhooks/stripe', name, from) : askFor(name, from),
  );
  await readAll(sockets);
  const ofProvider = (names: string[]) => names.filter((name) => told.includes(name));
  const first = begun.indexOf('told-0');
  expect(first).toBeLessThan(30);
  expect(ofProvider(begun.slice(first, first + 28))).toHaveLength(7);
  expect(ofProvider(begun)).toEqual(told);
  expect(begun).toHaveLength(80);
});

test.each([
  ['requests', askFor],
  ['posts that are answered without their route', post],
  ['addresses that no route is looked up for', bent],
])('what was begun goes on between %s that wait', async (_which, ask) => {
  const { begun, send } = await startBusyServer();
  const sockets = await send(
    ['steps', ...named('many', 60)],
    (index) => `192.0.2.${Math.min(index, 1)}`,
    (name, from) => (name === 'steps' ? askFor : ask)(name, from),
  );
  await readAll(sockets);
  expect(begun.indexOf('all steps')).toBeLessThan(30);
  expect(begun.filter((name) => name !== 'all steps')).toEqual(named('many', 60));
});

test('a request whose client has gone is not begun, and lets the others go on', async () => {
  const { begun, send } = await startBusyServer();
  const stays = await send(named('stays', 20));
  const goes = await send(named('goes', 5));
  for (const socket of goes) socket.destroy();
  await readAll(stays);
  await readAll(await send(['last']));
  expect(begun).toEqual([...named('stays', 20), 'last']);
});

test('what is told of an answer counts its wait, also of one that was ready', async () => {
  const { answers, dial } = await startBusyServer();
  const [works, reads] = [dial(), dial()];
  await Promise.all([works, reads].map((socket) => once(socket, 'connect')));
  works.write(
    named('work', 9)
      .map((name) => get(`/work/${name}`))
      .join('') + get('/work/last', LAST),
  );
  reads.write(get('/ready', LAST));
  const [, ready] = await readAll([works, reads]);
  expect(ready).toContain('\r\n\r\nready');
  await expect.poll(() => answers.length).toBe(11);
  for (const route of ['/work/:name', '/ready']) {
    const longest = Math.max(...answers.filter((told) => told.route === route).map(({ ms }) => ms));
    expect(longest).toBeGreaterThanOrEqual(5 * WORK_MS);
  }
});
