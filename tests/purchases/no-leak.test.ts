import { readdirSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import {
  askGraphql,
  createLink,
  publishableKey,
  seeLink,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payFor } from '../factories/payment.ts';
import { deleteLink } from '../factories/stored-files.ts';
import { wav } from '../factories/wav.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const secret = 'the bytes that were paid for';
const target = 'https://secret.example.com/room';

describeOnSqliteFirst('what a visitor without payment gets', (database) => {
  let clock = 0;
  const app = useApp({ database, overrides: { now: () => Date.now() + clock } });
  let seller: Person;
  let buyer: Person;
  let stranger: Person;
  let file: { id: string; key: string; location: string };
  let address: { id: string };
  let downloadUrl: string;
  let successUrl: string;

  beforeAll(async () => {
    seller = await signUp(app);
    const upload = await uploadFile(seller, { name: 'paid.txt', bytes: Buffer.from(secret) });
    file = { ...upload, id: (await createLink(seller, { key: upload.key })).id };
    address = await createLink(seller, { type: 'link', url: target });
    buyer = createPerson(app);
    successUrl = await payFor(buyer, file.id);
    await payFor(buyer, address.id);
    await waitUntilUnlocked(buyer, address.id);
    downloadUrl = await storageUrl(buyer, (await waitUntilUnlocked(buyer, file.id)).key ?? '');
    expect(await (await fetch(downloadUrl)).text()).toBe(secret);
    // The stranger began a checkout as well: holds a claim, but has not paid.
    stranger = createPerson(app);
    await checkOut(stranger, file.id);
  });

  /** Asks as the stranger and as nobody, and finds nothing that was paid for in the answers. */
  async function expectNothing(path: string, init?: RequestInit): Promise<void> {
    for (const person of [stranger, createPerson(app)]) {
      const response = await person.fetch(path, init);
      const answer = [...response.headers.values(), await response.text()].join('\n');
      const found = [secret, target].filter((text) => answer.includes(text));
      expect([...found, ...(/\/download\/[\w-]+/.exec(answer) ?? [])], path).toEqual([]);
    }
  }

  test('the pages', async () => {
    for (const { id } of [file, address]) {
      await expectNothing(`/p/${id}`);
      await expectNothing(`/p/${id}/content`);
      await expectNothing(`/p/${id}/content?open=1`);
      await expectNothing(`/p/${id}/content.zip`);
    }
    await expectNothing('/explore');
    const page = await (await stranger.fetch(`/p/${file.id}`)).text();
    expect(page).not.toContain(file.key);
  });

  test('GraphQL', async () => {
    expect(await seeLink(stranger, file.id)).toMatchObject({ unlocked: false, key: null });
    expect(await seeLink(stranger, address.id)).toMatchObject({ unlocked: false, url: null });
    const list = 'query { listPaywallLinks { items { id key url unlocked files { key } } } }';
    const answer = await askGraphql(stranger, list, {}, await publishableKey(app));
    expect(JSON.stringify(answer)).toContain(file.id);
    expect(JSON.stringify(answer)).not.toContain(file.key);
    expect(JSON.stringify(answer)).not.toContain(target);
  });

  test.each(['key', 'url'])(
    'a GraphQL filter on %s, which would tell by what it finds',
    async (field) => {
      const filter = `query { listPaywallLinks(filter: { ${field}: { beginsWith: "h" } }) { items { id } } }`;
      const answer = await askGraphql(stranger, filter, {}, await publishableKey(app));
      expect(answer.errors).toHaveLength(1);
      expect(answer.data).toBeNull();
    },
  );

  test('the storage calls', async () => {
    const headers = await publishableKey(app);
    await expectNothing(`/storage/url?key=${encodeURIComponent(file.key)}`, { headers });
    await expectNothing(`/storage/url?key=${encodeURIComponent(file.key)}`);
    const list = await stranger.fetch('/storage/list', { headers });
    expect(await list.text()).not.toContain(file.key);
  });

  test('the address of the success page, which the buyer shared', async () => {
    await expectNothing(successUrl);
    expect(await seeLink(stranger, file.id)).toMatchObject({ unlocked: false });
  });

  test('a claim that was never given out', async () => {
    const thief = createPerson(app);
    for (const name of buyer.cookies.keys()) thief.cookies.set(name, 'A'.repeat(43));
    expect(await seeLink(thief, file.id)).toMatchObject({ unlocked: false, key: null });
  });

  test("the buyer's download URL after it expired, which the buyer may renew", async () => {
    clock = 4 * 60 * 60 * 1000;
    try {
      await expectNothing(downloadUrl);
      expect((await stranger.fetch(downloadUrl)).status).toBe(410);
      const renewed = (await buyer.fetch(downloadUrl)).headers.get('location') ?? '';
      expect(await (await buyer.fetch(renewed)).text()).toBe(secret);
      // Browsers that go on with a download follow no redirect.
      const rest = { headers: { range: 'bytes=1-' } };
      expect((await stranger.fetch(downloadUrl, rest)).status).toBe(410);
      const resumed = await buyer.fetch(downloadUrl, rest);
      expect([resumed.status, await resumed.text()]).toEqual([206, secret.slice(1)]);
    } finally {
      clock = 0;
    }
  });

  test('a download URL that was tampered with', async () => {
    const { pathname } = new URL(downloadUrl);
    for (let index = '/download/'.length; index < pathname.length; index += 7) {
      const letter = pathname[index] === 'A' ? 'B' : 'A';
      const token = pathname.slice(0, index) + letter + pathname.slice(index + 1);
      // The name behind the token is decoration: it does not open anything, nor close.
      if (token.split('/')[2] === pathname.split('/')[2]) continue;
      expect((await stranger.fetch(token)).status).toBe(403);
    }
  });

  test('the preview of what was taken down or deleted', async () => {
    const { key } = await uploadFile(seller, { name: 'song.wav', bytes: wav(20) });
    const { id } = await createLink(seller, { key, preview: 'excerpt' });
    const address = await eventually(async () => {
      const found = /\/previews\/\w+\.wav/.exec(await (await stranger.fetch(`/p/${id}`)).text());
      return found?.[0] ?? Promise.reject(new Error('The preview is not made yet'));
    });
    const status = async () => (await stranger.fetch(address)).status;
    expect(await status()).toBe(200);
    await runSql(app, `update link set taken_down_at = 1 where id = '${id}'`);
    expect(await status()).toBe(404);
    await runSql(app, `update link set taken_down_at = null where id = '${id}'`);
    await deleteLink(seller, id);
    expect(await status()).toBe(404);
  });

  test('every route to what was taken down, to its buyer and its seller as well', async () => {
    const routes = [
      new URL(downloadUrl).pathname,
      ...['', '/content', '/content?open=1', '/content.zip', '/receipt'].map(
        (way) => `/p/${file.id}${way}`,
      ),
      `/storage/url?key=${encodeURIComponent(file.key)}`,
      '/storage/list',
      '/explore',
    ];
    const people = [seller, buyer, stranger];
    const given = async (person: Person, route: string) => {
      const answer = await person.fetch(route);
      return [...answer.headers.values(), await answer.text()].join('\n');
    };
    expect(await given(buyer, routes[0] ?? '')).toContain(secret);
    await runSql(app, `update link set taken_down_at = 1 where id = '${file.id}'`);
    try {
      for (const person of people) {
        // Its seller's own files are still listed to the seller.
        for (const route of routes.filter((one) => person !== seller || one !== '/storage/list')) {
          const answer = await given(person, route);
          expect(answer, route).not.toContain(secret);
          expect(answer, route).not.toMatch(/\/download\/[\w-]+/);
          if (route === '/storage/list') expect(answer).not.toContain(file.key);
        }
      }
    } finally {
      await runSql(app, `update link set taken_down_at = null where id = '${file.id}'`);
    }
  });

  test('the upload itself, by tus', async () => {
    const otherSeller = await signUp(app);
    for (const [method, status] of Object.entries({
      GET: 405,
      HEAD: 404,
      PATCH: 415,
      DELETE: 404,
    })) {
      await expectNothing(file.location, { method, headers: { 'tus-resumable': '1.0.0' } });
      const answer = await otherSeller.fetch(file.location, {
        method,
        headers: { 'tus-resumable': '1.0.0' },
      });
      expect(answer.status, method).toBe(status);
    }
    // Finished uploads cannot be read or removed by their owner through tus either.
    for (const [method, status] of Object.entries({ GET: 405, DELETE: 403 })) {
      const answer = await seller.fetch(file.location, {
        method,
        headers: { 'tus-resumable': '1.0.0' },
      });
      expect(answer.status, method).toBe(status);
    }
    expect(await (await fetch(await storageUrl(buyer, file.key))).text()).toBe(secret);
  });

  test('guessed paths of the stored bytes', async () => {
    const stored = readdirSync(app.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        relative(app.dataDir, join(entry.parentPath, entry.name)).split(sep).join('/'),
      );
    expect(stored).toContain(`blobs/${basename(file.location)}`);
    for (const path of stored) {
      for (const guess of [path, basename(path), `data/${path}`, `assets/..%2f..%2fdata/${path}`]) {
        expect((await stranger.fetch(`/${guess}`)).status, guess).toBe(404);
      }
    }
    await expectNothing(`/${file.key}`);
    await expectNothing(`/storage/${file.key}`);
    await expectNothing('/uploads');
  });
});
