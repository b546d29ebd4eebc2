import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_PIPELINED_REQUESTS } from './guard-connections.ts';
import { createServer } from './server.ts';

const HOST = 'pay.example.com';

/** A server with one answer that is ready for everything, and a route below it. */
async function startServer(holds: () => Promise<boolean> | null = () => null) {
  const log = pino({ level: 'silent' });
  const app = await createServer({ publicUrl: `http://${HOST}`, trustedProxies: [], log });
  onTestFinished(() => app.close());
  const headers = ['content-type', 'text/plain', 'content-length', '5', 'x-request-id', ''];
  const ready = { status: 200, route: '/page', headers, body: Buffer.from('ready') };
  app.answerReady(() => holds()?.then((does) => (does ? ready : undefined)) ?? ready);
  let routed = 0;
  app.all('/page', () => {
    routed += 1;
    return 'routed';
  });
  app.get('/late', () => {
    routed += 1;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const send = (...lines: string[]) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return socket;
  };
  return { app, send, routed: () => routed };
}

const PLAIN = ['GET /page HTTP/1.1', `Host: ${HOST}`];
const LAST = 'Connection: close';

test.each([
  [true, 'ready'],
  [false, 'routed'],
])('what has to be looked at first is sent if it holds: %s', async (holds, answer) => {
  const { send } = await startServer(async () => holds);
  expect(await text(send(...PLAIN, LAST))).toContain(`\r\n\r\n${answer}`);
});

test('what holds after its server has begun to end, or its visitor has gone, is not sent', async () => {
  const looks: PromiseWithResolvers<boolean>[] = [];
  const { app, send } = await startServer(() => {
    const look = Promise.withResolvers<boolean>();
    looks.push(look);
    return look.promise;
  });
  const gone = send(...PLAIN);
  await expect.poll(() => looks.length).toBe(1);
  gone.destroy();
  const late = send(...PLAIN);
  await expect.poll(() => looks.length).toBe(2);
  const closed = app.close();
  await expect.poll(() => app.draining).toBe(true);
  for (const look of looks) look.resolve(true);
  expect(await text(late)).toContain('routed');
  await closed;
});

test('what is ready is sent without its route, under an id of each request', async () => {
  const { send, routed } = await startServer();
  const named = [...PLAIN, 'X-Request-Id: of-a-stranger'];
  const answers = [await text(send(...PLAIN, LAST)), await text(send(...named, LAST))];
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nready$/s);
  const ids = answers.map((answer) => /x-request-id: ([\da-f]{8}-[\da-f]{4})\r/.exec(answer)?.[1]);
  expect(new Set(ids).size).toBe(2);
  expect(ids).not.toContain(undefined);
  expect(routed()).toBe(0);
});

test.each([
  ['another method', ['POST /page HTTP/1.1', `Host: ${HOST}`], 'routed'],
  ['another name of it', ['GET /page HTTP/1.1', `Host: www.${HOST}`], ' 307 '],
  ['a name that a proxy made up', ['GET /page HTTP/1.1', 'Host: 127.0.0.1:3000'], 'routed'],
  ['a body', [...PLAIN, 'Content-Length: 0'], 'routed'],
  ['a body of unknown length', [...PLAIN, 'Transfer-Encoding: chunked', '', '0'], 'routed'],
  ['another protocol', [...PLAIN, 'Upgrade: h2c'], 'routed'],
])('a request with %s is left to its route', async (_what, lines, answer) => {
  const { send } = await startServer();
  expect(await text(send(...lines.slice(0, 2), LAST, ...lines.slice(2)))).toContain(answer);
});

test.each([
  ['another host’s address', ['GET http://evil.example/ HTTP/1.1', `Host: ${HOST}`], 'path alone'],
  ['its whole address', [`GET http://${HOST}/page HTTP/1.1`, `Host: ${HOST}`], 'path alone'],
  ['no address', ['OPTIONS * HTTP/1.1', `Host: ${HOST}`], 'path alone'],
  ['two names', [...PLAIN, `Host: ${HOST}`], 'more than one Host header'],
  ['a body of another coding', [...PLAIN, 'Transfer-Encoding: gzip'], 'Transfer-Encoding'],
  ['a body of two codings', [...PLAIN, 'Transfer-Encoding: gzip, chunked'], 'Transfer-Encoding'],
  [
    'such a body, to an address that cannot be read',
    ['POST /%zz HTTP/1.1', `Host: ${HOST}`, 'Transfer-Encoding: gzip, chunked'],
    ' 400 Bad Request',
  ],
])('a request with %s is refused, and nothing after it is read', async (_what, lines, fault) => {
  const { send, routed } = await startServer();
  const answer = await text(send(...lines, '', ...PLAIN));
  expect(answer).toContain(fault);
  expect(answer).not.toContain(' 200 OK');
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(routed()).toBe(0);
});

