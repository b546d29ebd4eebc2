import { beforeAll, expect, test } from 'vitest';
import { askGraphql, createLink, graphql, signUp, UPDATE_LINK } from '../factories/factories.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const ADDRESS = { type: 'link', url: 'https://example.com/notes' };
const PAGE = `mutation ($handle: String) {
  setSellerPage(handle: $handle, links: [])
}`;
const DELETE = 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }';
const RESTORE = 'mutation ($id: ID!) { restorePaywallLink(input: { id: $id }) { short } }';

describeOnSqliteFirst('a short address', (database) => {
  const app = useApp({ database });
  let ada: Person;
  let bob: Person;

  beforeAll(async () => {
    [ada, bob] = [await signUp(app), await signUp(app)];
    await graphql(ada, PAGE, { handle: 'ada' });
    await graphql(bob, PAGE, { handle: 'bob' });
  });

  const sell = async (seller: Person) => (await createLink(seller, ADDRESS)).id;

  /** @returns the code of the refusal, or null */
  async function name(seller: Person, id: string, short: string): Promise<string | null> {
    const { errors } = await askGraphql(seller, UPDATE_LINK, { input: { id, short } });
    return errors?.[0]?.extensions?.code ?? null;
  }

  async function follow(path: string): Promise<string | number> {
    const answer = await createPerson(app).fetch(path, { redirect: 'manual' });
    return answer.status === 302 ? (answer.headers.get('location') ?? '') : answer.status;
  }

  async function shortOf(seller: Person, id: string): Promise<string | null> {
    type Answer = { getPaywallLink: { short: string | null } };
    const query = 'query ($id: ID!) { getPaywallLink(id: $id) { short } }';
    return (await graphql<Answer>(seller, query, { id })).getPaywallLink.short;
  }

  test('leads to its link below the page of its seller, also after both were renamed', async () => {
    const [notes, other] = [await sell(ada), await sell(bob)];
    expect(await name(ada, notes, ' Notes ')).toBeNull();
    expect(await name(bob, other, 'notes')).toBeNull();
    expect(await shortOf(ada, notes)).toBe('/s/ada/notes');
    expect(await follow('/s/ada/notes?utm_source=mail')).toBe(`/p/${notes}?utm_source=mail`);
    expect(await follow('/s/ADA/Notes')).toBe(`/p/${notes}`);
    expect(await follow('/s/bob/notes')).toBe(`/p/${other}`);
    expect(await follow('/s/ada/nothing')).toBe(404);
    expect(await follow('/s/nobody/notes')).toBe(404);
    expect(await name(ada, notes, 'lectures')).toBeNull();
    await graphql(ada, PAGE, { handle: 'ada-l' });
    expect(await shortOf(ada, notes)).toBe('/s/ada-l/lectures');
    for (const path of ['/s/ada/notes', '/s/ada/lectures', '/s/ada-l/notes']) {
      expect(await follow(path)).toBe(`/p/${notes}`);
    }
    expect(await name(ada, notes, '')).toBeNull();
    expect(await shortOf(ada, notes)).toBeNull();
    expect(await follow('/s/ada/lectures')).toBe(`/p/${notes}`);
    await graphql(ada, PAGE, { handle: 'ada' });
  });

  test('belongs to one link of a seller, and to a deleted one until another wants it', async () => {
    const [first, second] = [await sell(ada), await sell(ada)];
    expect(await name(ada, first, 'songs')).toBeNull();
    expect(await name(ada, second, 'SONGS')).toBe('SHORT_NAME_TAKEN');
    expect(await name(bob, first, 'mine')).toBe('UNAUTHORIZED');
    await graphql(ada, DELETE, { id: first });
    expect(await follow('/s/ada/songs')).toBe(`/p/${first}`);
    expect(await name(ada, second, 'songs')).toBeNull();
    expect(await follow('/s/ada/songs')).toBe(`/p/${second}`);
    type Restored = { restorePaywallLink: { short: string | null } };
    const { restorePaywallLink } = await graphql<Restored>(ada, RESTORE, { id: first });
    expect(restorePaywallLink.short).toBeNull();
  });

  test('is refused where it cannot be one', async () => {
    const id = await sell(ada);
    for (const short of ['a b', '-a', 'feed', 'notes.pdf', 'x'.repeat(61), 'Ünder']) {
      expect(await name(ada, id, short), short).toBe('INVALID_SHORT_NAME');
    }
    const pageless = await signUp(app);
    expect(await name(pageless, await sell(pageless), 'notes')).toBe('INVALID_SHORT_NAME');
    const names = ['one', 'two', 'three', 'four', 'five', 'six'];
    for (const short of names) expect(await name(ada, id, short)).toBeNull();
    expect(await name(ada, id, 'seven')).toBe('TOO_MANY_SHORT_NAMES');
    expect(await name(ada, id, 'two')).toBeNull();
    expect(await shortOf(ada, id)).toBe('/s/ada/two');
    expect(await follow('/s/ada/seven')).toBe(404);
  });
});
