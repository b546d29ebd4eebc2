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

describe('a full disk', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const server = useUploadServer({
    changeStore: (store) => ({
      ...store,
      measureSpace: async () => ({ free: 2 * MEBIBYTE, total: 20 * MEBIBYTE }),
      async openForAppend(...where) {
        const writer = await store.openForAppend(...where);
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

describe('a disk that filled up while an upload stood still', () => {
  let free = 2 * MEBIBYTE;
  let ahead = 0;
  const server = useUploadServer({
    now: () => Date.now() + ahead,
    changeStore: (store) => ({
      ...store,
      measureSpace: async () => ({ free, total: 20 * MEBIBYTE }),
    }),
  });

  test('answers 507 to the rest of it, keeps what came, and takes the rest later', async () => {
    const path = await create(server, 5);
    expect((await patch(server, path, 0, 'he')).status).toBe(204);
    ahead = 11 * 60 * 1000;
    free = 0;
    const response = await patch(server, path, 2, 'llo');
    expect([response.status, (await response.json()).code]).toEqual([507, 'STORAGE_FULL']);
    expect(await offsetOf(server, path)).toBe(2);
    free = 2 * MEBIBYTE;
    expect((await patch(server, path, 2, 'llo')).status).toBe(204);
    expect((await rowOf(server, path))?.finished_at).not.toBeNull();
  });
});

describe('a disk that others fill while an upload is on its way', () => {
  let free = 20 * MEBIBYTE;
  const server = useUploadServer({
    accountQuotaBytes: 11 * MEBIBYTE,
    changeStore: (store) => ({
      ...store,
      measureSpace: async () => ({ free, total: 20 * MEBIBYTE }),
    }),
  });

  test('answers 507 in the middle of the bytes, keeps what came, and takes the rest later', {
    tags: 'long',
  }, async () => {
    const path = await create(server, 10 * MEBIBYTE);
    expect((await patch(server, path, 0, Buffer.alloc(MEBIBYTE))).status).toBe(204);
    free = MEBIBYTE;
    const response = await patch(server, path, MEBIBYTE, Buffer.alloc(9 * MEBIBYTE));
    expect(response.status).toBe(507);
    expect(await response.json()).toMatchObject({
      code: 'STORAGE_FULL',
      detail:
        'The server does not have enough space for the rest of this file. Please continue the upload later.',
    });
    expect(await offsetOf(server, path)).toBe(MEBIBYTE);
    free = 20 * MEBIBYTE;
    const rest = Buffer.alloc(9 * MEBIBYTE);
    expect((await patch(server, path, MEBIBYTE, rest)).status).toBe(204);
    expect((await rowOf(server, path))?.finished_at).not.toBeNull();
  });

  test('is not what refuses an account that has used its quota up', { tags: 'long' }, async () => {
    const response = await announce(server, MEBIBYTE + 1);
    expect([response.status, (await response.json()).code]).toEqual([403, 'QUOTA_EXCEEDED']);
  });
});
