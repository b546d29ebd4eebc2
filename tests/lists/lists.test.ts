import { beforeAll, expect, test } from 'vitest';
import { createLink, graphql, publishableKey, signUp } from '../factories/factories.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

type Page = {
  listPaywallLinks: { items: { id: string; price: number }[]; nextToken: string | null };
};

const LIST = `query ($filter: ModelPaywallLinkFilterInput, $limit: Int, $nextToken: String) {
  listPaywallLinks(filter: $filter, limit: $limit, nextToken: $nextToken) {
    items { id price }
    nextToken
  }
}`;

describeOnBothDatabases('lists of links', (database) => {
  // Of links created in the same millisecond, either may come first: here none are.
  let moment = 0;
  const now = () => {
    moment = Math.max(Date.now(), moment + 1);
    return moment;
  };
  const app = useApp({ database, overrides: { now } });
  let creator: Person;
  let other: Person;
  let owner: string;
  const ids: string[] = [];

  beforeAll(async () => {
    [creator, other] = await Promise.all([signUp(app), signUp(app)]);
    for (let number = 0; number < 23; number++) {
      const input = { type: 'link', url: 'https://example.com/', price: 100 + number };
      const link = await createLink(creator, input);
      owner = link.owner;
      ids.unshift(link.id);
    }
    await createLink(other, { type: 'link', url: 'https://example.com/' });
  });

  const list = async (variables: object) =>
    (
      await graphql<Page>(
        createPerson(app),
        LIST,
        variables as Record<string, unknown>,
        await publishableKey(app),
      )
    ).listPaywallLinks;

  test('of one owner come newest first, page by page, each link once', async () => {
    const pages: string[][] = [];
    let nextToken: string | null = null;
    do {
      const page = await list({ filter: { owner: { eq: owner } }, limit: 5, nextToken });
      pages.push(page.items.map(({ id }) => id));
      nextToken = page.nextToken;
    } while (nextToken);
    expect(pages.map(({ length }) => length)).toEqual([5, 5, 5, 5, 3]);
    expect(pages.flat()).toEqual(ids);
  });

  test('do not repeat or skip when a link is created while somebody reads on', async () => {
    const filter = { owner: { eq: owner } };
    const first = await list({ filter, limit: 10 });
    const added = await createLink(creator, { type: 'link', url: 'https://example.com/new' });
    const second = await list({ filter, limit: 10, nextToken: first.nextToken });
    const seen = [...first.items, ...second.items].map(({ id }) => id);
    expect(seen).toEqual(ids.slice(0, 20));
    ids.unshift(added.id);
  });

  test('can be filtered by price', async () => {
    const filter = { owner: { eq: owner }, price: { between: [105, 107] } };
    const { items } = await list({ filter });
    expect(items.map(({ price }) => price).sort()).toEqual([105, 106, 107]);
  });

  const COMPARISONS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'between', 'beginsWith'];
  const WITHOUT_VALUE = ['id', 'type', 'owner', 'price', 'createdAt'].flatMap((field) => [
    [field, { [field]: null }],
    [field, { [field]: {} }],
    ...COMPARISONS.filter((name) => field !== 'price' || name !== 'beginsWith').map((name) => [
      `${field}.${name}`,
      { [field]: { [name]: null } },
    ]),
    [`${field}.ne`, { [field]: { eq: field === 'price' ? 1 : '2026-01-01', ne: null } }],
  ]) as [string, object][];

  test('refuse what they are filtered by and is not given, so that it never lists everything', async () => {
    expect(WITHOUT_VALUE).toHaveLength(5 * 11 - 1);
    for (const [name, filter] of WITHOUT_VALUE) {
      await expect(list({ filter, limit: 1 })).rejects.toThrow(
        `The filter '${name}' has no value.`,
      );
    }
    const { id } = (await list({ limit: 1 })).items[0] ?? {};
    for (const filter of [null, {}]) {
      expect((await list({ filter, limit: 1 })).items[0]).toMatchObject({ id });
    }
  });

  test.each([0, -1, 101, 1_000_000])('with a limit of %d are refused', async (limit) => {
    await expect(list({ limit })).rejects.toThrow('The limit must be from 1 to 100.');
  });

  test.each(['nonsense', 'eyJhIjoxfQ', '%00'])('refuse the page token %j', async (nextToken) => {
    await expect(list({ nextToken })).rejects.toThrow(/token/i);
  });

  test('begin with the first page where the token is empty, as many clients send it', async () => {
    expect(await list({ nextToken: '' })).toEqual(await list({}));
  });

  test('do not show what was deleted', async () => {
    const { id } = await createLink(other, { type: 'link', url: 'https://example.com/gone' });
    await graphql(other, `mutation { deletePaywallLink(input: { id: "${id}" }) { id } }`);
    const { items } = await list({});
    expect(items.map((item) => item.id)).not.toContain(id);
  });
});
