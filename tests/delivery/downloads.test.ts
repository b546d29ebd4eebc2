import { beforeAll, describe, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import {
  createLink,
  readMail,
  seeLink,
  sellFile,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

describeOnSqliteFirst('a download', (database) => {
  const app = useApp({ database });
  let seller: Person;
  let url: string;
  let bytes: Buffer;

  beforeAll(async () => {
    seller = await signUp(app);
    const sold = await sellFile(seller, { name: 'page.html', size: 100_000 });
    const buyer = createPerson(app);
    await payFor(buyer, sold.id);
    url = await storageUrl(buyer, (await waitUntilUnlocked(buyer, sold.id)).key ?? '');
    bytes = Buffer.from(sold.bytes);
  });

  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(url, { method, headers });
  const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  test('is a file to keep, whatever its type, and cannot act as a page', async () => {
    const { headers } = await get();
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('content-length')).toBe(String(bytes.length));
    expect(headers.get('accept-ranges')).toBe('bytes');
    expect(headers.get('cache-control')).toBe('private, no-store, no-transform');
  });

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=99990-', 99_990, 100_000],
    ['bytes=-5', 99_995, 100_000],
    ['bytes=50000-199999', 50_000, 100_000],
  ])('answers the range %s', async (range, start, end) => {
    const response = await get({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/100000`);
    expect(await bodyOf(response)).toEqual(bytes.subarray(start, end));
  });

  test('refuses a range beyond its end', async () => {
    const response = await get({ range: 'bytes=100000-' });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */100000');
  });

  test('is continued only while it is the same file', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    expect((await get({ range: 'bytes=10-', 'if-range': etag })).status).toBe(206);
    const other = await get({ range: 'bytes=10-', 'if-range': '"another"' });
    expect(other.status).toBe(200);
    expect((await bodyOf(other)).length).toBe(bytes.length);
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
  });

  test('tells its size to HEAD', async () => {
    const response = await get({}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('100000');
  });

  test('that was broken off does not trouble the next one', async () => {
    for (let count = 0; count < 20; count++) {
      const { body } = await get();
      await body?.cancel();
    }
    expect(await bodyOf(await get())).toEqual(bytes);
  });

  test('is there for the owner and, of a free link, for everybody', async () => {
    const { key } = await uploadFile(seller, { name: 'free.txt', bytes: Buffer.from('free') });
    const { id } = await createLink(seller, { key, unlocked: true });
    const visitor = createPerson(app);
    expect(await seeLink(visitor, id)).toMatchObject({ unlocked: true, key });
    for (const person of [seller, visitor]) {
      expect(await (await fetch(await storageUrl(person, key))).text()).toBe('free');
    }
  });

  test('of a link that was deleted stays with who bought it', async () => {
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    await payFor(buyer, id);
    const { key } = await waitUntilUnlocked(buyer, id);
    const remove = `mutation { deletePaywallLink(input: { id: "${id}" }) { id } }`;
    const query = JSON.stringify({ query: remove });
    await seller.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: query,
    });
    expect((await fetch(await storageUrl(buyer, key ?? ''))).status).toBe(200);
    expect((await createPerson(app).fetch(`/p/${id}`)).status).toBe(404);
  });
});

describe('the address of a download', () => {
  const MINUTE_MS = 60_000;
  let clock: number | undefined;
  const app = useApp({ overrides: { now: () => clock ?? Date.now() } });
  let buyer: Person;
  let id: string;
  let key: string;

  beforeAll(async () => {
    id = (await sellFile(await signUp(app), { size: 10 })).id;
    buyer = createPerson(app);
    await payFor(buyer, id);
    key = (await waitUntilUnlocked(buyer, id)).key ?? '';
  });

  test.each([
    ['ten minutes for a small file', 10, 10],
    ['ten minutes for what takes as long at 50 KiB a second', 600 * 51_200, 10],
    ['as long as a file takes at 50 KiB a second', 1_200 * 51_200, 20],
    ['three hours for what takes as long', 10_800 * 51_200, 180],
    ['three hours for the largest file', 2 ** 50, 180],
  ])('works for %s, and not a moment longer', async (_title, size, minutes) => {
    await runSql(app, `update file set size_bytes = ${size} where key = '${key}'`);
    clock = Date.now();
    const url = await storageUrl(buyer, key);
    clock += minutes * MINUTE_MS - 1;
    // Of a size that is not the file's it says so.
    expect((await fetch(url)).status).toBe(size === 10 ? 200 : 500);
    clock += 1;
    expect((await fetch(url)).status).toBe(410);
    clock = undefined;
  });

  test('and a personal link do not stand for each other', async () => {
    await runSql(app, `update file set size_bytes = 10 where key = '${key}'`);
    const [, , download = ''] = new URL(await storageUrl(buyer, key)).pathname.split('/');
    const { text } = await readMail(app, BUYER_EMAIL, new RegExp(id));
    const personal = /\/access\/(\S+)/.exec(text)?.[1] ?? '';
    expect((await fetch(`${app.origin}/access/${personal}`)).status).toBe(200);
    const codeAt = async (path: string) => {
      const answer = await fetch(app.origin + path, { headers: { accept: 'application/json' } });
      return ((await answer.json()) as { code: string }).code;
    };
    expect(await codeAt(`/access/${download}`)).toBe('ACCESS_LINK_INVALID');
    expect(await codeAt(`/download/${personal}`)).toBe('DOWNLOAD_INVALID');
  });
});

describe('a web address that was bought', () => {
  const app = useApp();

  test('is delivered by a redirect that does not tell where from', async () => {
    const url = 'https://example.com/room?key=1';
    const { id } = await createLink(await signUp(app), { type: 'link', url });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const response = await buyer.fetch(`/p/${id}/content`);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(url);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });
});
