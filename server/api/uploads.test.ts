import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  BYTES,
  create,
  metadata,
  tus,
  type UploadServer,
  useUploadServer,
} from './uploads/upload-server.test.support.ts';

const TRICKY_NAME = 'Étude "n°1" – 日本.pdf';

function blobOf(path: string): string {
  return path.split('/').at(-1) ?? '';
}

function rowOf({ db }: UploadServer, path: string) {
  return db.selectFrom('file').selectAll().where('blob', '=', blobOf(path)).executeTakeFirst();
}

describe('an upload', () => {
  const server = useUploadServer();

  test('arrives in pieces and is finished with its last byte', async () => {
    const bytes = randomBytes(300_000);
    const path = await create(server, bytes.length, {
      filename: TRICKY_NAME,
      filetype: 'application/pdf',
      id: '0a1b2c3d',
    });
    const first = await tus(
      server,
      'PATCH',
      path,
      { ...BYTES, 'upload-offset': '0' },
      bytes.subarray(0, 100_000),
    );
    expect(first.status).toBe(204);
    expect(first.headers.get('upload-offset')).toBe('100000');
    const half = await tus(server, 'HEAD', path);
    expect(half.headers.get('upload-offset')).toBe('100000');
    expect((await rowOf(server, path))?.finished_at).toBeNull();
    const rest = await tus(
      server,
      'PATCH',
      path,
      { ...BYTES, 'upload-offset': '100000' },
      bytes.subarray(100_000),
    );
    expect(rest.status).toBe(204);
    const row = await rowOf(server, path);
    expect(row).toMatchObject({
      key: `public/0a1b2c3d-${TRICKY_NAME}`,
      name: TRICKY_NAME,
      media_type: 'application/pdf',
      size_bytes: 300_000,
      owner_id: 'alice',
    });
    expect(row?.finished_at).toBeTypeOf('number');
    expect(await readFile(join(server.dataDir, 'blobs', blobOf(path)))).toEqual(bytes);
    const after = await tus(server, 'HEAD', path);
    expect(after.headers.get('upload-offset')).toBe('300000');
    expect(decodeURIComponent(after.headers.get('upload-key') ?? '')).toBe(row?.key);
  });

  test('may carry its bytes in the creation', async () => {
    const response = await tus(
      server,
      'POST',
      '/uploads',
      { ...BYTES, 'upload-length': '5', 'upload-metadata': metadata({ filename: 'b.txt' }) },
      'hello',
    );
    expect(response.status).toBe(201);
    expect(response.headers.get('upload-offset')).toBe('5');
    const row = await rowOf(server, response.headers.get('location') ?? '');
    expect(row?.finished_at).toBeTypeOf('number');
  });
});