test('an answer that was ready counts among those under way on its connection', async () => {
  const { send, routed } = await startServer();
  const late = (count: number) => `GET /late HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`.repeat(count);
  const full = send(...PLAIN, '', late(MAX_PIPELINED_REQUESTS - 1)).resume();
  await expect.poll(routed).toBe(MAX_PIPELINED_REQUESTS - 1);
  expect(full.readyState).toBe('open');
  const over = send(...PLAIN, '', late(MAX_PIPELINED_REQUESTS)).resume();
  await expect.poll(() => over.closed).toBe(true);
  full.destroy();
});

test('a server that ends keeps no connection, whatever is ready', async () => {
  const { app, send } = await startServer();
  const socket = send(...PLAIN);
  await once(socket, 'data');
  const closed = app.close();
  socket.write(`${PLAIN.join('\r\n')}\r\n\r\n`);
  expect(await text(socket)).not.toContain('ready');
  await closed;
});

/** A server whose posts are answered, and a route for the same, which says what it was sent. */
async function startPosts() {
  const log = pino({ level: 'silent' });
  const app = await createServer({ publicUrl: `http://${HOST}`, trustedProxies: [], log });
  onTestFinished(() => app.close());
  app.answerPosts('/post', ({ ip, body }) => {
    if (body === 'left') return null;
    return async () => ({ status: 200, headers: {}, text: JSON.stringify({ early: body, ip }) });
  });
  app.post('/post', ({ body }) => ({ routed: body }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const dial = () => connect(port, '127.0.0.1');
  const post = (body: string, ...lines: string[]) => {
    const head = ['POST /post HTTP/1.1', `Host: ${HOST}`, `Content-Length: ${body.length}`];
    const type = lines.some((line) => line.startsWith('Content-Type')) ? [] : [JSON_TYPE];
    return `${[...head, ...type, ...lines].join('\r\n')}\r\n\r\n${body}`;
  };
  return { app, dial, post };
}

const JSON_TYPE = 'Content-Type: application/json';

test('a small post of JSON is answered without its route, with the headers of every answer', async () => {
  const { dial, post } = await startPosts();
  const answer = await text(dial().end(post('{"a":1}', LAST)));
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*{"early":{"a":1},"ip":"127\.0\.0\.1"}$/s);
  expect(answer).toMatch(/\r\nx-request-id: [\da-f]{8}-[\da-f]{4}\r\n/);
  expect(answer).toContain('\r\nx-content-type-options: nosniff\r\n');
});

test.each([
  ['which is left to its route', '"left"', [], '{"routed":"left"}'],
  ['whose JSON is broken', '{"a":', [], ' 400 '],
  ['which would poison prototypes', '{"__proto__":{"a":1}}', [], ' 400 '],
  ['of a page', '{}', [`Origin: http://${HOST}`], '{"routed":{}}'],
  ['of a page elsewhere', '{}', ['Origin: https://elsewhere.example'], 'CROSS_SITE'],
  ['with cookies', '{}', ['Cookie: a=b'], '{"routed":{}}'],
  ['of another type', '{}', ['Content-Type: text/plain'], ' 415 '],
  ['without a body', '', [], ' 400 '],
  ['larger than most', JSON.stringify('a'.repeat(5_000)), [], '{"routed":"aaa'],
])('a post %s is not answered before it', async (_what, body, lines, answer) => {
  const { dial, post } = await startPosts();
  expect(await text(dial().end(post(body, ...lines, LAST)))).toContain(answer);
});

test('a post whose body comes later is answered by its route, once it is whole', async () => {
  const { app, dial, post } = await startPosts();
  const whole = post('{"a":1}', LAST);
  const socket = dial();
  socket.write(whole.slice(0, -3));
  await once(app.server, 'request');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  socket.end(whole.slice(-3));
  expect(await text(socket)).toContain('{"routed":{"a":1}}');
});

test('posts of one connection are answered in their order', async () => {
  const { dial, post } = await startPosts();
  const posts = Array.from({ length: 10 }, (_, number) => post(`[${number}]`));
  const socket = dial();
  socket.write(posts.join('') + post('[10]', LAST));
  const answers = await text(socket);
  const order = [...answers.matchAll(/{"(?:early|routed)":\[(\d+)\]/g)].map(([, number]) => number);
  expect(order).toEqual(Array.from({ length: 11 }, (_, number) => String(number)));
});
