import { beforeAll, describe, expect, test } from 'vitest';
import { askGraphql, createLink, graphql, signUp, UPDATE_LINK } from '../factories/factories.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const ADDRESS = { type: 'link', url: 'https://example.com/' };
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

describeOnSqliteFirst('texts of creators in feeds', (database) => {
  const app = useApp({ database });
  let creator: Person;
  let id: string;

  beforeAll(async () => {
    creator = await signUp(app);
    ({ id } = await createLink(creator, ADDRESS));
  });

  test.each(['\uffff', '\ufffe', '\ufdd0', '\u{1ffff}', '\ud800', '\udc00x'])(
    'titles, descriptions and seller names with %j, which is no character, are refused',
    async (sign) => {
      const codeOf = async (query: string, variables: object) =>
        (await askGraphql(creator, query, { ...variables })).errors?.[0]?.extensions?.code;
      const text = `a${sign}b`;
      expect(await codeOf(UPDATE_LINK, { input: { id, title: text } })).toBe('INVALID_TITLE');
      expect(await codeOf(UPDATE_LINK, { input: { id, description: text } })).toBe(
        'INVALID_DESCRIPTION',
      );
      const name = 'mutation ($name: String) { setSellerName(name: $name) }';
      expect(await codeOf(name, { name: text })).toBe('INVALID_SELLER_NAME');
    },
  );

  test('what no XML may hold is left out of the Atom feed and of oEmbed', async () => {
    await graphql(creator, 'mutation { setSellerName(name: "Ada") }');
    await withDatabase(app, async (db) => {
      const texts = { title: 'Ti\ufffft]]\uffff>le', description: 'Te\ufffext' };
      await db.updateTable('link').set(texts).where('id', '=', id).execute();
      await db.updateTable('seller').set({ name: 'A\uffffda' }).execute();
    });
    const read = async (path: string) => (await createPerson(app).fetch(path)).text();
    const feed = await read('/explore.atom');
    expect(feed).not.toMatch(FORBIDDEN);
    expect(feed).toContain('Text');
    expect(feed).toContain('<name>Ada</name>');
    expect(feed).not.toContain('Tit]]>le');
    const address = encodeURIComponent(`${app.origin}/p/${id}`);
    const oembed = await read(`/oembed?format=xml&url=${address}`);
    expect(oembed).not.toMatch(FORBIDDEN);
    expect(oembed).toContain('<title>Tit]]&#62;le</title><author_name>Ada</author_name>');
  });
});

describe('the sitemap when it is asked for often', () => {
  let ahead = 0;
  const app = useApp({ overrides: { now: () => Date.now() + ahead } });

  test('is read from the database once in ten minutes', async () => {
    const creator = await signUp(app);
    const first = await createLink(creator, ADDRESS);
    const read = async () => (await fetch(`${app.origin}/sitemap/links.xml`)).text();
    expect(await read()).toContain(first.id);
    const second = await createLink(creator, ADDRESS);
    expect(await read()).not.toContain(second.id);
    ahead = 10 * 60_000;
    expect(await read()).toContain(second.id);
  });
});
