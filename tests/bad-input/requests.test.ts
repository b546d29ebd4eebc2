import { beforeAll, describe, expect, test } from 'vitest';
import { askGraphql, publishableKey, sellFile, signUp } from '../factories/factories.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

describe('a refused request', () => {
  const app = useApp();
  let visitor: Person;

  beforeAll(() => {
    visitor = createPerson(app);
  });

  test.each(['/nothing-here', '/p', '/p/00000000/x/y', '/%2e%2e/%2e%2e/etc/passwd'])(
    'for the unknown page %s answers 404',
    async (path) => {
      expect((await visitor.fetch(path)).status).toBe(404);
    },
  );

  test.each(['00000000', 'zzzzzzzz', '0'.repeat(500), '%00', "' or 1=1"])(
    'for the unknown link %s answers 404 with the message',
    async (id) => {
      const page = await visitor.fetch(`/p/${encodeURIComponent(id)}`);
      expect(page.status).toBe(404);
      expect(await page.text()).toContain('This paywall link does not exist.');
    },
  );

  test('for a checkout of an unknown link answers 404 with the message', async () => {
    const answer = await postJson(visitor, '/prod/checkout', { paywallId: '00000000' });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('This paywall link does not exist.');
  });

  test.each([{}, { paywallId: 7 }, { paywallId: null }, [], 'text', null])(
    'for a checkout with the body %j answers 400',
    async (body) => {
      expect((await postJson(visitor, '/prod/checkout', body)).status).toBe(400);
    },
  );

  test.each(['/prod/checkout', '/graphql', '/api/auth/sign-in/email'])(
    'with malformed JSON to %s answers 400',
    async (path) => {
      const answer = await visitor.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(await publishableKey(app)) },
        body: '{"paywallId": ',
      });
      expect(answer.status).toBe(400);
    },
  );

  test.each(['/prod/checkout', '/graphql', '/api/auth/sign-in/email', '/webhooks/stripe'])(
    'with a body of 8 MiB to %s answers 413',
    async (path) => {
      const body = { paywallId: 'x'.repeat(8 * 1024 * 1024) };
      const answer = await postJson(visitor, path, body, await publishableKey(app));
      expect(answer.status).toBe(413);
    },
  );

  test('with a type of body that is not understood answers 415', async () => {
    const answer = await visitor.fetch('/prod/checkout', {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: 'a,b',
    });
    expect(answer.status).toBe(415);
  });

  describe('by GraphQL', () => {
    test('with a wrong key or none', async () => {
      const query = '{ listPaywallLinks { items { id } } }';
      for (const headers of [{ 'x-api-key': 'wrong' }, {}] as Record<string, string>[]) {
        const answer = await askGraphql(createPerson(app), query, {}, headers);
        expect(answer.errors?.[0]?.message).toMatch(/Unauthorized/);
      }
    });

    test('for the balance of somebody else', async () => {
      const [seller, other] = await Promise.all([signUp(app), signUp(app)]);
      const { owner } = await sellFile(seller);
      const query = 'query ($id: ID!) { getUserBalance(id: $id) { balance } }';
      for (const person of [other, visitor]) {
        const answer = await askGraphql(person, query, { id: owner }, await publishableKey(app));
        expect(JSON.stringify(answer)).not.toContain('"balance"');
      }
    });
  });
});
