import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  announceUpload,
  createLink,
  seeLink,
  sendBytes,
  signUp,
  storageUrl,
} from '../factories/factories.ts';
import { type Aim, createAim } from '../harness/aim.ts';
import type { Person } from '../harness/person.ts';
import { createBucket, needS3, s3Settings } from '../harness/s3.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { withDatabase } from '../harness/with-database.ts';
import { createRandom } from './random.ts';

/** Kills of an upload to each store; all of `KILLS` from 30 on. */
const ROUNDS = Number(process.env.PADLINK_KILL_ROUNDS ?? 2);
/** More than a part of a multipart upload has; sent in two requests. */
const SIZE = 6 * 1024 ** 2;
const FIRST = 3 * 1024 ** 2;

type Kill = Aim & { of: string };

const around = (of: string, call: string, nth = 1): Kill[] =>
  (['before', 'during', 'after'] as const).map((moment) => ({ of, call, nth, moment }));

const ROWS = ['insert file', 'update file', 'insert link'].flatMap((call) =>
  around('row insert', call),
);

/**
 * What an upload does with bytes that must not get lost: it writes them, makes them durable, names
 * them, and says so in the database. It renames no file: the folder is synced in place of that. In
 * S3, bytes are durable once the store lists the parts and tells the size of the whole.
 */
const KILLS: Record<string, Kill[][]> = {
  disk: [
    [1, 2, 3].flatMap((nth) => around('write', 'write', nth)),
    [...around('fsync', 'sync file'), ...around('fsync', 'sync file')],
    [...around('rename', 'sync folder'), ...around('rename', 'sync folder')],
    ROWS,
  ],
  s3: [
    [...around('write', 'put tails'), ...[1, 2].flatMap((nth) => around('write', 'put part', nth))],
    [...around('fsync', 'list parts'), ...around('fsync', 'head blobs', 3)],
    [...around('rename', 'complete'), ...around('rename', 'begin')],
    ROWS,
  ],
};

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const random = createRandom();

/** So many, of each kind as many as of the others, in an order that the seed repeats. */
function choose(kinds: Kill[][], count: number): Kill[] {
  const shuffled = kinds.map((kills) =>
    kills
      .map((kill) => ({ kill, at: random.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ kill }) => kill),
  );
  const longest = Math.max(...shuffled.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, index) =>
    shuffled.flatMap((kills) => kills.slice(index, index + 1)),
  );
  return inTurn.flat().slice(0, count);
}

describe.each(['disk', 's3'])('kill -9 during an upload to %s', (kind) => {
  if (kind === 's3') needS3();
  const aim = createAim();
  let app: SpawnedApp;
  let seller: Person;

  beforeAll(async () => {
    const bucket = kind === 's3' ? await createBucket() : null;
    if (kind === 's3' && !bucket) return;
    app = await spawnApp({ env: { ...aim.env, ...(bucket && s3Settings(bucket)) } });
    seller = await signUp(app);
    console.log(`PADLINK_KILL_SEED=${random.seed} repeats these kills.`);
  });
  afterAll(() => app?.stop());

  async function readOffset(location: string): Promise<number> {
    const headers = { 'tus-resumable': '1.0.0' };
    const answer = await seller.fetch(location, { method: 'HEAD', headers });
    expect(answer.status).toBe(200);
    return Number(answer.headers.get('upload-offset'));
  }

  /** Someone who sells a file, and knows what was answered. */
  function createClient(bytes: Uint8Array<ArrayBuffer>) {
    let location = '';
    let key = '';
    let offset = 0;
    return {
      async sell() {
        if (!location) {
          const announced = await announceUpload(seller, { name: 'a.bin', size: SIZE });
          location = announced.headers.get('location') ?? '';
          key = decodeURIComponent(announced.headers.get('upload-key') ?? '');
        }
        while (offset < SIZE) {
          const end = offset < FIRST ? FIRST : SIZE;
          const sent = await sendBytes(seller, location, bytes.subarray(offset, end), offset);
          expect(sent.status).toBe(204);
          offset = end;
        }
        const id = key.slice('public/'.length, -'-a.bin'.length);
        if (!(await seeLink(seller, id))) await createLink(seller, { key });
      },
      async resume() {
        if (!location) return;
        const kept = await readOffset(location);
        expect(kept).toBeGreaterThanOrEqual(offset);
        offset = kept;
      },
      key: () => key,
    };
  }

  const sold = new Map<string, string>();

  /** Every link sells a finished file, and such a file, or this one, holds what was sent. */
  async function expectRightContent(only?: string): Promise<number> {
    const { files, links } = await withDatabase(app, async (db) => ({
      files: await db
        .selectFrom('file')
        .where('finished_at', 'is not', null)
        .select('key')
        .execute(),
      links: await db.selectFrom('link').select('key').execute(),
    }));
    const keys = files.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(links.map(({ key }) => key)));
    for (const key of keys.filter((key) => only === undefined || key === only)) {
      const arrived = await (await fetch(await storageUrl(seller, key))).bytes();
      expect(sha256(arrived)).toBe(sold.get(key));
    }
    return links.length;
  }

  test(
    'never ends in a link with other bytes, wherever it falls',
    async () => {
      const kills = choose(KILLS[kind] ?? [], ROUNDS);
      for (const kill of kills) {
        const bytes = new Uint8Array(randomBytes(SIZE));
        const client = createClient(bytes);
        aim.take(kill);
        await expect(client.sell()).rejects.toThrow();
        await app.kill();
        expect(aim.hits().at(-1)).toEqual(kill);
        aim.take(null);
        await app.start();
        if (client.key()) sold.set(client.key(), sha256(bytes));
        await expectRightContent(client.key());
        await client.resume();
        await client.sell();
        sold.set(client.key(), sha256(bytes));
      }
      expect(await expectRightContent()).toBe(kills.length);
      const hits = Object.groupBy(aim.hits() as Kill[], ({ of }) => of);
      const few = Object.values(hits).filter((of) => (of?.length ?? 0) < (ROUNDS < 30 ? 1 : 5));
      expect(few).toEqual([]);
      console.table(countHits(aim.hits() as Kill[]));
    },
    300_000 + ROUNDS * 30_000,
  );
});

/** How often each call was hit, at each moment. */
function countHits(hits: Kill[]) {
  const ofCall = Object.groupBy(hits, ({ of, call }) => `${of}: ${call}`);
  return Object.fromEntries(
    Object.entries(ofCall).map(([name, all = []]) => {
      const at = (moment: string) => all.filter((hit) => hit.moment === moment).length;
      return [name, { before: at('before'), during: at('during'), after: at('after') }];
    }),
  );
}
