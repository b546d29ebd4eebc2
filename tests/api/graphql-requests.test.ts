import { expect, test } from 'vitest';
import { createLink, publishableKey, seeLink, signUp, updateLink } from '../factories/factories.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

describeOnSqliteFirst('a GraphQL request', (database) => {
  const app = useApp({ database });
  const url = 'https://example.com/';

  test('cannot hide a mutation behind a query, neither by POST nor by a link on another site', {
    tags: 'long',
  }, async () => {
    const seller = await signUp(app);
    const { id } = await createLink(seller, { type: 'link', url });
    const query =
      'query Q { __typename } mutation M($i: ID!) { deletePaywallLink(input: {id: $i}) { id } }';
    const variables = { i: id };
    const key = await publishableKey(app);
    for (let time = 0; time < 5; time += 1) {
      const body = JSON.stringify({ query, variables, operationName: 'M' });
      const headers = { 'content-type': 'application/json', ...key };
      const answer = await createPerson(app).fetch('/graphql', { method: 'POST', headers, body });
      expect(answer.status).toBe(400);
    }
    const search = new URLSearchParams({
      query,
      operationName: 'Q',
      variables: JSON.stringify(variables),
    });
    const answer = await seller.fetch(`/graphql?${search}`);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect(await seeLink(createPerson(app), id)).toMatchObject({ unlocked: false });
  });

  test('with characters that no text has is refused or finds nothing', async () => {
    const person = createPerson(app);
    expect(await seeLink(person, 'a\u0000b')).toBeNull();
    for (const [path, status] of [
      ['/p/%00', 404],
      // The page of the link says what became of it.
      ['/p/%00/content', 303],
      ['/p/%E6%97%A5/content', 303],
      // No text of PostgreSQL holds a NUL; SQLite looks, and finds no purchase.
      ['/success?session_id=%00', database === 'postgres' ? 400 : 200],
    ] as const) {
      expect((await person.fetch(path)).status, path).toBe(status);
    }
  });

  test('parallel updates of one link all succeed', { tags: 'long' }, async () => {
    const seller = await signUp(app);
    const { id } = await createLink(seller, { type: 'link', url });
    const updates = Array.from({ length: 16 }, (_, number) =>
      updateLink(seller, { id, url: `${url}${number}` }),
    );
    expect(await Promise.all(updates)).toHaveLength(16);
  });
});
