import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishableKey, signUp } from '../factories/factories.ts';
import { skipWithout } from '../harness/needs.ts';
import { residentMemory } from '../harness/resident-memory.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';

const MEBIBYTE = 1024 * 1024;
const HEAP_MIB = 192;
/** What refusing three requests may take besides what is there: generous, for garbage is slow to go. */
const REFUSAL_MIB = 64;
/** Milliseconds after which a request hangs rather than being slow. */
const PATIENCE = 120_000;

const json = (body: unknown) => JSON.stringify(body);
const query = (text: string, rest = {}) => json({ query: text, ...rest });
const link = (selection: string) => `{ getPaywallLink(id: "00000000") { ${selection} } }`;

/**
 * One level too many. Only the types of types nest this far; that introspection is off besides is
 * told after the depth.
 */
const deep = '{ __schema { types { fields { type { ofType { ofType { name } } } } } } }';
const aliases = Array.from({ length: 16 }, (_, n) => `a${n}: __typename`);
const list = 'listPaywallLinks(filter: { price: { eq: 123 } }) { nextToken }';
const lists = [
  `{ a: ${list} b: ${list} c: ${list} }`,
  `{ ...A ...B } fragment A on Query { a: ${list} ... { b: ${list} } } fragment B on Query { c: ${list} }`,
];
const searches = [
  '{ a: listPaywallLinks(search: "x") { nextToken } b: listPaywallLinks { nextToken } }',
  `query ($s: String) { a: listPaywallLinks { nextToken } ...B }
    fragment B on Query { b: listPaywallLinks(search: $s) { nextToken } }`,
];
/** Each fragment spreads the next one twice: 2 to the 40th fields in 500 tokens. */
const doubling = [
  link('...F0'),
  ...Array.from({ length: 40 }, (_, n) => {
    return `fragment F${n} on PaywallLink { ...F${n + 1} id ...F${n + 1} }`;
  }),
  'fragment F40 on PaywallLink { id }',
].join(' ');
const circle = `${link('...A')} fragment A on PaywallLink { ...B } fragment B on PaywallLink { ...A }`;
const tree = json({
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      selectionSet: {
        kind: 'SelectionSet',
        selections: [{ kind: 'Field', name: { kind: 'Name', value: '__typename' } }],
      },
    },
  ],
});
const named = 'query ($id: ID!) { getPaywallLink(id: $id) { id } }';

type Refusal = { errors?: { message: string }[]; detail?: string };

const JSON_TYPE = 'application/json';
/** What it is, the body, the answer's status and words, the content type. */
const REFUSED: [string, string, number, RegExp, string?][] = [
  ['a query that is malformed', query('{ listPaywallLinks { '), 400, /Syntax Error/],
  ['a query of 7 levels', query(deep), 400, /^The query is deeper than 6 levels\.$/],
  ['16 aliases', query(`{ ${aliases.join(' ')} }`), 400, /more than 15 aliases/],
  ['three lists of links', query(lists[0] ?? ''), 400, /more than 2 lists/],
  ['three lists of links in fragments', query(lists[1] ?? ''), 400, /more than 2 lists/],
  [
    'two lists where one is searched',
    query(searches[0] ?? ''),
    400,
    /searches can read only one list/,
  ],
  [
    'a search beside a list in fragments',
    query(searches[1] ?? ''),
    400,
    /searches can read only one list/,
  ],
  [
    'an alias of 101 characters',
    query(`{ ${'a'.repeat(101)}: __typename }`),
    400,
    /longer than 100/,
  ],
  ['1200 tokens', query(link('id '.repeat(1200))), 400, /more than 1000 tokens/],
  ['fragments that double forty times', query(doubling), 400, /more than 1000 fields/],
  ['fragments in a circle', query(circle), 400, /spread fragment "A" within itself/],
  ['490 unknown directives', query(`{ __typename ${'@a '.repeat(490)}}`), 400, /directive "@a"/],
  [
    '140 directives on one field',
    query(`{ __typename ${'@skip(if: false) '.repeat(140)}}`),
    400,
    /"@skip" can only be used once/,
  ],
  [
    'introspection',
    query('{ __schema { types { name } } }'),
    400,
    /introspection has been disabled/,
  ],
  ['introspection of one type', query('{ __type(name: "Query") { name } }'), 400, /introspection/],
  ['a field with a slip', query(link('unlock')), 400, /Cannot query field "unlock"/],
  [
    'an argument with a slip',
    query('{ getPaywallLink(idd: "1") { id } }'),
    400,
    /Unknown argument/,
  ],
  [
    'a filter with a slip in a variable',
    query(
      'query ($f: ModelPaywallLinkFilterInput) { listPaywallLinks(filter: $f) { nextToken } }',
      {
        variables: { f: { prise: { eq: 1 } } },
      },
    ),
    400,
    /Field "prise" is not defined/,
  ],
  ['a batch', json([{ query: '{ __typename }' }, { query: '{ __typename }' }]), 400, /be object/],
  ['a query of 1 MB', query(`{ __typename ${' '.repeat(1_000_000)}}`), 413, /too large/],
  [
    'variables of 1 MB',
    query(named, { variables: { id: 'x'.repeat(1_000_000) } }),
    413,
    /too large/,
  ],
  ['a query that is a number', '{"query":5}', 400, /not valid GraphQL/],
  ['a query that is an object', '{"query":{}}', 400, /must be string/],
  ['a query as a syntax tree', query(tree), 400, /not valid GraphQL/],
  ['variables that are a text', query(named, { variables: 'x' }), 400, /variables must be object/],
  ['variables 100 levels deep', query(named, { variables: { id: nest(100) } }), 400, /ID cannot/],
  [
    'variables 5000 levels deep',
    query(named, { variables: { id: nest(5000) } }),
    400,
    /more than 200 values/,
  ],
  [
    'variables of 300 values',
    query(named, { variables: { id: '1', more: Array(300).fill(1) } }),
    400,
    /more than 200 values/,
  ],
  ['an object without a query', '{}', 400, /Unknown query/],
  ['an empty list', '[]', 400, /must be object/],
  ['null', 'null', 400, /must be object/],
  ['what is not JSON', 'query { __typename }', 400, /not valid JSON/],
  ['nothing', '', 400, /empty/],
  ['text/plain', query('{ __typename }'), 415, /as application\/json/, 'text/plain'],
  ['application/graphql', '{ __typename }', 415, /as application\/json/, 'application/graphql'],
  [
    'a form',
    'query=%7B__typename%7D',
    415,
    /as application\/json/,
    'application/x-www-form-urlencoded',
  ],
  ['a multipart form', '--x--', 415, /as application\/json/, 'multipart/form-data; boundary=x'],
];

