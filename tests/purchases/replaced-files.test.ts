import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import {
  createLink,
  graphql,
  publishableKey,
  readMail,
  sellFile,
  signUp,
  storageUrl,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, checkOut, payAt, payFor } from '../factories/payment.ts';
import { deleteFile, deleteLink, storedKeys } from '../factories/stored-files.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

interface SoldFile {
  key: string;
  bytes: Uint8Array;
}

interface SeenContent {
  key: string | null;
  unlocked: boolean;
  files: { key: string; size: number }[] | null;
}

describeOnSqliteFirst('a link whose file was replaced', (database) => {
  const app = useApp({ database });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  /** A link on sale, and what puts another file in the place of its first. */
  async function sell() {
    const { id, key: sold, bytes } = await sellFile(seller, { name: 'first.pdf' });
    const first = { key: sold ?? '', bytes };
    async function replace() {
      const other = new Uint8Array(randomBytes(700));
      const { key } = await uploadFile(seller, {
        name: 'second.txt',
        bytes: other,
        type: 'text/plain',
      });
      await updateLink(seller, { id, key });
      return { key, bytes: other };
    }
    return { id, first, replace };
  }

  async function buy(person: Person, id: string): Promise<Person> {
    await payFor(person, id);
    await waitUntilUnlocked(person, id);
    return person;
  }

  async function see(person: Person, id: string): Promise<SeenContent | null> {
    const query =
      'query ($id: ID!) { getPaywallLink(id: $id) { key unlocked files { key size } } }';
    const headers = await publishableKey(app);
    const answer = await graphql<{ getPaywallLink: SeenContent | null }>(
      person,
      query,
      { id },
      headers,
    );
    return answer.getPaywallLink;
  }

  const seeVersions = async (person: Person, id: string) => {
    const query = `query ($id: ID!) { getPaywallLink(id: $id) { version bought
      newer { number files { key } buyers } versions { number files { key } buyers } } }`;
    const headers = await publishableKey(app);
    const answer = await graphql<{ getPaywallLink: { versions: unknown } | null }>(
      person,
      query,
      { id },
      headers,
    );
    return answer.getPaywallLink;
  };

  const content = async (person: Person, id: string, file = 0, version = '') => {
    const answer = await person.fetch(`/p/${id}/content?file=${file}${version}`);
    const target = answer.headers.get('location') ?? '';
    if (!target.startsWith('/download/')) return target;
    return new Uint8Array(await (await person.fetch(target)).arrayBuffer());
  };

  const mayFetch = async (person: Person, key: string) => {
    const path = `/storage/url?key=${encodeURIComponent(key)}`;
    return (await person.fetch(path, { headers: await publishableKey(app) })).status === 200;
  };

  async function expectFiles(
    person: Person,
    id: string,
    files: SoldFile[],
    { newer, foreign }: { newer?: SoldFile; foreign?: SoldFile } = {},
  ): Promise<void> {
    const keys = files.map(({ key }) => key);
    const seen = await see(person, id);
    expect(seen?.files?.map(({ key }) => key)).toEqual(keys);
    expect(seen?.key).toBe(keys[0]);
    expect(seen?.files?.map(({ size }) => size)).toEqual(files.map(({ bytes }) => bytes.length));
    for (const [index, { key, bytes }] of files.entries()) {
      expect(await content(person, id, index)).toEqual(bytes);
      const stored = await fetch(await storageUrl(person, key));
      expect(new Uint8Array(await stored.arrayBuffer())).toEqual(bytes);
    }
    const listed = await storedKeys(person);
    if (newer) {
      expect(await content(person, id, 0, '&version=2')).toEqual(newer.bytes);
      expect(await mayFetch(person, newer.key)).toBe(true);
      expect(listed).toContain(newer.key);
    }
    expect(listed).toEqual(expect.arrayContaining(keys));
    if (!foreign) return;
    expect(listed).not.toContain(foreign.key);
    expect(await mayFetch(person, foreign.key)).toBe(false);
  }

  test('gives its buyers what they bought, on every way, and its seller cannot take that away', async () => {
    const { id, first, replace } = await sell();
    const buyer = await buy(createPerson(app), id);
    const earlier = await storageUrl(buyer, first.key);
    const second = await replace();

    expect(await deleteFile(seller, first.key)).toMatchObject({ status: 409, code: 'FILE_IN_USE' });
    await expectFiles(buyer, id, [first], { newer: second });
    expect((await fetch(earlier)).status).toBe(200);
    const page = await (await buyer.fetch(`/p/${id}`)).text();
    expect(page).toContain('first.pdf');
    expect(page).toContain('1.0 kB');
    for (const words of ['Version 2 is available', 'second.txt', '700 bytes']) {
      expect(page).toContain(words);
    }
    expect(page).toContain('You bought version 1');

    const newcomer = await buy(createPerson(app), id);
    await expectFiles(newcomer, id, [second], { foreign: first });
    await deleteLink(seller, id);
    expect(await deleteFile(seller, first.key)).toMatchObject({ status: 409, code: 'FILE_IN_USE' });
    expect(await deleteFile(seller, second.key)).toMatchObject({ status: 409 });
    await expectFiles(buyer, id, [first], { foreign: second });
    await expectFiles(newcomer, id, [second], { foreign: first });
  });

  test('gives what was bought by the personal link as well', async () => {
    const { id, first, replace } = await sell();
    await buy(createPerson(app), id);
    const personal = await eventually(async () => {
      const { text } = await readMail(app, BUYER_EMAIL, /./);
      const url = /https?:\/\/\S+\/access\/\S+/.exec(text)?.[0] ?? '';
      const browser = createPerson(app);
      const answer = await browser.fetch(url, { method: 'POST' });
      expect(answer.headers.get('location')).toBe(`/p/${id}`);
      return url;
    });
    const second = await replace();
    const elsewhere = createPerson(app);
    await elsewhere.fetch(personal, { method: 'POST' });
    await expectFiles(elsewhere, id, [first], { newer: second });
  });

  test('gives its owner, and everybody once it is free, what it holds now', async () => {
    const { id, first, replace } = await sell();
    const buyer = await buy(createPerson(app), id);
    const second = await replace();
    expect((await see(seller, id))?.key).toBe(second.key);
    expect(await content(seller, id)).toEqual(second.bytes);
    await updateLink(seller, { id, unlocked: true });
    expect((await see(createPerson(app), id))?.files?.map(({ key }) => key)).toEqual([second.key]);
    expect(await mayFetch(createPerson(app), first.key)).toBe(false);
    // Who paid has what was bought, and what everybody has.
    const keys = [first.key, second.key];
    expect((await see(buyer, id))?.files?.map(({ key }) => key)).toEqual(keys);
    expect(await content(buyer, id, 0)).toEqual(first.bytes);
    expect(await content(buyer, id, 1)).toEqual(second.bytes);
    for (const key of keys) expect(await mayFetch(buyer, key)).toBe(true);
  });

  test('gives nobody what was free there before, though the way to it was told', async () => {
    const { id, first, replace } = await sell();
    const { key: other } = await uploadFile(seller, { name: 'other.txt', bytes: first.bytes });
    await updateLink(seller, { id, files: [first.key, other], unlocked: true });
    const guest = createPerson(app);
    const ways: string[] = [];
    for (const path of ['content?file=0', 'content?file=1', 'content.zip']) {
      const way = (await guest.fetch(`/p/${id}/${path}`)).headers.get('location') ?? '';
      expect((await guest.fetch(way)).status).toBe(200);
      ways.push(way);
    }
    const statuses = () => Promise.all(ways.map(async (way) => (await guest.fetch(way)).status));
    await updateLink(seller, { id, key: other });
    // One of them is what is free now.
    expect(await statuses()).toEqual([403, 200, 403]);
    await replace();
    expect(await statuses()).toEqual([403, 403, 403]);
  });

  test('gives who bought it before and after both, the newest first', async () => {
    const { id, first, replace } = await sell();
    const account = await buy(await signUp(app), id);
    const second = await replace();
    const browser = await buy(createPerson(app), id);
    for (const [name, value] of browser.cookies) account.cookies.set(name, value);
    await expectFiles(account, id, [second, first]);
  });

  test('sells at a checkout that is open what was offered there, and keeps it so long', async () => {
    const { id, first, replace } = await sell();
    const visitor = createPerson(app);
    const url = await checkOut(visitor, id);
    const second = await replace();
    expect(await deleteFile(seller, first.key)).toMatchObject({ status: 409, code: 'FILE_IN_USE' });
    expect((await payAt(visitor, url)).status).toBe(303);
    await waitUntilUnlocked(visitor, id);
    await expectFiles(visitor, id, [first], { newer: second });
  });

  test('opens another checkout for a visitor who comes back to buy, and ends the first', async () => {
    const { id, first, replace } = await sell();
    const visitor = createPerson(app);
    const earlier = await checkOut(visitor, id);
    expect(await checkOut(visitor, id)).toBe(earlier);
    const second = await replace();
    const url = await checkOut(visitor, id);
    expect(url).not.toBe(earlier);
    expect((await payAt(visitor, earlier)).status).toBe(410);
    expect((await payAt(visitor, url)).status).toBe(303);
    await waitUntilUnlocked(visitor, id);
    await expectFiles(visitor, id, [second], { foreign: first });
  });

  test('or whose web address was, leads its buyers to what they bought, or to the newer one', async () => {
    const url = (path: string) => `https://example.com/${path}`;
    const { id } = await createLink(seller, { type: 'link', url: url('first') });
    const buyer = await buy(createPerson(app), id);
    await updateLink(seller, { id, url: url('first') });
    await updateLink(seller, { id, url: url('second') });
    expect(await content(buyer, id)).toBe(url('first'));
    expect(await content(buyer, id, 0, '&version=1')).toBe(url('first'));
    expect(await content(buyer, id, 0, '&version=2')).toBe(url('second'));
    expect((await buyer.fetch(`/p/${id}/content?version=3`)).status).toBe(404);
    const newcomer = await buy(createPerson(app), id);
    expect(await content(newcomer, id)).toBe(url('second'));
    expect((await newcomer.fetch(`/p/${id}/content?version=1`)).status).toBe(404);
    expect(await content(seller, id, 0, '&version=1')).toBe(url('first'));
    expect(await content(createPerson(app), id, 0, '&version=1')).toBe(`/p/${id}`);
  });

  test('tells its buyers which version they have, and its owner who has which', async () => {
    const { id, first, replace } = await sell();
    const buyer = await buy(createPerson(app), id);
    await updateLink(seller, { id, key: first.key });
    expect(await seeVersions(buyer, id)).toEqual({
      version: 1,
      bought: [1],
      newer: null,
      versions: null,
    });
    const second = await replace();
    const newer = { number: 2, files: [{ key: second.key }], buyers: null };
    expect(await seeVersions(buyer, id)).toMatchObject({ version: 2, bought: [1], newer });
    // Sold again, what was bought is no news.
    await updateLink(seller, { id, version: 1 });
    expect(await seeVersions(buyer, id)).toMatchObject({ version: 3, bought: [1], newer: null });
    expect(await seeVersions(createPerson(app), id)).toEqual({
      version: 3,
      bought: null,
      newer: null,
      versions: null,
    });
    const one = { files: [{ key: first.key }] };
    expect((await seeVersions(seller, id))?.versions).toEqual([
      { number: 3, buyers: 0, ...one },
      { number: 2, buyers: 0, files: [{ key: second.key }] },
      { number: 1, buyers: 1, ...one },
    ]);
    await deleteFile(seller, second.key);
    await expect(updateLink(seller, { id, version: 2 })).rejects.toThrow(/was deleted/);
    await expect(updateLink(seller, { id, version: 4 })).rejects.toThrow(/no such version/);
  });

  test('that nobody bought lets its first file go', async () => {
    const { first, replace } = await sell();
    await replace();
    expect(await deleteFile(seller, first.key)).toMatchObject({ status: 204 });
  });

  test('hands over nothing that was bought once the operator took it down', async () => {
    const { id, first, replace } = await sell();
    const buyer = await buy(createPerson(app), id);
    const earlier = await storageUrl(buyer, first.key);
    await replace();
    await withDatabase(app, async (db) => {
      await db.updateTable('link').set({ taken_down_at: 1 }).where('id', '=', id).execute();
    });
    expect((await fetch(earlier)).status).toBe(403);
    expect(await mayFetch(buyer, first.key)).toBe(false);
    expect(await storedKeys(buyer)).not.toContain(first.key);
  });
});
