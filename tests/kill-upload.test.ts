import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announceUpload, createLink, sendBytes, signUp, storageUrl } from './factories.ts';
import type { Person } from './person.ts';
import { createBucket, needS3, s3Settings } from './s3.ts';
import { type SpawnedApp, spawnApp } from './spawn-app.ts';

/** Of kills in all. */
const ROUNDS = Number(process.env.PADLINK_KILL_ROUNDS ?? 2);
const SIZE = 6 * 1024 ** 2;
/** Of a request that is being killed, and milliseconds between two of them. */
const PIECE = 512 * 1024;
const PAUSE_MS = 45;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each(['disk', 's3'])('kill -9 during an upload to %s', (kind) => {
  if (kind === 's3') needS3();
  let app: SpawnedApp;
  let seller: Person;

  beforeAll(async () => {
    const bucket = kind === 's3' ? await createBucket() : null;
    if (kind === 's3' && !bucket) return;
    app = await spawnApp({ env: { ...(bucket && s3Settings(bucket)) } });
    seller = await signUp(app);
  });
  afterAll(() => app?.stop());

  async function readState(location: string): Promise<number> {
    const headers = { 'tus-resumable': '1.0.0' };
    const answer = await seller.fetch(location, { method: 'HEAD', headers });
    expect(answer.status).toBe(200);
    return Number(answer.headers.get('upload-offset'));
  }

  /** As a slow line would; killed somewhere between the first byte and the finished upload. */
  async function sendAndKill(location: string, bytes: Uint8Array, offset: number): Promise<void> {
    const body = async function* () {
      for (let begin = offset; begin < bytes.length; begin += PIECE) {
        yield bytes.subarray(begin, begin + PIECE);
        await sleep(PAUSE_MS);
      }
    };
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    };
    const sent = seller
      .fetch(location, {
        method: 'PATCH',
        headers,
        body: Readable.toWeb(Readable.from(body())) as ReadableStream,
        duplex: 'half',
      })
      .catch(() => {});
    await sleep(((bytes.length - offset) / PIECE) * PAUSE_MS * 1.3 * Math.random());
    await app.kill();
    await sent;
    await app.start();
  }

  test('never ends in a file with other bytes', async () => {
    for (let round = 0; round < ROUNDS; ) {
      const bytes = new Uint8Array(randomBytes(SIZE));
      const announced = await announceUpload(seller, { name: `${round}.bin`, size: SIZE });
      const location = announced.headers.get('location') ?? '';
      let offset = 0;
      do {
        await sendAndKill(location, bytes, offset);
        round += 1;
        const kept = await readState(location);
        // What was told to the client stays.
        expect(kept).toBeGreaterThanOrEqual(offset);
        offset = kept;
      } while (offset < SIZE && round % 2 !== 0);
      if (offset < SIZE) await sendBytes(seller, location, bytes.subarray(offset), offset);
      expect(await readState(location)).toBe(SIZE);
      const key = decodeURIComponent(announced.headers.get('upload-key') ?? '');
      await createLink(seller, { key });
      const arrived = await (await fetch(await storageUrl(seller, key))).bytes();
      expect(sha256(arrived)).toBe(sha256(bytes));
    }
  });
});