function nest(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

describe('GraphQL in production', () => {
  let app: SpawnedApp;
  let key: { 'x-api-key': string };

  beforeAll(async () => {
    // A heap this small is full long before memory that is never given back would show elsewhere.
    app = await spawnApp({ env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` } });
    key = await publishableKey(app);
  });
  afterAll(() => app?.stop());

  async function post(body: string, type = JSON_TYPE, headers: Record<string, string> = key) {
    const answer = await fetch(`${app.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': type, ...headers },
      body,
      signal: AbortSignal.timeout(PATIENCE),
    });
    return { status: answer.status, text: await answer.text() };
  }

  /** Not known outside Linux. */
  const memory = () => (process.platform === 'linux' ? residentMemory(app.pid()) : 0);

  const expectAlive = async () =>
    expect(await post(query('{ __typename }'))).toEqual({
      status: 200,
      text: '{"data":{"__typename":"Query"}}',
    });

  test.each(REFUSED)(
    'refuses %s and goes on answering',
    async (_title, body, status, words, type) => {
      const before = memory();
      // With a key and without, and more than once: the second time it may be known.
      for (const headers of [key, {}, key] as Record<string, string>[]) {
        const answer = await post(body, type, headers);
        expect(answer.status).toBe(status);
        expect(answer.text.length).toBeLessThan(8 * 1024);
        const { errors, detail } = JSON.parse(answer.text) as Refusal;
        const messages = errors?.map(({ message }) => message) ?? [detail];
        expect(messages[0]).toMatch(words);
        expect(messages.join()).not.toContain('Did you mean');
      }
      await expectAlive();
      expect(memory() - before).toBeLessThan(REFUSAL_MIB * MEBIBYTE);
    },
  );

  test('refuses a GET, also of a query', { tags: 'long' }, async () => {
    const person = await signUp(app);
    const answer = await person.fetch(`/graphql?query=${encodeURIComponent('{ __typename }')}`);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    await expectAlive();
  });

  test('keeps neither refused nor answered queries: six hundred of the largest fit in a small heap', {
    tags: 'long',
  }, async () => {
    if (process.platform !== 'linux') return skipWithout('linux');
    const filler = 'title '.repeat(900);
    const refused = (n: number) => query(link(`refused${n} ${filler}`));
    const fields = 'id price title type owner files { key name size }';
    const answered = (n: number) => {
      const links = Array.from(
        { length: 14 },
        (_, a) => `a${a}: getPaywallLink(id: "00000000") { ${fields} }`,
      );
      return query(`query Number${n} { ${links.join(' ')} }`);
    };
    const before = memory();
    for (let n = 0; n < 300; n += 4) {
      const requests = [n, n + 1, n + 2, n + 3].flatMap((number) => [
        post(refused(number)),
        post(answered(number)),
      ]);
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(statuses).toEqual([400, 200, 400, 200, 400, 200, 400, 200]);
    }
    expect(memory() - before).toBeLessThan(HEAP_MIB * MEBIBYTE);
    await expectAlive();
  });
});
