import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_PIPELINED_REQUESTS } from './guard-connections.ts';
import { createServer } from './server.ts';

const HOST = 'pay.example.com';

/** A server with one answer that is ready for everything, and a route below it. */
async function startServer() {
  const log = pino({ level: 'silent' });
  const app = await createServer({ publicUrl: `http://${HOST}`, trustedProxies: [], log });
  onTestFinished(() => app.close());
  const headers = ['content-type', 'text/plain', 'content-length', '5', 'x-request-id', ''];
  app.answerReady(() => ({ status: 200, headers, body: Buffer.from('ready') }));
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

test('what is ready is sent without its route, under an id of each request', async () => {
  const { send, routed } = await startServer();
  const answers = [await text(send(...PLAIN, LAST)), await text(send(...PLAIN, LAST))];
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nready$/s);
  const ids = answers.map((answer) => /x-request-id: ([\da-f]{8}-[\da-f]{4})\r/.exec(answer)?.[1]);
  expect(new Set(ids).size).toBe(2);
  expect(ids).not.toContain(undefined);
  expect(routed()).toBe(0);
});

test.each([
  ['another method', ['POST /page HTTP/1.1', `Host: ${HOST}`], 'routed'],
  ['another name of this machine', ['GET /page HTTP/1.1', 'Host: localhost'], ' 307 '],
  ['two names', [...PLAIN, `Host: ${HOST}`], 'more than one Host header'],
  ['a body', [...PLAIN, 'Content-Length: 0'], 'routed'],
  ['a body of unknown length', [...PLAIN, 'Transfer-Encoding: chunked', '', '0'], 'routed'],
  ['another protocol', [...PLAIN, 'Upgrade: h2c'], 'routed'],
])('a request with %s is left to its route', async (_what, lines, answer) => {
  const { send } = await startServer();
  expect(await text(send(...lines.slice(0, 2), LAST, ...lines.slice(2)))).toContain(answer);
});

test('an answer that was ready counts among those under way on its connection', async () => {
  const { send, routed } = await startServer();
  const late = `GET /late HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`.repeat(10 * MAX_PIPELINED_REQUESTS);
  await once(send(...PLAIN, '', late).resume(), 'close');
  expect(routed()).toBe(MAX_PIPELINED_REQUESTS - 1);
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
