import { expect, test } from 'vitest';
import { askGraphql, publishableKey, sellFile, signUp } from '../factories/factories.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

describeOnSqliteFirst('a program', (database) => {
  const app = useApp({ database });
  const QUERY = 'query ($id: ID!) { getPaywallLink(id: $id) { id } }';
  const refused = {
    message: expect.stringMatching(/^Unauthorized/),
    extensions: { code: 'UNAUTHORIZED', errorType: 'Unauthorized' },
  };

  test.each([
    ['without a key', {}],
    ['with a wrong key', { 'x-api-key': 'pk_wrong' }],
    ['with a wrong token', { authorization: 'Bearer wrong' }],
  ])('%s is told by the data layer that it is not authorized', async (_title, headers) => {
    const variables = { id: '00000000' };
    const body = { query: QUERY, variables };
    const answer = await postJson(createPerson(app), '/graphql', body, headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const { errors } = (await answer.json()) as { errors: unknown[] };
    expect(errors).toMatchObject([refused]);
  });

  test('with a publishable key of before speaks for the session beside it', async () => {
    const seller = await signUp(app);
    const ask = (key: string) =>
      askGraphql(seller, '{ listSecretKeys { id } }', {}, { 'x-api-key': key });
    expect(await ask('pk_before')).toEqual({ data: { listSecretKeys: [] } });
    expect(await ask('sk_wrong')).toMatchObject({ errors: [refused] });
  });

  test('that may only read is refused a write with the same words', async () => {
    const { id } = await sellFile(await signUp(app));
    const { errors } = await askGraphql(
      createPerson(app),
      'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }',
      { id },
      await publishableKey(app),
    );
    expect(errors).toMatchObject([refused]);
  });

  test('asking for a checkout of an unknown link gets a problem with a stable code', async () => {
    const answer = await postJson(createPerson(app), '/prod/checkout', { paywallId: '00000000' });
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await answer.json()).toMatchObject({
      status: 404,
      code: 'LINK_NOT_FOUND',
      detail: 'This paywall link does not exist.',
    });
  });
});

describeOnSqliteFirst('a program, where no checkout is configured,', (database) => {
  const app = useApp({ database, env: { CHECKOUT_API_ENDPOINT: '' } });

  test('is told that the checkout has no endpoint', async () => {
    const { id } = await sellFile(await signUp(app));
    const answer = await postJson(createPerson(app), '/prod/checkout', { paywallId: id });
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await answer.json()).toMatchObject({
      status: 503,
      code: 'CHECKOUT_NOT_CONFIGURED',
      detail: 'REST API endpoint not configured.',
    });
  });
});
