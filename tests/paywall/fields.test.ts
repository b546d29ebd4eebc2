import { beforeAll, expect, test } from 'vitest';
import { createFindSeller } from '../../server/catalog/sellers/seller-name.ts';
import {
  askGraphql,
  createLink,
  graphql,
  PASSWORD,
  signUp,
  updateLink,
} from '../factories/factories.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const FIELDS = 'id description noindex seller';
const WEB_ADDRESS = { type: 'link', url: 'https://example.com/hidden' };
const SET_SELLER = 'mutation ($name: String) { setSellerName(name: $name) }';

type Shown = { id: string; description: string | null; noindex: boolean; seller: string | null };

describeOnSqliteFirst('what a link tells buyers', (database) => {
  const app = useApp({ database });
  let creator: Person & { email: string };

  beforeAll(async () => {
    creator = await signUp(app, { firstName: 'Secretfirstname' });
  });

  const show = async (id: string, person: Person = creator) =>
    (
      await graphql<{ getPaywallLink: Shown | null }>(
        person,
        `query ($id: ID!) { getPaywallLink(id: $id) { ${FIELDS} } }`,
        { id },
      )
    ).getPaywallLink;
  const refusal = async (person: Person, query: string, variables: object) =>
    (await askGraphql(person, query, { ...variables })).errors?.[0];
  const openPage = async (id: string) => {
    const answer = await createPerson(app).fetch(`/p/${id}`, { headers: { accept: 'text/html' } });
    return { answer, html: await answer.text() };
  };

  test('a description keeps its line breaks, and an empty one takes it away', async () => {
    const { id } = await createLink(creator, {
      ...WEB_ADDRESS,
      description: '  First line\r\nsecond line\r\n\r\nthird 🎉  ',
    });
    expect(await show(id)).toMatchObject({
      description: 'First line\nsecond line\n\nthird 🎉',
      noindex: false,
      seller: null,
    });
    await updateLink(creator, { id, price: 700 });
    expect((await show(id))?.description).toContain('second line');
    await updateLink(creator, { id, description: '' });
    expect((await show(id))?.description).toBeNull();
  });

  test.each([
    ['of more than 2,000 characters', 'x'.repeat(2_001), /longer than 2,000 characters/],
    ['with a control character', 'a\u0007b', /invisible control characters/],
    ['with an override of the reading direction', 'a\u202eb', /invisible control characters/],
  ])('a description %s is refused', async (_what, description, message) => {
    const query =
      'mutation ($input: CreatePaywallLinkInput!) { createPaywallLink(input: $input) { id } }';
    const input = { ...WEB_ADDRESS, price: 500, description };
    const fault = await refusal(creator, query, { input });
    expect(fault?.extensions?.code).toBe('INVALID_DESCRIPTION');
    expect(fault?.message).toMatch(message);
  });

  test('noindex says so to search engines in the document and its header', async () => {
    const { id } = await createLink(creator, { ...WEB_ADDRESS, noindex: true });
    const hidden = await openPage(id);
    expect(hidden.answer.headers.get('x-robots-tag')).toBe('noindex');
    expect(hidden.html).toContain('<meta content="noindex" name="robots"/>');
    await updateLink(creator, { id, noindex: false });
    const open = await openPage(id);
    expect(open.answer.headers.get('x-robots-tag')).toBeNull();
    expect(open.html).not.toContain('name="robots"');
  });

  test('a seller name changes on every kept page at once, and the First Name is never there', async () => {
    const links = await Promise.all([1, 2].map(() => createLink(creator, WEB_ADDRESS)));
    const names = ['Study Packs & Co.', 'Zoë’s shop', null];
    for (const name of names) {
      expect(await graphql(creator, SET_SELLER, { name: name && ` ${name} ` })).toEqual({
        setSellerName: name,
      });
      for (const { id } of links) {
        expect((await show(id))?.seller).toBe(name);
        const { html } = await openPage(id);
        for (const other of names) {
          if (other) expect(html.includes(JSON.stringify(other))).toBe(other === name);
        }
        expect(html).not.toContain('Secretfirstname');
        expect(html).not.toContain(creator.email);
      }
    }
  });

  test.each(['\u3164', '\u0301\u2800', '\u0007', '\ufffe\ud800'])(
    'a seller name of which nothing is seen is none: %j',
    async (name) => {
      await graphql(creator, SET_SELLER, { name: 'Zoë’s shop' });
      expect(await graphql(creator, SET_SELLER, { name })).toEqual({ setSellerName: null });
    },
  );

  test.each([
    ['of more than 60 characters', '👍🏽'.repeat(61), /longer than 60 characters/],
    ['with a line break', 'Ada\nInc.', /line breaks or invisible/],
    ['with an override of the reading direction', 'Ada\u202e', /line breaks or invisible/],
  ])('a seller name %s is refused', async (_what, name, message) => {
    const fault = await refusal(creator, SET_SELLER, { name });
    expect(fault?.extensions?.code).toBe('INVALID_SELLER_NAME');
    expect(fault?.message).toMatch(message);
  });

  test('a list of links reads all its seller names by one query', async () => {
    await withDatabase(app, async (db) => {
      let queries = 0;
      const counted = db.withPlugin({
        transformQuery({ node }) {
          queries += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const findSeller = createFindSeller(counted);
      const nobody = { name: null, handle: null, picture: null, hasCodes: false };
      const found = await Promise.all(['a', 'b', 'c'].map(findSeller));
      expect(found).toEqual([nobody, nobody, nobody]);
      expect(queries).toBe(1);
    });
  });

  test('deleting the account erases the seller name', async () => {
    const leaving = await signUp(app);
    const { sub } = await readJson<{ sub: string }>(await leaving.fetch('/api/user-attributes'));
    await graphql(leaving, SET_SELLER, { name: 'Gone for good' });
    const deletion = { confirmation: leaving.email, password: PASSWORD };
    await readJson(await postJson(leaving, '/api/auth/delete-user', deletion));
    await withDatabase(app, async (db) => {
      const rows = db.selectFrom('seller').selectAll().where('owner_id', '=', sub).execute();
      expect(await rows).toEqual([]);
    });
  });
});
