import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDiskStore } from '../../server/adapters/storage/disk-store.ts';
import { sweepUnneededBlobs } from '../../server/files/sweep.ts';
import { runSql } from '../errors/run-sql.ts';
import { createLink, graphql, signUp } from '../factories/factories.ts';
import { deleteLink, listBlobs } from '../factories/stored-files.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { residentMemory } from '../harness/resident-memory.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

type Cover = { url: string; width: number; height: number };
type Bytes = Buffer<ArrayBuffer>;

const ADDRESS = { type: 'link', url: 'https://example.com/' };
const DAY_MS = 24 * 60 * 60 * 1000;

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#b5651d' } });

/** A PNG whose head claims a size that its few bytes do not have. */
async function bomb(width: number, height: number): Promise<Bytes> {
  const bytes = (await picture(1, 1).png().toBuffer()) as Bytes;
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

describeOnSqliteFirst('the cover of a link', (database) => {
  const app = useApp({ database });
  let creator: Person;
  let id: string;

  // A creator of its own each: covers of an account are limited.
  beforeEach(async () => {
    creator = await signUp(app);
    ({ id } = await createLink(creator, ADDRESS));
  });

  afterEach(() => creator.fetch(`/p/${id}/cover`, { method: 'DELETE' }));

  const send = (person: Person, body: Uint8Array<ArrayBuffer>, headers = {}) =>
    person.fetch(`/p/${id}/cover`, { method: 'PUT', body, headers });
  const sendOwn = async (body: Buffer) =>
    readJson<Cover>(await send(creator, body as Bytes, { 'content-type': 'image/png' }));
  const coverOf = async (link: string) =>
    (
      await graphql<{ getPaywallLink: { cover: Cover | null } | null }>(
        creator,
        `{ getPaywallLink(id: "${link}") { cover { url width height } } }`,
      )
    ).getPaywallLink?.cover;
  const statusOf = async (path: string) => (await createPerson(app).fetch(path)).status;
  const blobs = () => listBlobs(app.dataDir);

  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
    'a %s becomes a WebP of at most 1200 by 675 without metadata, kept for ever at its address',
    { tags: 'long' },
    async (format) => {
      const photo = picture(1600, 1600).withExif({ IFD0: { Copyright: 'Secret place' } });
      const cover = await sendOwn(await photo.toFormat(format).toBuffer());
      expect(cover).toEqual({
        url: expect.stringMatching(/^\/covers\/[0-9a-f]{32}\.webp$/),
        width: 675,
        height: 675,
      });
      expect(await coverOf(id)).toEqual(cover);
      const answer = await createPerson(app).fetch(cover.url);
      expect(answer.headers.get('content-type')).toBe('image/webp');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const kept = await sharp(await answer.bytes()).metadata();
      expect(kept).toMatchObject({ format: 'webp', width: 675, height: 675 });
      expect(kept.exif).toBeUndefined();
    },
  );

  test('a new cover replaces the old one, whose bytes are gone, and the page shows it', async () => {
    const first = await sendOwn(await picture(400, 300).png().toBuffer());
    const second = await sendOwn(await picture(300, 400).png().toBuffer());
    expect(await statusOf(first.url)).toBe(404);
    expect(await blobs()).toHaveLength(1);
    const html = await (await createPerson(app).fetch(`/p/${id}`)).text();
    expect(html).toMatch(
      new RegExp(`<img[^>]*height="400"[^>]*src="${second.url}"[^>]*width="300"`),
    );
    const removed = await creator.fetch(`/p/${id}/cover`, { method: 'DELETE' });
    expect(removed.status).toBe(204);
    expect(await coverOf(id)).toBeNull();
    expect(await statusOf(second.url)).toBe(404);
    expect(await blobs()).toEqual([]);
  });

  test.each([
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /not a picture/],
    ['text named PNG', () => Buffer.from('hello'), /not a picture/],
    ['nothing', () => Buffer.alloc(0), /not a picture/],
    [
      'a damaged PNG',
      async () =>
        (await picture(900, 900).png({ compressionLevel: 0 }).toBuffer()).subarray(0, 9_000),
      /damaged/,
    ],
    ['a PNG that claims 65,000 by 65,000 pixels', () => bomb(65_000, 65_000), /50 million pixels/],
    ['a PNG that claims more than it holds', () => bomb(7_000, 7_000), /damaged/],
  ])('%s is refused without taking memory', { tags: 'long' }, async (_what, make, message) => {
    const body = (await make()) as Bytes;
    const before = residentMemory(process.pid);
    const answer = await send(creator, body, { 'content-type': 'image/png' });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      code: 'INVALID_IMAGE',
      detail: expect.stringMatching(message),
    });
    expect(residentMemory(process.pid) - before).toBeLessThan(64 * 1024 * 1024);
    expect(await blobs()).toEqual([]);
  });

  test('more than 10 MiB are refused', async () => {
    const answer = await send(creator, new Uint8Array(10 * 1024 * 1024 + 1));
    expect(answer.status).toBe(413);
  });

  test('only its owner changes the cover of a link, and only from this site', async () => {
    const bytes = (await picture(10, 10).png().toBuffer()) as Bytes;
    expect((await send(createPerson(app), bytes)).status).toBe(401);
    expect((await send(await signUp(app), bytes)).status).toBe(401);
    const elsewhere = { origin: 'https://evil.example' };
    expect((await send(creator, bytes, elsewhere)).status).toBe(403);
    expect((await creator.fetch('/p/00000000/cover', { method: 'PUT', body: bytes })).status).toBe(
      404,
    );
    expect(await coverOf(id)).toBeNull();
  });

  test('the cover goes with its link: at once from its address, and swept a day later', async () => {
    const cover = await sendOwn(await picture(40, 30).png().toBuffer());
    const store = await openDiskStore(app.dataDir);
    const sweep = () =>
      withDatabase(app, (db) =>
        sweepUnneededBlobs({ db, store, now: () => Date.now() + 2 * DAY_MS }),
      );
    await sweep();
    expect(await statusOf(cover.url)).toBe(200);
    const takeDown = (time: string) =>
      runSql(app, `update link set taken_down_at = ${time} where id = '${id}'`);
    await takeDown('1');
    expect(await statusOf(cover.url)).toBe(404);
    await takeDown('null');
    expect(await statusOf(cover.url)).toBe(200);
    await deleteLink(creator, id);
    expect(await statusOf(cover.url)).toBe(404);
    await sweep();
    expect(await blobs()).toEqual([]);
  });
});
