import { beforeAll, describe, expect, test } from 'vitest';
import { enqueue } from '../../server/ground/outbox/jobs.ts';
import {
  askGraphql,
  createLink,
  graphql,
  publishableKey,
  signUp,
  updateLink,
  uploadFile,
} from '../factories/factories.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const LIST = `query ($search: String, $sort: String, $limit: Int, $nextToken: String) {
  listPaywallLinks(search: $search, sort: $sort, limit: $limit, nextToken: $nextToken) {
    items { id }
    nextToken
  }
}`;

describe('a search for links', () => {
  const app = useApp();
  let seller: Person;
  let ids: { cheap: string; dear: string; file: string };

  beforeAll(async () => {
    seller = await signUp(app);
    const sell = async (title: string, price: number) =>
      (await createLink(seller, { type: 'link', url: 'https://hidden.example/', title, price })).id;
    const { key } = await uploadFile(seller, { name: 'concealed.pdf', bytes: new Uint8Array(9) });
    ids = {
      cheap: await sell('Algebra, résumé', 200),
      dear: await sell('Algebra in a week', 900),
      file: (await createLink(seller, { key, title: 'Worksheets', price: 500 })).id,
    };
  });

  async function list(variables: Record<string, unknown>) {
    const key = await publishableKey(app);
    const { listPaywallLinks } = await graphql<{
      listPaywallLinks: { items: { id: string }[]; nextToken: string | null };
    }>(createPerson(app), LIST, variables, key);
    return {
      ids: listPaywallLinks.items.map(({ id }) => id),
      nextToken: listPaywallLinks.nextToken,
    };
  }
  const find = async (search: string) => (await list({ search })).ids;

  test('finds the words of a title in any order, without accents and case', async () => {
    expect(await find('RESUME algebra')).toEqual([ids.cheap]);
    expect(await find('week alg')).toEqual([ids.dear]);
    expect(await find('alg week')).toEqual([]);
  });

  test('finds the words of a description beside those of the title', async () => {
    const texts = { title: 'Knitting', description: 'Socks for winter\nand mittens' };
    const { id } = await createLink(seller, { type: 'link', url: 'https://a.example/', ...texts });
    expect(await find('winter knitting mitt')).toEqual([id]);
    await updateLink(seller, { id, description: '' });
    expect([await find('winter'), await find('knitting')]).toEqual([[], [id]]);
  });

  test('finds a link by its new title and no longer by the old one', async () => {
    const { id } = await createLink(seller, {
      type: 'link',
      url: 'https://a.example/',
      title: 'Old',
    });
    await updateLink(seller, { id, title: 'Renamed' });
    expect([await find('old'), await find('renamed')]).toEqual([[], [id]]);
  });

  test('finds nothing by a key, a file name or an address that is sold', async () => {
    for (const secret of ['concealed', 'pdf', 'public', 'hidden', 'example', 'https']) {
      expect(await find(secret)).toEqual([]);
    }
  });

  test.each(['"', "'; --", '*', 'NOT', 'a AND (', '\u0000', '\\', ':*', '%', '\ud800'])(
    'takes %j for words',
    async (search) => {
      expect(Array.isArray(await find(search))).toBe(true);
    },
  );

  test.each(['%', '_', '"', '*', '—', '()'])(
    'finds nothing by %j, which is no word',
    async (search) => {
      expect(await find(search)).toEqual([]);
      expect((await find(' ')).length).toBeGreaterThan(0);
    },
  );

  test('finds what was cut into words in another way before, once a job has cut it anew', async () => {
    const url = 'https://a.example/';
    const { id } = await createLink(seller, { type: 'link', url, title: 'ギターTAB譜' });
    expect(await find('tab')).toEqual([id]);
    await withDatabase(app, async (db) => {
      const old = { words: ' ギ タ ーtab 譜 ' };
      await db.updateTable('link_words').set(old).where('link_id', '=', id).execute();
      expect(await find('tab')).toEqual([]);
      await enqueue(db, 'index-old-words', { after: '' }, Date.now());
    });
    await eventually(async () => expect(await find('tab')).toEqual([id]));
  });

  test('longer than 100 characters is refused with what to do', async () => {
    await expect(find('x'.repeat(101))).rejects.toThrow(
      'The search is longer than 100 characters. Search for fewer words.',
    );
    expect(await find('x '.repeat(50))).toEqual([]);
  });

  test('looks for the first eight different words and no more, however many are given', async () => {
    const url = 'https://a.example/';
    const title = '春夏秋冬東西南北';
    const { id } = await createLink(seller, { type: 'link', url, title });
    await createLink(seller, { type: 'link', url, title: title.slice(0, 7) });
    const others = Array.from({ length: 92 }, (_, index) => String.fromCodePoint(0x5000 + index));
    for (const search of [title, `${title}中`, title + others.join('')]) {
      expect(await find(search)).toEqual([id]);
    }
    expect(await find(`${title.slice(0, 7)}中`)).toEqual([]);
  });

  test('finds a link by its first 800 different words, the title first', async () => {
    const word = (index: number) => String.fromCodePoint(0x6000 + index);
    const description = Array.from({ length: 850 }, (_, index) => word(index)).join('');
    const { id } = await createLink(seller, {
      type: 'link',
      url: 'https://a.example/',
      title: 'Thesaurus',
      description: `${description} again ${word(0)}`,
    });
    expect(await find(`thesaurus ${word(798)}`)).toEqual([id]);
    expect(await find(word(799))).toEqual([]);
  });

  test('refuses an unknown order with those there are', async () => {
    for (const sort of ['price', 'NEWEST', '', 'constructor']) {
      const answer = await askGraphql(createPerson(app), LIST, { sort }, await publishableKey(app));
      expect(answer.errors?.[0]).toMatchObject({
        message: "The sort must be one of 'newest', 'oldest', 'cheapest', 'dearest'.",
        extensions: { code: 'INVALID_INPUT' },
      });
    }
  });

  test('sorts by price and by time, and refuses the page token of another order', async () => {
    const sorted = async (sort: string) => (await list({ search: 'algebra', sort })).ids;
    expect(await sorted('cheapest')).toEqual([ids.cheap, ids.dear]);
    expect(await sorted('dearest')).toEqual([ids.dear, ids.cheap]);
    expect(await sorted('oldest')).toEqual([ids.cheap, ids.dear]);
    expect(await sorted('newest')).toEqual([ids.dear, ids.cheap]);
    const { nextToken } = await list({ sort: 'cheapest', limit: 1 });
    for (const sort of [undefined, 'oldest', 'dearest']) {
      await expect(list({ sort, nextToken })).rejects.toThrow('Start without one');
    }
  });
});
