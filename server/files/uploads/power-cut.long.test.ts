import { createHash, randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  announceUpload,
  createLink,
  sendBytes,
  signUp,
  storageUrl,
} from '../../../tests/factories/factories.ts';
import { eventually } from '../../../tests/harness/eventually.ts';
import { type SpawnedApp, spawnApp } from '../../../tests/harness/spawn-app.ts';

const SIZE = 8 * 1024 * 1024;

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('a power cut during an upload', () => {
  let app: SpawnedApp;
  beforeAll(async () => {
    app = await spawnApp();
  });
  afterAll(() => app?.stop());

  test('loses nothing that was stored: the upload goes on after the restart', async () => {
    const seller = await signUp(app);
    const bytes = new Uint8Array(randomBytes(SIZE));
    const announced = await announceUpload(seller, { name: 'large.bin', size: SIZE });
    const location = announced.headers.get('location') ?? '';
    const half = bytes.subarray(0, SIZE / 2);
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(half),
    });
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    };
    const cut = seller
      .fetch(location, { method: 'PATCH', headers, body, duplex: 'half' })
      .catch((error: unknown) => error);
    await eventually(async () => {
      const { size } = await stat(join(app.dataDir, 'blobs', location.slice('/uploads/'.length)));
      if (size === 0) throw new Error('Nothing is stored yet.');
    });
    await app.kill();
    expect(await cut).toBeInstanceOf(Error);
    await app.start();

    const state = await seller.fetch(location, {
      method: 'HEAD',
      headers: { 'tus-resumable': '1.0.0' },
    });
    const offset = Number(state.headers.get('upload-offset'));
    expect(offset).toBeGreaterThan(0);
    expect((await sendBytes(seller, location, bytes.subarray(offset), offset)).status).toBe(204);
    const key = decodeURIComponent(announced.headers.get('upload-key') ?? '');
    await createLink(seller, { key });
    const download = await fetch(await storageUrl(seller, key));
    expect(sha256(new Uint8Array(await download.arrayBuffer()))).toBe(sha256(bytes));
  });
});
