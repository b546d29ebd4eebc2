import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import {
  announceUpload,
  createLink,
  graphql,
  publishableKey,
  sellFile,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

type StoredItem = { key: string; name: string; size: number };

/** In the order of their bytes; no two locales agree on it. */
const NAMES = ['B.txt', '_.txt', 'a.txt', 'b.txt', 'z.txt', 'Ä.txt', 'ä.txt', 'Ａ.txt', '😀.txt'];

describeOnSqliteFirst('the storage calls', (database) => {
  const app = useApp({ database });
  const bytes = Buffer.from('stored');
  let creator: Person;

  beforeAll(async () => {
    creator = await signUp(app);
  });

  const list = async (person: Person, search = '') =>
    readJson<{ items: StoredItem[]; nextToken: string | null }>(
      await person.fetch(`/storage/list${search}`, { headers: await publishableKey(app) }),
    );
  const askUrl = async (person: Person, key: string) =>
    person.fetch(`/storage/url?key=${encodeURIComponent(key)}`, {
      headers: await publishableKey(app),
    });
  const upload = (person: Person, name: string, id?: string) =>
    uploadFile(person, { name, bytes, ...(id && { id }) });

  test('list what one owns and has unlocked in the same order everywhere, and go on after any of it', {
    tags: 'long',
  }, async () => {
    const buyer = await signUp(app);
    const id = randomUUID().slice(0, 8);
    const keys: string[] = [];
    for (const name of NAMES.toReversed()) keys.unshift((await upload(buyer, name, id)).key);
    const bought = await sellFile(creator, { name: 'bought.pdf', size: 700 });
    await payFor(buyer, bought.id);
    await waitUntilUnlocked(buyer, bought.id);
    const boughtKey = `public/${bought.id}-bought.pdf`;
    const expected = id < bought.id ? [...keys, boughtKey] : [boughtKey, ...keys];

    const { items, nextToken } = await list(buyer);
    expect(items.map(({ key }) => key)).toEqual(expected);
    expect(items).toContainEqual({
      key: boughtKey,
      name: 'bought.pdf',
      size: 700,
      sha256: createHash('sha256').update(bought.bytes).digest('hex'),
    });
    expect(nextToken).toBeNull();
    for (const [index, key] of expected.entries()) {
      const rest = await list(buyer, `?after=${encodeURIComponent(key)}`);
      expect(rest.items.map((item) => item.key)).toEqual(expected.slice(index + 1));
    }
  });

  test('list nothing of others to a visitor, and refuse who has neither key nor claim', async () => {
    await upload(creator, 'mine.txt');
    expect(await list(createPerson(app))).toEqual({ items: [], nextToken: null });
    expect((await createPerson(app).fetch('/storage/list')).status).toBe(401);
  });

  test("hand out the owner's upload that no link sells yet, to the owner alone", async () => {
    const { key } = await upload(creator, 'unsold.txt');
    expect(await (await fetch(await storageUrl(creator, key))).text()).toBe('stored');
    for (const person of [createPerson(app), await signUp(app)]) {
      expect((await askUrl(person, key)).status).toBe(403);
    }
  });

  test("hand out the owner's upload after its link was deleted", async () => {
    const { key } = await upload(creator, 'kept.txt');
    const { id } = await createLink(creator, { key });
    await graphql(creator, `mutation { deletePaywallLink(input: { id: "${id}" }) { id } }`);
    expect(await (await fetch(await storageUrl(creator, key))).text()).toBe('stored');
  });

  test('hand out nothing that was taken down, not even by an older address', async () => {
    const { key } = await upload(creator, 'banned.txt');
    const unsold = await storageUrl(creator, key);
    const { id } = await createLink(creator, { key });
    const sold = await storageUrl(creator, key);
    await withDatabase(app, async (db) => {
      await db.updateTable('link').set({ taken_down_at: 1 }).where('id', '=', id).execute();
    });
    expect((await askUrl(creator, key)).status).toBe(403);
    expect((await fetch(unsold)).status).toBe(403);
    expect((await fetch(sold)).status).toBe(403);
  });

  test('answer the same for a file that is locked, unfinished or missing', async () => {
    const other = await signUp(app);
    const { key: locked } = await upload(other, 'locked.txt');
    const announced = await announceUpload(creator, { name: 'half.txt', size: 9 });
    const unfinished = decodeURIComponent(announced.headers.get('upload-key') ?? '');
    const answers = await Promise.all(
      [locked, unfinished, 'public/00000000-nothing.txt', '../../etc/passwd', ''].map(
        async (key) => {
          const answer = await askUrl(creator, key);
          const { code, detail } = (await answer.json()) as { code: string; detail: string };
          return { status: answer.status, code, detail };
        },
      ),
    );
    const detail = 'You do not have access to a file with this key.';
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: 403, code: 'FORBIDDEN', detail })]),
    );
    expect((await creator.fetch('/storage/url')).status).toBe(400);
  });
});
