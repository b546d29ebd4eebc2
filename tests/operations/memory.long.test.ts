import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announceUpload, signUp, storageUrl } from '../factories/factories.ts';
import { skipWithout } from '../harness/needs.ts';
import type { Person } from '../harness/person.ts';
import { residentMemory } from '../harness/resident-memory.ts';
import { runCli } from '../harness/run-command.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const MEBIBYTE = 1024 * 1024;
/** PADLINK_MEMORY_TEST_MIB=1024 is the size that the promises are made for. */
const atSize = Number(process.env.PADLINK_MEMORY_TEST_MIB ?? 0) * MEBIBYTE;

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

/** Every mebibyte of a file differs from its neighbors, and from those of another `seed`. */
function* generateBytes(size: number, seed = 0): Generator<Buffer> {
  for (let number = 0; number < size / MEBIBYTE; number++) {
    const block = Buffer.alloc(MEBIBYTE, number);
    block.writeUInt32BE(seed);
    yield block;
  }
}

function hash(chunks: Iterable<Uint8Array>): string {
  const sum = createHash('sha256');
  for (const chunk of chunks) sum.update(chunk);
  return sum.digest('hex');
}

async function hashBody({ body }: Response): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of body ?? []) sum.update(chunk);
  return sum.digest('hex');
}

describe('resident memory', () => {
  let app: SpawnedApp;
  let seller: Person;
  let idle: number;

  beforeAll(async () => {
    if (process.platform !== 'linux') return;
    app = await spawnApp();
    seller = await signUp(app);
    idle = residentMemory(app.pid());
  });
  afterAll(() => app?.stop());

  /** @returns its key */
  async function upload(size: number, seed = 0): Promise<string> {
    const announced = await announceUpload(seller, { name: `${seed}.bin`, size });
    const { status } = await seller.fetch(announced.headers.get('location') ?? '', {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: Readable.toWeb(Readable.from(generateBytes(size, seed))) as ReadableStream<Uint8Array>,
      duplex: 'half',
    });
    expect(status).toBe(204);
    return decodeURIComponent(announced.headers.get('upload-key') ?? '');
  }

  test('stays within 64 MiB above idle while a large file goes up and down', async () => {
    if (process.platform !== 'linux') return skipWithout('linux');
    const size = atSize || 256 * MEBIBYTE;
    const sending = upload(size);
    const peakUp = await peakDuring(app.pid(), sending);
    const url = await storageUrl(seller, await sending);
    const receiving = fetch(url).then(hashBody);
    const peakDown = await peakDuring(app.pid(), receiving);
    expect(await receiving).toBe(hash(generateBytes(size)));
    const allowed = idle + 64 * MEBIBYTE;
    expect({
      upload: Math.max(0, peakUp - allowed),
      download: Math.max(0, peakDown - allowed),
    }).toEqual({ upload: 0, download: 0 });
  });

  test('stays within 128 MiB above idle while 20 upload and 50 download, ten of them slowly', async () => {
    if (process.platform !== 'linux') return skipWithout('linux');
    const size = atSize || 4 * MEBIBYTE;
    const url = await storageUrl(seller, await upload(size, 100));
    const work = async () => {
      // Nothing of these is read before all others have ended.
      const slow = await Promise.all(Array.from({ length: 10 }, () => fetch(url)));
      const [received] = await Promise.all([
        Promise.all(Array.from({ length: 40 }, async () => hashBody(await fetch(url)))),
        Promise.all(Array.from({ length: 20 }, (_, seed) => upload(size, 200 + seed))),
      ]);
      return [...received, ...(await Promise.all(slow.map(hashBody)))];
    };
    const working = work();
    const peak = await peakDuring(app.pid(), working);
    const sent = hash(generateBytes(size, 100));
    expect(await working).toEqual(Array.from({ length: 50 }, () => sent));
    const hashes = await withDatabase(app, (db) =>
      db.selectFrom('file').where('name', 'like', '2__.bin').select('sha256').execute(),
    );
    const expected = Array.from({ length: 20 }, (_, seed) => hash(generateBytes(size, 200 + seed)));
    expect(hashes.map(({ sha256 }) => sha256).sort()).toEqual(expected.sort());
    expect(await runCli(app.env, 'storage', 'verify')).toMatchObject({ status: 0 });
    expect(Math.max(0, peak - idle - 128 * MEBIBYTE)).toBe(0);
  }, 600_000);
});
