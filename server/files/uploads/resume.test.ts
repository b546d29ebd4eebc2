import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../tests/harness/eventually.ts';
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
  type UploadServer,
  useUploadServer,
} from './upload-server.test.support.ts';

const MEBIBYTE = 1024 ** 2;

/** A request that stays open until the test ends it. */
function open(
  server: UploadServer,
  method: string,
  path: string,
  headers: Record<string, string | number>,
): ClientRequest {
  const opened = request(new URL(path, server.origin), {
    method,
    headers: { 'tus-resumable': '1.0.0', 'x-user': 'alice', ...BYTES, ...headers },
  });
  opened.on('error', () => {});
  return opened;
}

function stored({ dataDir }: UploadServer, path: string): Promise<Buffer> {
  return readFile(join(dataDir, 'blobs', blobOf(path)));
}

function storedBytes({ store }: UploadServer, path: string): Promise<number> {
  return eventually(async () => {
    const size = await store.sizeOf(blobOf(path));
    if (!size) throw new Error('Nothing is stored yet.');
    return size;
  });
}

describe('an interrupted upload', () => {
  const server = useUploadServer();

  test('goes on where the client left it', { tags: 'long' }, async () => {
    const bytes = randomBytes(3 * MEBIBYTE);
    const path = await create(server, bytes.length);
    const cut = open(server, 'PATCH', path, { 'upload-offset': 0, 'content-length': bytes.length });
    cut.write(bytes.subarray(0, MEBIBYTE));
    await storedBytes(server, path);
    cut.destroy();
    const offset = await offsetOf(server, path);
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(MEBIBYTE);
    expect(await server.store.sizeOf(blobOf(path))).toBe(offset);
    expect((await patch(server, path, offset, bytes.subarray(offset))).status).toBe(204);
    expect(await stored(server, path)).toEqual(bytes);
    expect((await rowOf(server, path))?.finished_at).toBeTypeOf('number');
  });

  test.each(['HEAD', 'DELETE'])(
    '%s takes over from a connection that only seems to be alive',
    async (method) => {
      const path = await create(server, 10);
      const dead = open(server, 'PATCH', path, { 'upload-offset': 0, 'content-length': 10 });
      const closed = new Promise((resolve) => dead.once('close', resolve));
      dead.write('hello');
      await storedBytes(server, path);
      const response = await tus(server, method, path);
      expect(response.ok).toBe(true);
      await closed;
      if (method === 'HEAD') expect(response.headers.get('upload-offset')).toBe('5');
      else expect(await rowOf(server, path)).toBeUndefined();
    },
  );

  test('holds the same bytes however many requests send them at once', {
    tags: 'long',
  }, async () => {
    const bytes = randomBytes(2 * MEBIBYTE);
    const path = await create(server, bytes.length);
    await Promise.allSettled(
      Array.from({ length: 10 }, () => patch(server, path, 0, bytes.slice())),
    );
    await eventually(async () => {
      const offset = await offsetOf(server, path);
      if (offset < bytes.length) await patch(server, path, offset, bytes.subarray(offset));
      expect((await rowOf(server, path))?.finished_at).toBeTypeOf('number');
    });
    expect(await stored(server, path)).toEqual(bytes);
  });

  test.each(['HEAD', 'PATCH'])(
    'whose last byte came just before the end of the process is finished by %s',
    async (method) => {
      const path = await create(server, 5);
      const writer = await server.store.openForAppend(blobOf(path), 0, 5);
      await writer.write([Buffer.from('hello')]);
      await writer.close();
      const headers = method === 'PATCH' ? { ...BYTES, 'upload-offset': '5' } : undefined;
      const response = await tus(
        server,
        method,
        path,
        headers,
        method === 'PATCH' ? '' : undefined,
      );
      expect(response.ok).toBe(true);
      expect(response.headers.get('upload-offset')).toBe('5');
      expect((await rowOf(server, path))?.finished_at).toBeTypeOf('number');
    },
  );

  test('leaves nothing when the client went before it could learn the address', async () => {
    const before = await traces(server);
    const cut = open(server, 'POST', '/uploads', {
      'upload-length': 10,
      'content-length': 10,
      'upload-metadata': metadata({ filename: 'cut.bin', id: 'cccccccc' }),
    });
    cut.write('hello');
    await eventually(async () => {
      if ((await traces(server)).length < before.length + 2) throw new Error('Not begun.');
    });
    cut.destroy();
    await eventually(async () => expect(await traces(server)).toEqual(before));
    await create(server, 10, { filename: 'cut.bin', id: 'cccccccc' });
  });

  test('whose creation is repeated is found again, by its owner and for the same file alone', async () => {
    const key = { 'idempotency-key': 'an answer that was lost'.replaceAll(' ', '-') };
    const values = { filename: 'again.bin', id: 'dddddddd' };
    const first = await announce(server, 10, values, key);
    const path = first.headers.get('location') ?? '';
    await patch(server, path, 0, 'hello');
    const again = await announce(server, 10, values, key);
    expect(again.status).toBe(201);
    expect(again.headers.get('location')).toBe(path);
    expect(again.headers.get('upload-offset')).toBe('5');
    const others = [
      await announce(server, 11, { filename: 'again.bin' }, key),
      await announce(server, 10, { filename: 'again.bin' }, { ...key, 'x-user': 'bob' }),
    ];
    for (const other of others) {
      expect(other.status).toBe(201);
      expect(other.headers.get('location')).not.toBe(path);
    }
    const withoutKey = await announce(server, 10, values);
    expect(withoutKey.status).toBe(409);
    const short = await announce(server, 10, values, { 'idempotency-key': 'short' });
    expect(short.status).toBe(400);
  });

  test('is not begun again under the name of one that is about to be removed', async () => {
    const key = { 'idempotency-key': 'twice-the-same-key' };
    const first = await announce(server, 5, { filename: 'gone.bin' }, key);
    const path = first.headers.get('location') ?? '';
    await server.db.deleteFrom('file').where('blob', '=', blobOf(path)).execute();
    await server.db
      .insertInto('unneeded_blob')
      .values({
        blob: blobOf(path),
        due_at: 0,
        quarantined_at: null,
        owner_id: 'alice',
        size_bytes: 5,
      })
      .execute();
    const again = await announce(server, 5, { filename: 'gone.bin' }, key);
    expect(again.headers.get('location')).not.toBe(path);
  });

  test('is resumed by tus-js-client without anybody noticing', { tags: 'long' }, async () => {
    const bytes = randomBytes(8 * MEBIBYTE);
    let cuts = 0;
    const cutOnce = ({ method, socket }: IncomingMessage) => {
      if (method !== 'PATCH' || cuts > 0) return;
      cuts += 1;
      const timer = setInterval(() => {
        if (socket.bytesRead < MEBIBYTE) return;
        clearInterval(timer);
        socket.destroy();
      }, 1);
    };
    server.app.server.on('request', cutOnce);
    const path = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${server.origin}/uploads`,
        headers: { 'x-user': 'alice' },
        metadata: { filename: 'resumed.bin', filetype: 'application/zip' },
        retryDelays: [0, 10, 100],
        onError: reject,
        onSuccess: () => resolve(new URL(upload.url ?? '').pathname),
      });
      upload.start();
    });
    server.app.server.off('request', cutOnce);
    expect(cuts).toBe(1);
    expect(await stored(server, path)).toEqual(bytes);
    expect(await rowOf(server, path)).toMatchObject({
      name: 'resumed.bin',
      media_type: 'application/octet-stream',
      finished_at: expect.any(Number),
    });
  });
});
