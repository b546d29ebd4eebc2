import { randomBytes } from 'node:crypto';
import { get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse as parseDisposition } from 'content-disposition';
import fc from 'fast-check';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../tests/harness/eventually.ts';
import type { BlobReader } from './file-store.ts';
import { type BlobToSend, type DeliveryReport, sendBlob } from './send-blob.ts';
import { sanitizeFileName } from './start-upload.ts';

const MEBIBYTE = 1024 ** 2;
const GIBIBYTE = 1024 ** 3;
const NAME = 'Étude "n°1" – 日本.pdf';
const ETAG = '"v1"';
const MODIFIED = Date.UTC(2026, 10, 21, 12);

/** A blob whose byte at each position is known, however large it is. */
function patternByte(position: number): number {
  return (position * 31 + (position >>> 16)) & 0xff;
}

function fillPattern(buffer: Uint8Array, length: number, position: number): void {
  for (let index = 0; index < length; index++) buffer[index] = patternByte(position + index);
}

describe('a blob', () => {
  const app = Fastify();
  const reports: DeliveryReport[] = [];
  let opened = 0;
  let closed = 0;
  let readBytes = 0;
  let origin = '';
  let file: BlobToSend;

  function openBlob(
    size: number,
    fill: (buffer: Uint8Array, length: number, position: number) => void,
  ): Promise<BlobReader> {
    opened += 1;
    return Promise.resolve({
      async read(buffer, length, position) {
        const got = Math.min(length, size - position);
        fill(buffer, got, position);
        readBytes += got;
        return got;
      },
      async close() {
        closed += 1;
      },
    });
  }

  function use(bytes: Buffer, changes: Partial<BlobToSend> = {}): void {
    file = {
      blob: 'a'.repeat(32),
      open: () =>
        openBlob(bytes.length, (buffer, length, position) => {
          bytes.copy(buffer, 0, position, position + length);
        }),
      size: bytes.length,
      name: NAME,
      mediaType: 'application/pdf',
      etag: ETAG,
      lastModified: MODIFIED,
      accel: null,
      direct: null,
      isShown: false,
      ...changes,
    };
  }

  function ask(headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
    return fetch(`${origin}/file`, { method, headers });
  }

  /** The answer's head, its body still to be read. */
  function open(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      httpGet(`${origin}/file`, { agent: false }, resolve).on('error', reject);
    });
  }

  function report(): Promise<DeliveryReport> {
    return eventually(async () => {
      const [first] = reports;
      if (!first) throw new Error('Nothing was reported yet.');
      return first;
    });
  }

  beforeAll(async () => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('set-cookie', 'kept=1').header('referrer-policy', 'origin');
    });
    app.route({
      method: ['GET', 'HEAD'],
      url: '/file',
      handler: (request, reply) =>
        sendBlob(request, reply, file, (ended) => {
          reports.push(ended);
        }),
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    reports.length = 0;
    opened = 0;
    closed = 0;
    readBytes = 0;
  });
  afterAll(() => app.close());

  test('arrives whole, under its name, as something to keep', async () => {
    const bytes = randomBytes(3 * MEBIBYTE + 7);
    use(bytes);
    const response = await ask();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store, no-transform',
      'content-length': String(bytes.length),
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'application/pdf',
      'cross-origin-resource-policy': 'same-origin',
      etag: ETAG,
      'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
      'referrer-policy': 'no-referrer',
      'set-cookie': 'kept=1',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    const disposition = parseDisposition(response.headers.get('content-disposition') ?? '');
    expect(disposition).toMatchObject({ type: 'attachment', parameters: { filename: NAME } });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(await report()).toEqual({
      firstByte: 0,
      bytesSent: bytes.length,
      outcome: 'delivered',
    });
    expect([opened, closed]).toEqual([1, 1]);
  });

  test('shows its head without being opened', async () => {
    use(Buffer.from('hello'));
    const response = await ask({ range: 'bytes=1-2' }, 'HEAD');
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '5']);
    expect([opened, reports.length]).toEqual([0, 0]);
  });

  test.each([
    ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
    ['bytes=4-', 206, 'bytes 4-9/10', '456789'],
    ['bytes=-3', 206, 'bytes 7-9/10', '789'],
    ['bytes=8-99', 206, 'bytes 8-9/10', '89'],
    ['bytes=10-', 416, 'bytes */10', ''],
    ['bytes=0-1,4-5', 200, null, '0123456789'],
    ['bytes=5-4', 200, null, '0123456789'],
  ])('in the range %s is answered with %d', async (range, status, contentRange, text) => {
    use(Buffer.from('0123456789'));
    const response = await ask({ range });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(await response.text()).toBe(text);
    if (status === 416) return expect(reports).toEqual([]);
    const firstByte = Number(contentRange?.match(/\d+/)?.[0] ?? 0);
    expect(await report()).toEqual({ firstByte, bytesSent: text.length, outcome: 'delivered' });
  });

  test.each([
    [ETAG, 206],
    ['Sat, 21 Nov 2026 12:00:00 GMT', 206],
    ['"v0"', 200],
    [`W/${ETAG}`, 200],
    ['Sat, 21 Nov 2026 12:00:01 GMT', 200],
  ])('in a range if it is still %s is answered with %d', async (condition, status) => {
    use(Buffer.from('0123456789'));
    const response = await ask({ range: 'bytes=1-2', 'if-range': condition });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(status === 206 ? '12' : '0123456789');
  });

  test.each([
    [ETAG, 304],
    [`W/${ETAG}`, 304],
    [`"v0", ${ETAG}`, 304],
    ['*', 304],
    ['"v0"', 200],
  ])('that the client has as %s is answered with %d', async (known, status) => {
    use(Buffer.from('hello'));
    const response = await ask({ 'if-none-match': known });
    expect([response.status, response.headers.get('etag')]).toEqual([status, ETAG]);
    expect(await response.text()).toBe(status === 304 ? '' : 'hello');
    expect(reports).toHaveLength(status === 304 ? 0 : 1);
  });

  test('beyond 4 GiB is served at any position', async () => {
    const size = 5 * GIBIBYTE;
    use(Buffer.alloc(0), { size, open: () => openBlob(size, fillPattern) });
    const first = 4 * GIBIBYTE + 12_345;
    const length = MEBIBYTE;
    const response = await ask({ range: `bytes=${first}-${first + length - 1}` });
    expect(response.headers.get('content-range')).toBe(
      `bytes ${first}-${first + length - 1}/${size}`,
    );
    const expected = Buffer.alloc(length);
    fillPattern(expected, length, first);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(expected);
  });

  test('is read no faster than the client takes it, and closed when it leaves', async () => {
    const size = 10 * GIBIBYTE;
    use(Buffer.alloc(0), { size, open: () => openBlob(size, fillPattern) });
    const response = await open();
    expect(response.headers['content-length']).toBe(String(size));
    let before = -1;
    await eventually(async () => {
      const isStill = readBytes === before;
      before = readBytes;
      if (!isStill) throw new Error('It is still being read.');
    });
    expect(readBytes).toBeLessThan(64 * MEBIBYTE);
    response.destroy();
    const { outcome, bytesSent, firstByte } = await report();
    expect([outcome, firstByte]).toEqual(['broken', 0]);
    expect(bytesSent).toBeLessThanOrEqual(readBytes);
    expect([opened, closed]).toEqual([1, 1]);
  });

  test('goes to many at once, each with its own bytes', { tags: 'long' }, async () => {
    const bytes = randomBytes(2 * MEBIBYTE);
    use(bytes);
    await Promise.all(
      Array.from({ length: 50 }, async (_, number) => {
        const first = number * 1000;
        const response = await ask({ range: `bytes=${first}-` });
        expect(bytes.subarray(first).equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
      }),
    );
    await eventually(async () => expect(reports).toHaveLength(50));
    expect(reports.every(({ outcome }) => outcome === 'delivered')).toBe(true);
    expect([opened, closed]).toEqual([50, 50]);
  });

  test('leaves other visitors their turn, however many take it at once', {
    tags: 'long',
  }, async () => {
    const size = GIBIBYTE;
    use(Buffer.alloc(0), { size, open: () => openBlob(size, () => {}) });
    const responses = await Promise.all(Array.from({ length: 100 }, () => open()));
    const read = { before: readBytes, most: 0 };
    for (const response of responses) response.resume();
    // Each turn of the event loop accepts one connection.
    for (let turn = 0; turn < 300; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      read.most = Math.max(read.most, readBytes - read.before);
      read.before = readBytes;
    }
    for (const response of responses) response.destroy();
    await eventually(async () => expect(closed).toBe(opened));
    expect(read.most).toBeGreaterThan(0);
    expect(read.most).toBeLessThanOrEqual(5 * MEBIBYTE);
  });

  test('survives a crowd that leaves at once', { tags: 'long' }, async () => {
    const size = GIBIBYTE;
    use(Buffer.alloc(0), { size, open: () => openBlob(size, fillPattern) });
    const responses = await Promise.all(Array.from({ length: 20 }, () => open()));
    for (const response of responses) response.destroy();
    await eventually(async () => expect(reports).toHaveLength(20));
    expect(reports.every(({ outcome }) => outcome === 'broken')).toBe(true);
    expect(closed).toBe(opened);
  });

  test('that is not there is an error before the answer begins', async () => {
    use(Buffer.from('hello'), { open: () => Promise.reject(new Error('ENOENT')) });
    const response = await ask();
    expect([response.status, response.headers.get('content-disposition')]).toEqual([500, null]);
    expect(reports).toEqual([]);
  });

  test('that is shorter than recorded breaks the connection rather than lie', async () => {
    use(Buffer.from('hello'), { size: 1_000_000 });
    await expect(ask().then((response) => response.text())).rejects.toThrow();
    expect(await report()).toMatchObject({ outcome: 'broken' });
    expect([opened, closed]).toEqual([1, 1]);
  });

  test('is handed over to nginx with all that it must know', async () => {
    use(Buffer.from('hello'), { accel: '/protected/' });
    const response = await ask({ range: 'bytes=1-2' });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-accel-redirect')).toBe(`/protected/${'a'.repeat(32)}`);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(await response.text()).toBe('');
    expect(await report()).toEqual({ firstByte: 0, bytesSent: 0, outcome: 'handed_over' });
    expect(opened).toBe(0);
  });

  test('of which only the head is asked is not reported as handed over', async () => {
    use(Buffer.from('hello'), { accel: '/protected/' });
    const response = await ask({}, 'HEAD');
    expect(response.headers.get('x-accel-redirect')).toMatch('/protected/');
    expect(reports).toEqual([]);
  });

  test('keeps every safe name', { tags: 'long' }, async () => {
    const anyName = fc.string({ unit: 'binary' }).map(sanitizeFileName);
    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        use(Buffer.from('hello'), { name });
        const { headers } = await ask({}, 'HEAD');
        const { parameters } = parseDisposition(headers.get('content-disposition') ?? '');
        expect(parameters.filename).toBe(name);
      }),
    );
  });
});
