import { beforeAll, expect, test } from 'vitest';
import {
  askGraphql,
  createLink,
  graphql,
  seeLink,
  signUp,
  updateLink,
} from '../factories/factories.ts';
import { programWith, SERVICE_KEY } from '../factories/secret-key.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const link = { type: 'link', url: 'https://example.com/sold' };

describeOnSqliteFirst("the operator's service key", (database) => {
  const app = useApp({ database, env: { SERVICE_KEY } });
  let operator: Person;
  let creator: Person;

  beforeAll(async () => {
    operator = programWith(app, SERVICE_KEY);
    creator = await signUp(app);
  });

  test('creates, changes and deletes the links of any creator', async () => {
    const { owner } = await createLink(creator, link);
    const { id } = await createLink(operator, { ...link, owner });
    await updateLink(operator, { id, price: 900 });
    expect(await seeLink(creator, id)).toMatchObject({ price: 900, url: link.url });
    await graphql(operator, `mutation { deletePaywallLink(input: { id: "${id}" }) { id } }`);
    expect(await seeLink(createPerson(app), id)).toBeNull();
  });

  test.each([
    ['nobody', undefined, 'The service key creates links on behalf of an owner: give one.'],
    [
      'an account that does not exist',
      'nobody',
      "No account has the id 'nobody'. Give the id of an existing account.",
    ],
  ])('creates no link for %s', async (_title, owner, message) => {
    const { data, errors } = await askGraphql<{ createPaywallLink: unknown }>(
      operator,
      'mutation ($input: CreatePaywallLinkInput!) { createPaywallLink(input: $input) { id } }',
      { input: { ...link, price: 500, owner } },
    );
    expect(data?.createPaywallLink ?? null).toBeNull();
    expect(errors).toMatchObject([{ message, extensions: { code: 'INVALID_INPUT' } }]);
  });
});
