import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { skipWithout } from '../../../tests/harness/needs.ts';
import { inodeOf, noteSyncs } from '../../adapters/storage/note-syncs.test.support.ts';
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
} from './upload-server.test.support.ts';

const TRICKY_NAME = 'Étude "n°1" – 日本.pdf';

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
      media_type: 'application/octet-stream',
      size_bytes: 300_000,
      owner_id: 'alice',
      finished_at: expect.any(Number),
    });
    expect(await readFile(join(server.dataDir, 'blobs', blobOf(path)))).toEqual(bytes);
  });

  test('is finished only after the file and its folder are on the disk', async () => {
    if (process.platform === 'win32') skipWithout('posix');
    const path = await create(server, 5);
    const blob = join(server.dataDir, 'blobs', blobOf(path));
    const synced: [string, boolean][] = [];
    const stop = await noteSyncs(async (inode) => {
      const what = inode === inodeOf(blob) ? 'file' : 'folder';
      synced.push([what, (await rowOf(server, path))?.finished_at === null]);
    });
    expect((await patch(server, path, 0, 'hello')).status).toBe(204);
    stop();
    expect(synced).toEqual([
      ['file', true],
      ['folder', true],
    ]);
    expect((await rowOf(server, path))?.finished_at).not.toBeNull();
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

  test('is canceled with everything it left', async () => {
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
    const refused = await patch(server, path, 0, 'HELLO');
    expect([refused.status, refused.headers.get('upload-offset')]).toEqual([409, '5']);
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
