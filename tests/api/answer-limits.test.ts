import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, publishableKey, signUp } from '../factories/factories.ts';
import { createPerson, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const KIBIBYTE = 1024;
const LIST = `query ($f: ModelPaywallLinkFilterInput, $limit: Int) {
  listPaywallLinks(filter: $f, limit: $limit) { nextToken }
}`;

type Answer = { data: unknown; errors?: { message: string; extensions: { code: string } }[] };

describe('an answer to GraphQL', () => {
  const app = useApp();
  let key: { 'x-api-key': string };

  beforeAll(async () => {
    key = await publishableKey(app);
  });

  async function ask(query: string, variables: Record<string, unknown> = {}) {
    const response = await postJson(createPerson(app), '/graphql', { query, variables }, key);
    const text = await response.text();
    const { data, errors = [] } = JSON.parse(text) as Answer;
    return { status: response.status, text, data, errors };
  }

  test('is refused when it is larger than 2 MiB, and given in smaller parts', async () => {
    const seller = await signUp(app);
    // Eight thousand bytes each.
    const texts = { description: '🎸'.repeat(2_000), title: 'Tabs' };
    const url = 'https://example.com/';
    await Promise.all(
      Array.from({ length: 20 }, () => createLink(seller, { type: 'link', url, ...texts })),
    );
    const again = Array.from({ length: 15 }, (_, n) => `d${n}: description`).join(' ');
    const query = `query ($limit: Int) {
      listPaywallLinks(limit: $limit) { items { description ${again} } }
    }`;
    const large = await ask(query, { limit: 20 });
    expect(large.status).toBe(400);
    expect(large.data).toBeNull();
    expect(large.errors).toEqual([
      {
        message: 'The answer is larger than 2 MiB. Ask for fewer links or fields at a time.',
        extensions: { code: 'INVALID_INPUT' },
      },
    ]);
    expect(large.text.length).toBeLessThan(KIBIBYTE);
    const small = await ask(query, { limit: 16 });
    expect(small.status).toBe(200);
    expect(Buffer.byteLength(small.text)).toBeGreaterThan(1.9 * KIBIBYTE * KIBIBYTE);
  });

  test('names ten errors at the most', async () => {
    const balances = Array.from({ length: 15 }, (_, n) => `b${n}: getUserBalance(id: "x") { id }`);
    const { errors } = await ask(`{ ${balances.join(' ')} }`);
    expect(errors).toHaveLength(10);
    const unknown = Array.from({ length: 15 }, (_, n) => `unknown${n}`);
    expect((await ask(`{ ${unknown.join(' ')} }`)).errors).toHaveLength(10);
  });

  test('says what is wrong with a variable and not the variable, also once a query is compiled', async () => {
    const said = 'y'.repeat(50_000);
    const misspelled = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`prise${n}`, said[n]]),
    );
    const unknown = { f: { ...misspelled, id: { eq: said } } };
    const mistaken = { f: { price: { eq: said } } };
    for (let count = 0; count < 99; count += 1) await ask(LIST, { limit: 1 });
    for (let count = 0; count < 3; count += 1) {
      const { status, text, errors } = await ask(LIST, unknown);
      expect(status).toBe(400);
      expect(errors).toHaveLength(10);
      expect(errors[0]?.message).toMatch(
        /^Variable "\$f" got invalid value; Field "prise0" is not defined by type "?ModelPaywallLinkFilterInput"?\.$/,
      );
      expect(text.length).toBeLessThan(4 * KIBIBYTE);
      expect(text).not.toContain('yyy');
    }
    // Few enough to be left to the engine.
    const { errors: few } = await ask(LIST, { f: { prise: { eq: 'yyy' } } });
    expect(few.map(({ message }) => message)).toEqual([
      'Variable "$f" got invalid value; Field "prise" is not defined by type "ModelPaywallLinkFilterInput".',
    ]);
    const { errors, text } = await ask(LIST, mistaken);
    expect(errors.map(({ message }) => message)).toEqual([
      'Variable "$f" got invalid value at "f.price.eq"; Int cannot represent non-integer value.',
    ]);
    expect(text).not.toContain('yyy');
  });

  test('repeats no more than three hundred characters of what was asked', async () => {
    const name = 'x'.repeat(50_000);
    for (const query of [`{ ${name} }`, `{ getPaywallLink(id: "1", ${name}: 1) { id } }`, name]) {
      const { errors, text } = await ask(query);
      expect(errors[0]?.message).toMatch(/^.{299}…$/);
      expect(text.length).toBeLessThan(4 * KIBIBYTE);
    }
    const { errors } = await ask(LIST, { f: { [name]: 1 } });
    expect(errors[0]?.message).toMatch(/^Variable "\$f" got invalid value; Field "x{200,}…$/);
  });
});
