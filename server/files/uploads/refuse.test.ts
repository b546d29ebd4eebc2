import { describe, expect, test } from 'vitest';
import {
  announce,
  BYTES,
  create,
  metadata,
  offsetOf,
  patch,
  rowOf,
  traces,
  tus,
  useUploadServer,
} from './upload-server.test.support.ts';

const MEBIBYTE = 1024 ** 2;

describe('a refused request', () => {
  const server = useUploadServer({ maxFileBytes: 10 * MEBIBYTE });
  const name = metadata({ filename: 'a' });

  test.each<[string, Record<string, string>, number, string, RegExp]>([
    ['is empty', { 'upload-length': '0' }, 400, 'FILE_EMPTY', /^This file is empty\. /],
    ['is too large', { 'upload-length': '10485761' }, 413, 'FILE_TOO_LARGE', /10\.5 MB/],
    ['is enormous', { 'upload-length': '9'.repeat(15) }, 413, 'FILE_TOO_LARGE', /10\.5 MB/],
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
    expect(await offsetOf(server, path)).toBe(0);
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
