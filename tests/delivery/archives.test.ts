import { randomBytes } from 'node:crypto';
import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import { createLink, signUp, uploadFile, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { runPython } from '../harness/run-python.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const GIBIBYTE = 1024 ** 3;
const BORDER = 4 * GIBIBYTE;
/** PADLINK_LARGE_ARCHIVE=1 fetches and checks all 8 GiB of the large archive. */
const isReadWhole = Boolean(process.env.PADLINK_LARGE_ARCHIVE);

describeOnSqliteFirst('several files of a link', (database) => {
  let clock = 0;
  const app = useApp({ database, overrides: { now: () => Date.now() + clock } });
  const contents = [300_000, 5, 200_000].map((size) => new Uint8Array(randomBytes(size)));
  let seller: Person;
  let buyer: Person;
  let id: string;
  let url: string;

  const wayTo = async (person: Person, query = '') =>
    (await person.fetch(`/p/${id}/content.zip${query}`)).headers.get('location') ?? '';
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(url, { method, headers });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
  const read = (bytes: Buffer): unknown => JSON.parse(runPython(LIST, { input: bytes }));
  const LIST = `
import io, json, sys, zipfile
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
print(json.dumps([archive.testzip(), [[e.filename, e.file_size] for e in archive.infolist()]]))
`;

  beforeAll(async () => {
    seller = await signUp(app);
    const [first, ...others] = await Promise.all(
      contents.map((bytes, index) => uploadFile(seller, { name: `part ${index}.bin`, bytes })),
    );
    const files = [first, ...others].map((upload) => upload?.key ?? '');
    const link = await createLink(seller, { key: first?.key, files, title: 'My album' });
    id = link.id;
    buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    url = app.origin + (await wayTo(buyer));
  });

  test('come as one archive, which can be resumed at any byte', { tags: 'long' }, async () => {
    const answer = await get();
    const whole = await bytesOf(answer);
    expect(answer.headers.get('content-length')).toBe(String(whole.length));
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="My album.zip"');
    expect(read(whole)).toMatchObject([
      null,
      [
        ['part 0.bin', 300_000],
        ['part 1.bin', 5],
        ['part 2.bin', 200_000],
        ['SHA256SUMS', 3 * (64 + 2 + 'part 0.bin\n'.length)],
      ],
    ]);
    const head = await get({}, 'HEAD');
    expect(head.headers.get('content-length')).toBe(String(whole.length));
    const etag = head.headers.get('etag') ?? '';
    for (const first of [1, 299_990, 300_100, 300_180, whole.length - 1]) {
      const part = await get({ range: `bytes=${first}-`, 'if-range': etag });
      expect(part.status).toBe(206);
      expect((await bytesOf(part)).equals(whole.subarray(first))).toBe(true);
    }
    const other = await get({ range: 'bytes=9-', 'if-range': '"other"' });
    expect((await bytesOf(other)).equals(whole)).toBe(true);
    expect((await get({ range: `bytes=${whole.length}-` })).status).toBe(416);
  });

  test('are recorded file by file, and only what was sent of each', async () => {
    const other = createPerson(app);
    await payFor(other, id);
    await waitUntilUnlocked(other, id);
    const way = app.origin + (await wayTo(other));
    await (await fetch(way, { headers: { range: 'bytes=300000-300099' } })).arrayBuffer();
    const newest = 'select id from access_grant order by created_at desc limit 1';
    const deliveries = await eventually(async () => {
      const rows = await withDatabase(app, (db) =>
        db
          .selectFrom('delivery')
          .where('grant_id', '=', sql<string>`(${sql.raw(newest)})`)
          .select(['first_byte', 'bytes_sent'])
          .execute(),
      );
      expect(rows).toHaveLength(2);
      return rows;
    });
    const sent = deliveries.reduce((sum, { bytes_sent }) => sum + bytes_sent, 0);
    expect(sent).toBeLessThan(100);
    expect(deliveries.map(({ first_byte }) => first_byte).sort()[0]).toBe(0);
  });

  test('are there for who bought them, as long as they may have them', async () => {
    for (const person of [createPerson(app), await signUp(app)]) {
      expect(await wayTo(person)).toBe(`/p/${id}`);
    }
    expect(await wayTo(seller)).toMatch(/^\/download\//);
    expect((await buyer.fetch(`/p/${id}/content.zip?version=2`)).status).toBe(404);
    clock = 4 * 60 * 60 * 1000;
    expect((await get()).status).toBe(410);
    const fresh = await buyer.fetch(new URL(url).pathname);
    expect(fresh.status).toBe(302);
    expect((await buyer.fetch(fresh.headers.get('location') ?? '')).status).toBe(200);
    clock = 0;
    await runSql(app, "update access_grant set state = 'suspended'");
    expect((await get()).status).toBe(409);
    await runSql(app, "update access_grant set state = 'ended'");
    expect((await get()).status).toBe(403);
    expect(await wayTo(buyer)).toBe(`/p/${id}`);
    await runSql(app, "update access_grant set state = 'active'");
    expect((await get()).status).toBe(200);
  });

  /** A file that begins with its name; the rest of it is a hole. @returns its key */
  async function uploadHole(name: string, size: number): Promise<string> {
    const { key } = await uploadFile(seller, { name, bytes: new Uint8Array(Buffer.from(name)) });
    let sum = crc32(name);
    const zeros = Buffer.alloc(16 * 1024 ** 2);
    for (let left = isReadWhole ? size - name.length : 0; left > 0; left -= zeros.length) {
      sum = crc32(zeros.subarray(0, left), sum);
    }
    const { blob } = await withDatabase(app, (db) =>
      db
        .updateTable('file')
        .set({ size_bytes: size, sha256: 'a'.repeat(64), crc32: sum })
        .where('key', '=', key)
        .returning('blob')
        .executeTakeFirstOrThrow(),
    );
    await truncate(join(app.dataDir, 'blobs', blob), size);
    return key;
  }

  test('are one archive past 4 GiB too, of which any range is that of the whole', {
    tags: 'long',
  }, async () => {
    // The header of the third lies across the border, the fourth has a position of eight bytes.
    const sizes = [5, BORDER - 130, BORDER + 1_000, 5];
    const files = await Promise.all(sizes.map((size, index) => uploadHole(`${index}.bin`, size)));
    const link = await createLink(seller, { key: files[0], files });
    const way = (await seller.fetch(`/p/${link.id}/content.zip`)).headers.get('location') ?? '';
    const address = app.origin + way;
    const fetchRange = (first: number, end: number) =>
      fetch(address, { headers: { range: `bytes=${first}-${end - 1}` } });
    const { headers } = await fetch(address, { method: 'HEAD' });
    const size = Number(headers.get('content-length'));

    const path = join(app.dataDir, 'whole.zip');
    const whole = await open(path, 'w');
    await whole.truncate(size);
    const near = 100_000;
    const windows = await Promise.all(
      [0, BORDER, 2 * BORDER, size].map(async (middle) => {
        const first = Math.max(middle - near, 0);
        const bytes = await bytesOf(await fetchRange(first, Math.min(middle + near, size)));
        await whole.write(bytes, 0, bytes.length, first);
        return { first, bytes };
      }),
    );
    const anyRange = fc.tuple(fc.constantFrom(...windows), fc.nat(), fc.nat());
    await fc.assert(
      fc.asyncProperty(anyRange, async ([{ first, bytes }, some, other]) => {
        const ends = [some % bytes.length, other % bytes.length];
        const [from, to] = [Math.min(...ends), Math.max(...ends)];
        const part = await bytesOf(await fetchRange(first + from, first + to + 1));
        expect(part.equals(bytes.subarray(from, to + 1))).toBe(true);
      }),
      { numRuns: 50 },
    );
    if (isReadWhole) {
      const zeros = Buffer.alloc(GIBIBYTE / 1024);
      for (const [first, end] of [[0, 3 * GIBIBYTE] as const, [3 * GIBIBYTE, size] as const]) {
        let position = first;
        for await (const chunk of (await fetchRange(first, end)).body ?? []) {
          const isHole = Buffer.from(chunk).equals(zeros.subarray(0, chunk.length));
          if (!isHole) await whole.write(chunk, 0, chunk.length, position);
          position += chunk.length;
        }
        expect(position).toBe(end);
      }
    }
    await whole.close();
    const list = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
read = [archive.open(entry).read(5).decode() for entry in archive.infolist()]
print(json.dumps([archive.testzip() if sys.argv[2] else None, read, [
    entry.file_size for entry in archive.infolist()]]))
`;
    const args = [path, isReadWhole ? 'whole' : ''];
    const [damaged, begins, found] = JSON.parse(runPython(list, { args }));
    expect(damaged).toBeNull();
    expect(begins.slice(0, 4)).toEqual(['0.bin', '1.bin', '2.bin', '3.bin']);
    expect(found.slice(0, 4)).toEqual(sizes);
  });
});
