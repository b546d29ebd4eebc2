import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { drawPreview } from '../../server/adapters/previews/draw-preview.ts';
import { openDiskStore } from '../../server/adapters/storage/disk-store.ts';
import { makePreview } from '../../server/catalog/links/preview.ts';
import { sweepUnneededBlobs } from '../../server/files/sweep.ts';
import { enqueue } from '../../server/ground/outbox/jobs.ts';
import { runSql } from '../errors/run-sql.ts';
import {
  createLink,
  graphql,
  publishableKey,
  signUp,
  updateLink,
  uploadFile,
} from '../factories/factories.ts';
import { type Bytes, bombOfPdf, pdf } from '../factories/pdf.ts';
import { deleteLink, listBlobs, RESTORE_LINK } from '../factories/stored-files.ts';
import { wav } from '../factories/wav.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { residentMemory } from '../harness/resident-memory.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

type Preview = { url: string; mediaType: string; width: number | null; height: number | null };
type Seen = { preview: string; previewFile: Preview | null; previewFailed: boolean };

const FRAME = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0]), Buffer.alloc(413, 0x55)]);
/** Two hundred seconds of 128 kbit/s behind a tag. */
const mp3 = () =>
  Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), ...Array(7_660).fill(FRAME)]) as Bytes;

const photo = (format: 'jpeg' | 'png') =>
  sharp({
    create: {
      width: 1600,
      height: 1200,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })
    .toFormat(format)
    .toBuffer() as Promise<Bytes>;

/** A PNG whose head claims a size that its few bytes do not have. */
async function bombOfPng(side: number): Promise<Bytes> {
  const bytes = (await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
    .png()
    .toBuffer()) as Bytes;
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

function draw(bytes: Buffer, preview: 'first-page' | 'blurred' | 'excerpt') {
  const reader = {
    async read(buffer: Uint8Array, length: number, position: number) {
      const part = bytes.subarray(position, position + length);
      buffer.set(part);
      return part.length;
    },
    async close() {},
  };
  return drawPreview(reader, { size: bytes.length, preview });
}

/** The largest difference of two pixels beside each other: little of it is left by a blur. */
async function sharpnessOf(picture: Uint8Array = Buffer.alloc(0)): Promise<number> {
  const { data, info } = await sharp(picture)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let most = 0;
  for (let at = 1; at < data.length; at += 1) {
    if (at % info.width === 0) continue;
    most = Math.max(most, Math.abs((data[at] ?? 0) - (data[at - 1] ?? 0)));
  }
  return most;
}

describe('a preview, made in a process of its own', () => {
  test('the first page of a document is 800 pixels wide, and blurred when it is the only one', async () => {
    const [first, only] = await Promise.all([
      draw(pdf(2), 'first-page'),
      draw(pdf(1), 'first-page'),
    ]);
    expect(first).toMatchObject({ mediaType: 'image/webp', width: 800, height: 1035 });
    expect(await sharpnessOf(first?.bytes)).toBeGreaterThan(60);
    expect(only).toMatchObject({ mediaType: 'image/webp', height: 640 });
    expect(await sharpnessOf(only?.bytes)).toBeLessThan(20);
  });

  test('a picture is blurred beyond recognition of its details', async () => {
    const original = await photo('jpeg');
    const made = await draw(original, 'blurred');
    expect(made).toMatchObject({ mediaType: 'image/webp', width: 640, height: 480 });
    expect(await sharpnessOf(original)).toBeGreaterThan(60);
    expect(await sharpnessOf(made?.bytes)).toBeLessThan(20);
    expect(made?.bytes.length).toBeLessThan(original.length / 10);
  });

  test('of a recording, the first 30 seconds are cut out, and never more than a quarter', {
    tags: 'long',
  }, async () => {
    const song = mp3();
    const excerpt = await draw(song, 'excerpt');
    expect(excerpt?.mediaType).toBe('audio/mpeg');
    // 1,149 frames of 1,152 samples last 30 seconds.
    expect(excerpt?.bytes).toEqual(song.subarray(10, 10 + 1_149 * 417));
    const short = await draw(wav(20), 'excerpt');
    expect(short?.mediaType).toBe('audio/wav');
    expect(short?.bytes.length).toBe(44 + 5 * 8_000);
  });

  test.each([
    ['a picture of 50,000 by 50,000 pixels', 'blurred', () => bombOfPng(50_000)],
    ['a document that becomes a gibibyte', 'first-page', async () => bombOfPdf()],
    [
      'a recording whose tag never ends',
      'excerpt',
      async () => Buffer.from(`ID3\x04\0\0\x7f\x7f\x7f\x7f${'\0'.repeat(100_000)}`, 'latin1'),
    ],
    ['a document of noise', 'first-page', async () => Buffer.from('%PDF-1.7 and nothing else')],
  ] as const)('%s has none, and hurts nobody', { tags: 'long' }, async (_what, preview, make) => {
    const bytes = await make();
    const before = residentMemory(process.pid);
    expect(await draw(bytes, preview)).toBeNull();
    expect(residentMemory(process.pid) - before).toBeLessThan(64 * 1024 ** 2);
  });
});

describeOnSqliteFirst('the preview of a link', (database) => {
  const app = useApp({ database });
  let creator: Person;
  let visitor: Person;

  beforeAll(async () => {
    creator = await signUp(app);
    visitor = createPerson(app);
  });

  const upload = async (name: string, bytes: Bytes) =>
    (await uploadFile(creator, { name, bytes })).key;
  const see = async (person: Person, id: string) =>
    (
      await graphql<{ getPaywallLink: Seen }>(
        person,
        `{ getPaywallLink(id: "${id}") {
          preview previewFile { url mediaType width height } previewFailed
        } }`,
        {},
        person === visitor ? await publishableKey(app) : {},
      )
    ).getPaywallLink;
  const made = (id: string, not = '') =>
    eventually(async () => {
      const { previewFile } = await see(creator, id);
      expect(previewFile?.url ?? not).not.toBe(not);
      return previewFile as Preview;
    });
  const statusOf = async (path: string) => (await visitor.fetch(path)).status;

  test('is shown on the page, renewed with each version, and gone with its link', {
    tags: 'long',
  }, async () => {
    const key = await upload('book.pdf', pdf(3));
    const { id } = await createLink(creator, { key, preview: 'first-page' });
    const first = await made(id);
    expect(first).toEqual({
      url: expect.stringMatching(/^\/previews\/[0-9a-f]{32}\.webp$/),
      mediaType: 'image/webp',
      width: 800,
      height: 1035,
    });
    const answer = await visitor.fetch(first.url);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const html = await (await visitor.fetch(`/p/${id}`)).text();
    expect(html).toMatch(
      new RegExp(
        `<img[^>]*height="1035"[^>]*loading="lazy"[^>]*src="${first.url}"[^>]*width="800"`,
      ),
    );
    await updateLink(creator, { id, title: 'A book' });
    expect((await see(visitor, id)).previewFile).toEqual(first);
    await updateLink(creator, { id, key: await upload('second.pdf', pdf(2)) });
    const second = await made(id, first.url);
    expect(await statusOf(first.url)).toBe(404);

    const takeDown = (time: string) =>
      runSql(app, `update link set taken_down_at = ${time} where id = '${id}'`);
    await takeDown('1');
    expect(await statusOf(second.url)).toBe(404);
    await takeDown('null');
    expect(await statusOf(second.url)).toBe(200);
    await deleteLink(creator, id);
    expect(await statusOf(second.url)).toBe(404);
    await graphql(creator, RESTORE_LINK, { id });
    const third = await made(id, second.url);
    expect(await statusOf(third.url)).toBe(200);
    await updateLink(creator, { id, preview: 'none' });
    expect(await statusOf(third.url)).toBe(404);
    const store = await openDiskStore(app.dataDir);
    await withDatabase(app, (db) => sweepUnneededBlobs({ db, store, now: Date.now }));
    const names = await listBlobs(app.dataDir);
    for (const { url } of [first, second, third]) expect(names).not.toContain(url.slice(10, 42));
  });

  test('is refused where it does not fit, and ends where another version does not fit it', {
    tags: 'long',
  }, async () => {
    const song = await upload('song.mp3', mp3());
    await expect(createLink(creator, { key: song, preview: 'first-page' })).rejects.toThrow(
      "The preview of this link can be 'none' or 'excerpt'.",
    );
    const address = { type: 'link', url: 'https://example.com/', preview: 'excerpt' };
    await expect(createLink(creator, address)).rejects.toThrow(/No preview can be made/);
    const { id } = await createLink(creator, { key: song, preview: 'excerpt' });
    const { url } = await made(id);
    const part = await visitor.fetch(url, { headers: { range: 'bytes=0-1' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.bytes())).toEqual(FRAME.subarray(0, 2));
    await updateLink(creator, {
      id,
      key: await upload('words.txt', Buffer.from('hello') as Bytes),
    });
    expect(await see(creator, id)).toMatchObject({ preview: 'none', previewFile: null });
    expect(await statusOf(url)).toBe(404);
  });

  test('its owner alone is told that none can be made', { tags: 'long' }, async () => {
    const key = await upload('broken.pdf', Buffer.from('%PDF-1.7 and nothing else') as Bytes);
    const { id } = await createLink(creator, { key, preview: 'first-page' });
    await eventually(async () => expect((await see(creator, id)).previewFailed).toBe(true));
    expect(await see(visitor, id)).toMatchObject({ previewFile: null, previewFailed: false });
  });

  test('waits while its file is to be checked, and fails once nobody will check it', {
    tags: 'long',
  }, async () => {
    const key = await upload('late.pdf', pdf(1));
    const { id } = await createLink(creator, { key, preview: 'first-page' });
    await made(id);
    await runSql(app, `update link set preview_blob = null where id = '${id}'`);
    await runSql(app, `update file set checked_at = null where key = '${key}'`);
    const store = await openDiskStore(app.dataDir);
    await withDatabase(app, async (db) => {
      const context = { db, store, drawPreview: () => expect.unreachable(), now: () => 1 };
      const asked: number[] = [];
      const make = () => makePreview(context, id, (at) => asked.push(at));
      await expect(make()).rejects.toThrow(/check-file was given up/);
      const file = db.selectFrom('file').where('key', '=', key).select('blob');
      const { blob } = await file.executeTakeFirstOrThrow();
      await enqueue(db, 'check-file', { blob }, 1, Number.MAX_SAFE_INTEGER);
      await make();
      expect(asked).toHaveLength(1);
      await db.updateTable('job').set({ died_at: 1 }).where('kind', '=', 'check-file').execute();
      await expect(make()).rejects.toThrow(/check-file was given up/);
    });
  });
});
