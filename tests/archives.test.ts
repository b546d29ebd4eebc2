import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { runSql } from './errors/run-sql.ts';
import { createLink, signUp, uploadFile, waitUntilUnlocked } from './factories.ts';
import { eventually } from './harness/eventually.ts';
import { describeOnBothDatabases } from './on-both-databases.ts';
import { payFor } from './payment.ts';
import { createPerson, type Person } from './person.ts';
import { useApp } from './use-app.ts';
import { withDatabase } from './with-database.ts';

describeOnBothDatabases('several files of a link', (database) => {
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
  const read = (bytes: Buffer): unknown =>
    JSON.parse(execFileSync('python3', ['-c', LIST], { input: bytes, encoding: 'utf8' }));
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

  test('come as one archive, which can be resumed at any byte', async () => {
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
});
