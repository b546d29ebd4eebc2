import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announceUpload, createLink, signUp, storageUrl } from './factories.ts';
import { skipWithout } from './harness/needs.ts';
import { residentMemory } from './harness/resident-memory.ts';
import type { Person } from './person.ts';
import { type SpawnedApp, spawnApp } from './spawn-app.ts';

const MEBIBYTE = 1024 * 1024;
/** PADLINK_MEMORY_TEST_MIB=1024 is the size that the promise is made for. */
const size = Number(process.env.PADLINK_MEMORY_TEST_MIB ?? 256) * MEBIBYTE;
const allowance = 64 * MEBIBYTE;

/** Samples every 100 ms while the work goes on. Returns the peak in bytes. */
async function peakDuring(pid: number, work: Promise<unknown>): Promise<number> {
  let peak = 0;
  let isDone = false;
  const finished = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    peak = Math.max(peak, residentMemory(pid));
    await Promise.race([sleep(100), finished]);
  }
  await finished;
  return peak;
}

/** Every mebibyte of the file differs from its neighbors. */
function* generateBytes(): Generator<Buffer> {
  for (let number = 0; number < size / MEBIBYTE; number++) yield Buffer.alloc(MEBIBYTE, number);
}

describe('resident memory', () => {
  let app: SpawnedApp;
  let seller: Person;

  beforeAll(async () => {
    app = await spawnApp();
    seller = await signUp(app);
  });
  afterAll(() => app?.stop());

  test('stays within 64 MiB above idle while a large file goes up and down', async () => {
    if (process.platform !== 'linux') return skipWithout('linux');
    const idle = residentMemory(app.pid());
    const announced = await announceUpload(seller, { name: 'large.bin', size });
    const upload = seller.fetch(announced.headers.get('location') ?? '', {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: Readable.toWeb(Readable.from(generateBytes())) as ReadableStream<Uint8Array>,
      duplex: 'half',
    });
    const peakUp = await peakDuring(app.pid(), upload);
    expect((await upload).status).toBe(204);

    const key = decodeURIComponent(announced.headers.get('upload-key') ?? '');
    await createLink(seller, { key });
    const received = createHash('sha256');
    const download = async () => {
      const response = await fetch(await storageUrl(seller, key));
      for await (const chunk of response.body ?? []) received.update(chunk);
    };
    const peakDown = await peakDuring(app.pid(), download());

    const sent = createHash('sha256');
    for (const bytes of generateBytes()) sent.update(bytes);
    expect(received.digest('hex')).toBe(sent.digest('hex'));
    expect({
      upload: Math.max(0, peakUp - idle - allowance),
      download: Math.max(0, peakDown - idle - allowance),
    }).toEqual({ upload: 0, download: 0 });
  }, 300_000);
});
