import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RateLimited } from './rate-limits.ts';
import {
  announce,
  BYTES,
  blobOf,
  create,
  metadata,
  offsetOf,
  patch,
  rowOf,
  traces,
  tus,
  useUploadServer,
} from './uploads/upload-server.test.support.ts';

const TRICKY_NAME = 'Étude "n°1" – 日本.pdf';
const MEBIBYTE = 1024 ** 2;

describe('an upload', () => {
  const server = useUploadServer();

  test('arrives in pieces and is finished with its last byte', async () => {
    const bytes = randomBytes(300_000);
    const path = await create(server, bytes.length, {
      filename: TRICKY_NAME,
      filetype: 'application/pdf',
      id: '0a1b2c3d',
    });
    const first = await patch(server, path, 0, bytes.subarray(0, 100_000));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '100000']);
    expect(await offsetOf(server, path)).toBe(100_000);
    expect((await rowOf(server, path))?.finished_at).toBeNull();
    const rest = await patch(server, path, 100_000, bytes.subarray(100_000));
    expect([rest.status, rest.headers.get('upload-offset')]).toEqual([204, '300000']);
    expect(await rowOf(server, path)).toMatchObject({
      key: `public/0a1b2c3d-${TRICKY_NAME}`,
      name: TRICKY_NAME,
      media_type: 'application/pdf',
      size_bytes: 300_000,
      owner_id: 'alice',
      finished_at: expect.any(Number),
    });
    expect(await readFile(join(server.dataDir, 'blobs', blobOf(path)))).toEqual(bytes);
  });

  test('tells its key, length and metadata, also when it is finished', async () => {
    const created = await announce(server, 5, { filename: TRICKY_NAME, filetype: 'text/plain' });
    const path = created.headers.get('location') ?? '';
    const row = await rowOf(server, path);
    const key = encodeURIComponent(row?.key ?? '');
    expect(created.status).toBe(201);
    expect(created.headers.get('upload-key')).toBe(key);
    await patch(server, path, 0, 'hello');
    const state = await tus(server, 'HEAD', path);
    expect(Object.fromEntries(state.headers)).toMatchObject({
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
      'upload-key': key,
      'upload-length': '5',
      'upload-offset': '5',
      'upload-metadata': metadata({
        filename: TRICKY_NAME,
        filetype: 'text/plain',
        id: row?.link_id ?? '',
      }),
    });
  });

  test('may carry its bytes in the creation, all or some', async () => {
    const send = (body: string) =>
      tus(
        server,
        'POST',
        '/uploads',
        { ...BYTES, 'upload-length': '5', 'upload-metadata': metadata({ filename: 'b' }) },
        body,
      );
    const whole = await send('hello');
    expect([whole.status, whole.headers.get('upload-offset')]).toEqual([201, '5']);
    const wholeRow = await rowOf(server, whole.headers.get('location') ?? '');
    expect(wholeRow?.finished_at).toBeTypeOf('number');
    const some = await send('hel');
    expect([some.status, some.headers.get('upload-offset')]).toEqual([201, '3']);
    const path = some.headers.get('location') ?? '';
    expect((await patch(server, path, 3, 'lo')).status).toBe(204);
    expect((await rowOf(server, path))?.finished_at).toBeTypeOf('number');
  });

  test('may be sent without its length in chunks', async () => {
    const path = await create(server, 10);
    const body = new ReadableStream({
      start(controller) {
        for (const text of ['hel', 'lo', 'world']) controller.enqueue(Buffer.from(text));
        controller.close();
      },
    });
    expect((await patch(server, path, 0, body)).status).toBe(204);
    expect(await offsetOf(server, path)).toBe(10);
  });

  test.each([
    ['video/mp4', 'video/mp4'],
    ['Application/PDF', 'application/pdf'],
    ['image/svg+xml', 'image/svg+xml'],
    ['text/html; charset=utf-8', 'application/octet-stream'],
    ['text/html\r\nx: y', 'application/octet-stream'],
    ['nonsense', 'application/octet-stream'],
    [`text/${'x'.repeat(123)}`, 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('of the media type %j is kept as %s', async (filetype, kept) => {
    const path = await create(server, 1, { filename: 'a', filetype });
    expect((await rowOf(server, path))?.media_type).toBe(kept);
  });

  test('is cancelled with everything it left', async () => {
    const before = await traces(server);
    const path = await create(server, 5);
    await patch(server, path, 0, 'hel');
    expect((await tus(server, 'DELETE', path)).status).toBe(204);
    expect(await traces(server)).toEqual(before);
    expect((await tus(server, 'HEAD', path)).status).toBe(404);
    expect((await patch(server, path, 3, 'lo')).status).toBe(404);
  });

  test('cannot be deleted or changed once it is finished', async () => {
    const path = await create(server, 5);
    await patch(server, path, 0, 'hello');
    expect((await tus(server, 'DELETE', path)).status).toBe(403);
    expect((await patch(server, path, 0, 'HELLO')).status).toBe(409);
    expect((await patch(server, path, 5, '!')).status).toBe(413);
    expect(await readFile(join(server.dataDir, 'blobs', blobOf(path)), 'utf8')).toBe('hello');
    expect(await offsetOf(server, path)).toBe(5);
  });

  test('is nobody else’s, and looks as if it did not exist', async () => {
    const path = await create(server, 5);
    const missing = `/uploads/${'0'.repeat(32)}`;
    const eve = { 'x-user': 'eve' };
    for (const [method, headers, body] of [
      ['HEAD', {}, undefined],
      ['DELETE', {}, undefined],
      ['PATCH', { ...BYTES, 'upload-offset': '0' }, 'hello'],
    ] as const) {
      const foreign = await tus(server, method, path, { ...headers, ...eve }, body);
      const unknown = await tus(server, method, missing, { ...headers, ...eve }, body);
      expect([foreign.status, unknown.status]).toEqual([404, 404]);
      expect(await foreign.text()).toBe(await unknown.text());
      const nobody = await tus(server, method, path, { ...headers, 'x-user': '' }, body);
      expect(nobody.status).toBe(404);
    }
    expect(await offsetOf(server, path)).toBe(0);
  });

  test('needs somebody signed in', async () => {
    const path = await create(server, 5);
    for (const [method, url] of [
      ['POST', '/uploads'],
      ['HEAD', path],
      ['PATCH', path],
      ['DELETE', path],
    ] as const) {
      const url_ = new URL(url, server.origin);
      const response = await fetch(url_, { method, headers: { 'tus-resumable': '1.0.0' } });
      expect(response.status).toBe(401);
    }
  });
});

describe('a refused request', () => {
  const server = useUploadServer({ maxFileBytes: 10 * MEBIBYTE });
  const name = metadata({ filename: 'a' });

  test.each<[string, Record<string, string>, number, string, RegExp]>([
    ['is empty', { 'upload-length': '0' }, 400, 'FILE_EMPTY', /^The file is empty \(0 bytes\)\. /],
    ['is too large', { 'upload-length': '10485761' }, 413, 'FILE_TOO_LARGE', /10 MiB/],
    ['is enormous', { 'upload-length': '9'.repeat(15) }, 413, 'FILE_TOO_LARGE', /10 MiB/],
    ['has no length', {}, 400, 'INVALID_INPUT', /Upload-Length/],
    ['has a length below zero', { 'upload-length': '-1' }, 400, 'INVALID_INPUT', /Upload-Length/],
    ['has half a byte', { 'upload-length': '1.5' }, 400, 'INVALID_INPUT', /Upload-Length/],
    ['counts in hex', { 'upload-length': '0x10' }, 400, 'INVALID_INPUT', /Upload-Length/],
    ['counts too far', { 'upload-length': '9'.repeat(17) }, 400, 'INVALID_INPUT', /Upload-Length/],
    ['defers its length', { 'upload-defer-length': '1' }, 400, 'INVALID_INPUT', /Upload-Length/],
    [
      'has no name',
      { 'upload-length': '1', 'upload-metadata': metadata({ filetype: 'a/b' }) },
      ...([400, 'INVALID_INPUT', /filename/] as const),
    ],
    [
      'has broken metadata',
      { 'upload-length': '1', 'upload-metadata': 'filename ***' },
      ...([400, 'INVALID_INPUT', /base64/] as const),
    ],
    [
      'wants an id that is none',
      { 'upload-length': '1', 'upload-metadata': metadata({ filename: 'a', id: 'XYZ' }) },
      ...([400, 'INVALID_LINK_ID', /8 characters/] as const),
    ],
    ['speaks no tus', { 'upload-length': '1', 'tus-resumable': '' }, 412, 'INVALID_INPUT', /tus/],
    [
      'speaks another tus',
      { 'upload-length': '1', 'tus-resumable': '0.2.2' },
      ...([412, 'INVALID_INPUT', /1\.0\.0/] as const),
    ],
  ])('that %s says so and leaves nothing', async (_title, headers, status, code, detail) => {
    const before = await traces(server);
    const response = await tus(server, 'POST', '/uploads', { 'upload-metadata': name, ...headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: expect.any(String),
      status,
      code,
      detail: expect.stringMatching(detail),
    });
    expect(await traces(server)).toEqual(before);
  });

  test('wants a key or an id that is taken', async () => {
    const id = '11111111';
    await create(server, 1, { filename: 'a.txt', id });
    const before = await traces(server);
    const same = await announce(server, 1, { filename: 'a.txt', id });
    expect([same.status, (await same.json()).code]).toEqual([409, 'KEY_TAKEN']);
    const foreign = await announce(server, 1, { filename: 'b.txt', id }, { 'x-user': 'eve' });
    expect([foreign.status, (await foreign.json()).code]).toEqual([409, 'LINK_ID_TAKEN']);
    expect(await traces(server)).toEqual(before);
  });

  test.each([
    ['another offset', { ...BYTES, 'upload-offset': '2' }, 409],
    ['no offset', BYTES, 400],
    ['no number as offset', { ...BYTES, 'upload-offset': 'x' }, 400],
    ['another content type', { 'upload-offset': '0', 'content-type': 'text/plain' }, 415],
    ['JSON', { 'upload-offset': '0', 'content-type': 'application/json' }, 415],
  ])('continues with %s and changes nothing', async (_title, headers, status) => {
    const path = await create(server, 5);
    const response = await tus(server, 'PATCH', path, headers, 'hello');
    expect(response.status).toBe(status);
    expect(await offsetOf(server, path)).toBe(0);
  });

  test('carries more bytes than were announced', async () => {
    const path = await create(server, 5);
    expect((await patch(server, path, 0, 'hello!')).status).toBe(413);
    const body = new Blob(['hello!']).stream();
    expect((await patch(server, path, 0, body)).status).toBe(413);
    expect(await offsetOf(server, path)).toBeLessThanOrEqual(5);
    expect((await rowOf(server, path))?.finished_at).toBeNull();
  });

  test('carries a body in its refused creation: nothing stays, the answer arrives', async () => {
    const before = await traces(server);
    const headers = { ...BYTES, 'upload-metadata': name, 'upload-length': String(20 * MEBIBYTE) };
    const body = Buffer.alloc(20 * MEBIBYTE);
    const response = await tus(server, 'POST', '/uploads', headers, body);
    expect(response.status).toBe(413);
    expect(await traces(server)).toEqual(before);
  });

  test.each([
    ['GET', '/uploads', 'POST, OPTIONS'],
    ['DELETE', '/uploads', 'POST, OPTIONS'],
    ['GET', '/uploads/x', 'HEAD, PATCH, DELETE, OPTIONS'],
    ['POST', '/uploads/x', 'HEAD, PATCH, DELETE, OPTIONS'],
    ['PUT', '/uploads/x', 'HEAD, PATCH, DELETE, OPTIONS'],
  ])('%s %s is not possible', async (method, path, allow) => {
    const response = await tus(server, method, path);
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });

  test('GET serves no bytes, also not of a finished upload', async () => {
    const path = await create(server, 6);
    await patch(server, path, 0, 'secret');
    const response = await tus(server, 'GET', path);
    expect(response.status).toBe(405);
    expect(await response.text()).not.toContain('secret');
  });

  test.each(['/uploads', '/uploads/x'])(
    'OPTIONS %s discovers, for this origin only',
    async (path) => {
      const response = await fetch(new URL(path, server.origin), {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example' },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get('tus-version')).toBe('1.0.0');
      expect(response.headers.get('tus-extension')).toBe(
        'creation,creation-with-upload,termination',
      );
      expect(response.headers.get('tus-max-size')).toBe(String(10 * MEBIBYTE));
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});

describe('a full disk', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const server = useUploadServer({
    changeStore: (store) => ({
      ...store,
      freeBytes: async () => 65 * MEBIBYTE,
      async openForAppend(blob, offset) {
        const writer = await store.openForAppend(blob, offset);
        return {
          ...writer,
          async write(chunks) {
            await writer.write(chunks.slice(0, 1));
            throw full;
          },
        };
      },
    }),
  });

  test('that has no room for the announced size answers 507 at once', async () => {
    const response = await announce(server, MEBIBYTE + 1);
    expect([response.status, (await response.json()).code]).toEqual([507, 'STORAGE_FULL']);
    expect(await traces(server)).toEqual([]);
  });

  test('answers 507 in the middle of the bytes and keeps neither row nor blob', async () => {
    const path = await create(server, MEBIBYTE);
    const response = await patch(server, path, 0, Buffer.alloc(MEBIBYTE));
    expect([response.status, (await response.json()).code]).toEqual([507, 'STORAGE_FULL']);
    expect(await traces(server)).toEqual([]);
    expect((await tus(server, 'HEAD', path)).status).toBe(404);
  });

  test('answers 507 to a creation that carries bytes', async () => {
    const headers = {
      ...BYTES,
      'upload-length': '5',
      'upload-metadata': metadata({ filename: 'a' }),
    };
    const response = await tus(server, 'POST', '/uploads', headers, 'hello');
    expect(response.status).toBe(507);
    expect(await traces(server)).toEqual([]);
  });
});

describe('a creator who opens uploads too fast', () => {
  const asked: string[] = [];
  const server = useUploadServer({
    async allowUpload(userId) {
      asked.push(userId);
      if (asked.length > 1) throw new RateLimited(5_000);
    },
  });

  test('is asked to wait, but may continue what is open', async () => {
    const path = await create(server, 5);
    const before = await traces(server);
    const refused = await announce(server, 5);
    expect([refused.status, (await refused.json()).code]).toEqual([429, 'RATE_LIMITED']);
    expect(await traces(server)).toEqual(before);
    expect((await patch(server, path, 0, 'hello')).status).toBe(204);
    expect(asked).toEqual(['alice', 'alice']);
  });
});
