import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { Padlink, PadlinkError, type WebhookEvent, webhooks } from '../../client/src/index.ts';
import type { HookEvent } from '../../contract/hooks.ts';

const KEY = 'sk_padlink_of_a_test';
const PROBLEM = { 'content-type': 'application/problem+json' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('what the client makes of an answer', () => {
  let server: Server;
  let answer: RequestListener;
  const asked: IncomingMessage[] = [];
  let url = '';

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request);
      answer(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** A shop that answers so, and once the answers are used up, with the last one. */
  function shopWith(answers: [status: number, headers: object, body: string][], options = {}) {
    let next = 0;
    asked.length = 0;
    answer = (_request, response) => {
      const [status, headers, body] = answers[Math.min(next, answers.length - 1)] ?? [500, {}, ''];
      next += 1;
      response.writeHead(status, { ...headers }).end(body);
    };
    return new Padlink({ url, key: KEY, ...options });
  }

  function problem(status: number, code: string, headers = {}): [number, object, string] {
    const body = JSON.stringify({ code, status, detail: 'A sentence.', requestId: 'req-1' });
    return [status, { ...PROBLEM, ...headers }, body];
  }
  const data = (of: object): [number, object, string] => [
    ...([200, JSON_TYPE, JSON.stringify({ data: of })] as const),
  ];
  const busy = problem(503, 'UNAVAILABLE', { 'retry-after': '0' });
  const tooOften: [number, object, string] = [
    ...([200, JSON_TYPE] as const),
    JSON.stringify({
      data: null,
      errors: [{ message: 'Wait.', extensions: { code: 'RATE_LIMITED', retryAfter: 0 } }],
    }),
  ];

  test('what changes nothing is repeated while the shop is busy, at most so often', async () => {
    const patient = shopWith([busy, tooOften, data({ getMoney: { balance: 7 } })]);
    expect(await patient.money.get()).toEqual({ balance: 7 });
    expect(asked).toHaveLength(3);
    await expect(shopWith([busy]).money.get()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      status: 503,
      retryAfter: 0,
      requestId: 'req-1',
      message: 'A sentence.',
    });
    expect(asked).toHaveLength(3);
    await expect(shopWith([tooOften], { retries: 0 }).money.get()).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      retryAfter: 0,
    });
    expect(asked).toHaveLength(1);
  });

  test('what might be done twice is never repeated, nor what no wait can mend', async () => {
    const refund = shopWith([busy]).refunds.create({ sale: 'a', reason: 'None' });
    await expect(refund).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(shopWith([busy]).checkout.create('1a2b3c4d')).rejects.toThrow(PadlinkError);
    const tells = shopWith([busy]).links.update('1a2b3c4d', { tellBuyers: true });
    await expect(tells).rejects.toThrow(PadlinkError);
    expect(asked).toHaveLength(1);
    const closed = problem(503, 'CHECKOUT_NOT_CONFIGURED');
    await expect(shopWith([closed]).money.get()).rejects.toThrow(PadlinkError);
    expect(asked).toHaveLength(1);
    const long = problem(429, 'RATE_LIMITED', { 'retry-after': '61' });
    await expect(shopWith([long]).money.get()).rejects.toMatchObject({ retryAfter: 61 });
    expect(asked).toHaveLength(1);
  });

  test('the key goes to the shop alone, and not where it is not needed', async () => {
    await shopWith([data({ getMoney: {} })]).money.get();
    expect(asked[0]?.headers['x-api-key']).toBe(KEY);
    const moved = shopWith([[308, { location: 'https://elsewhere.example/' }, '']]);
    await expect(moved.money.get()).rejects.toMatchObject({ code: 'INVALID_ANSWER', status: 308 });
    expect(asked).toHaveLength(1);
    const offer: [number, object, string] = [200, JSON_TYPE, '{"id":"1a2b3c4d"}'];
    expect(await shopWith([offer]).offers.get('1a2b3c4d')).toEqual({ id: '1a2b3c4d' });
    expect(asked[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('whatever is not of Padlink, and no answer at all, is told as one error', async () => {
    const page = shopWith([[502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>']]);
    await expect(page.money.get()).rejects.toMatchObject({ code: 'INVALID_ANSWER', status: 502 });
    for (const body of ['{"data":', '{}', 'null']) {
      const other = shopWith([[200, JSON_TYPE, body]]).money.get();
      await expect(other).rejects.toMatchObject({ code: 'INVALID_ANSWER', status: 200 });
    }
    const shop = shopWith([]);
    answer = (request) => request.socket.destroy();
    await expect(shop.money.get()).rejects.toMatchObject({ code: 'NO_ANSWER', status: 0 });
    answer = () => {};
    const late = new Padlink({ url, timeout: 1 });
    await expect(late.money.get()).rejects.toMatchObject({ code: 'NO_ANSWER' });
  });

  test('a signal ends a call with its own reason, also while it waits', async () => {
    const control = new AbortController();
    const reason = new Error('Enough.');
    const shop = shopWith([problem(503, 'UNAVAILABLE', { 'retry-after': '60' })]);
    const { answer: told, promise: once } = notifyOf();
    const inner = answer;
    answer = (request, response) => {
      response.once('close', told);
      inner(request, response);
    };
    const waiting = shop.money.get({ signal: control.signal });
    await once;
    control.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(shop.money.get({ signal: control.signal })).rejects.toBe(reason);
    const stuck = new ReadableStream<Uint8Array>();
    answer = (_request, response) => {
      response.writeHead(201, { location: '/uploads/a', 'upload-offset': '0' }).end();
    };
    const { answer: began, promise: begun } = notifyOf();
    const end = new AbortController();
    const upload = shop.files.upload(stuck, {
      name: 'a.txt',
      size: 5,
      signal: end.signal,
      onProgress: began,
    });
    await begun;
    end.abort(reason);
    await expect(upload).rejects.toBe(reason);
  });

  test('an upload finds out whether a stream has as many bytes as were announced', async () => {
    const shop = shopWith([[201, { location: '/uploads/a', 'upload-offset': '0' }, '']]);
    async function* stream() {
      for (const part of ['1234', '5']) yield new TextEncoder().encode(part);
    }
    for (const [size, words] of [
      [4, 'more than 4'],
      [6, 'only 5'],
    ] as const) {
      asked.length = 0;
      answer = (request, response) => {
        const sent = Number(request.headers['upload-offset'] ?? 0);
        const offset = request.method === 'PATCH' ? 5 : sent;
        response.writeHead(201, { location: '/uploads/a', 'upload-offset': String(offset) }).end();
      };
      const upload = shop.files.upload(stream(), { name: 'a.txt', size });
      await expect(upload).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(words),
      });
      // What nobody could go on with is removed.
      expect(asked.at(-1)?.method).toBe('DELETE');
    }
    const unsized = shop.files.upload(stream(), { name: 'a.txt' });
    await expect(unsized).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

function notifyOf() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { answer: () => resolve(), promise };
}

describe('webhooks.verify', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const body = '{"type":"payout.paid","data":{"payout":{"bankAccount":"•••• 42"}}}';
  const now = () => new Date();

  function sign(by = secret, at = now(), text = body) {
    return {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(by).sign('msg_1', at, text),
    };
  }
  const refusal = { name: 'PadlinkError', code: 'INVALID_SIGNATURE' };

  test('takes what the library of Standard Webhooks signs, in each form', async () => {
    expectTypeOf<WebhookEvent['type']>().toEqualTypeOf<HookEvent>();
    const event = { ...JSON.parse(body), id: 'msg_1' };
    expect(await webhooks.verify(sign(), body, secret)).toEqual(event);
    expect(await webhooks.verify(new Headers(sign()), body, secret)).toEqual(event);
    const bytes = new TextEncoder().encode(body);
    expect(await webhooks.verify(sign(), bytes, secret)).toEqual(event);
    const shouted = Object.entries(sign()).map(([name, value]) => [name.toUpperCase(), value]);
    expect(await webhooks.verify(Object.fromEntries(shouted), body, secret)).toEqual(event);
  });

  test('takes either of two secrets, and either of two signatures', async () => {
    expect(await webhooks.verify(sign(other), body, [secret, other])).toHaveProperty('id');
    const both = `v1a,none ${sign()['webhook-signature']} ${sign(other)['webhook-signature']}`;
    const headers = { ...sign(), 'webhook-signature': both };
    for (const one of [secret, other]) {
      expect(await webhooks.verify(headers, body, one)).toHaveProperty('id');
    }
  });

  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  test.each([
    ['another body', sign(), `${body} `, secret],
    ['another secret', sign(), body, other],
    ['another id', { ...sign(), 'webhook-id': 'msg_2' }, body, secret],
    ['another time', { ...sign(), 'webhook-timestamp': '1' }, body, secret],
    ['an old message', sign(secret, minutes(-6)), body, secret],
    ['one of the future', sign(secret, minutes(6)), body, secret],
    ['no headers', {}, body, secret],
    ['no signature', { ...sign(), 'webhook-signature': 'v1,' }, body, secret],
    ['no base64', { ...sign(), 'webhook-signature': 'v1,#' }, body, secret],
    ['no secret', sign(), body, ''],
    ['no list of secrets', sign(), body, []],
  ])('refuses %s', async (_what, headers, text, by) => {
    await expect(webhooks.verify(headers, text, by)).rejects.toMatchObject(refusal);
  });
});
