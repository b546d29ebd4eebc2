import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  announceUpload,
  askGraphql,
  createLink,
  publishableKey,
  seeLink,
  sellFile,
  signUp,
  uploadFile,
} from '../factories/factories.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const CREATE = `mutation ($input: CreatePaywallLinkInput!) {
  createPaywallLink(input: $input) { id }
}`;
const newId = () => randomBytes(4).toString('hex');

describeOnSqliteFirst('a refused link', (database) => {
  const app = useApp({ database });
  let seller: Person;
  let other: Person;
  let key: string;

  beforeAll(async () => {
    [seller, other] = await Promise.all([signUp(app), signUp(app)]);
    key = (await uploadFile(seller, { name: 'a.txt', bytes: Buffer.from('a') })).key;
  });

  /** Is refused with this code and message, and leaves no link behind. */
  async function expectRefusal(input: object, code: string, message: RegExp): Promise<void> {
    const id = newId();
    const complete = { type: 'file', key, price: 500, id, ...input };
    const { data, errors } = await askGraphql<{ createPaywallLink: unknown }>(seller, CREATE, {
      input: complete,
    });
    expect(data?.createPaywallLink ?? null).toBeNull();
    expect(errors?.[0]?.message).toMatch(message);
    expect(errors?.[0]?.extensions?.code).toBe(code);
    expect(await seeLink(seller, id)).toBeNull();
  }

  test.each([
    [0, /Enter a valid price greater than \$0\./],
    [-1, /Enter a valid price greater than \$0\./],
    [100_000_000, /maximum price/],
  ])('has a price of %d cents', async (price, message) => {
    await expectRefusal({ price }, 'INVALID_PRICE', message);
  });

  test.each([1.5, '500', null, 1e20])('has a price that is no integer: %j', async (price) => {
    await expectRefusal({ price }, 'INVALID_INPUT', /price/);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'https://user:secret@example.com/',
    'https://user@example.com/',
    'not an address',
    '//example.com/',
    `https://example.com/${'a'.repeat(2050)}`,
  ])('sells the web address %s', async (url) => {
    const input = { type: 'link', key: undefined, url };
    await expectRefusal(input, 'INVALID_URL', /web address/);
  });

  test.each([
    ['nothing', { key: undefined }],
    ['a file and a web address', { url: 'https://example.com/' }],
    ['a web address as a file', { key: undefined, url: 'https://example.com/' }],
    ['a file as a web address', { type: 'link' }],
  ])('sells %s', async (_title, input) => {
    await expectRefusal(input, 'INVALID_PAYWALL_DATA', /^Invalid paywall data\.$/);
  });

  test.each([
    ['nothing', { key: undefined }, 'INVALID_PAYWALL_DATA'],
    ['an empty key', { key: '' }, 'INVALID_PAYWALL_DATA'],
    ['no files', { key: undefined, files: [] }, 'INVALID_PAYWALL_DATA'],
    ['a key that does not exist', { key: 'public/00000000-a.txt' }, 'INVALID_KEY'],
    ['no web address', { type: 'link', key: undefined }, 'INVALID_PAYWALL_DATA'],
    [
      'a web address that is none',
      { type: 'link', key: undefined, url: 'javascript:alert(1)' },
      'INVALID_URL',
    ],
    ['no parts', { type: 'bundle', key: undefined, parts: [] }, 'INVALID_PARTS'],
    ['a type that does not exist', { type: 'video' }, 'INVALID_LINK_TYPE'],
  ])('sells %s, which is named before what else is wrong', async (_title, input, code) => {
    // Few for each: how many links an account may ask for is limited.
    await expectRefusal({ ...input, price: 0 }, code, /./);
    await expectRefusal({ ...input, least: -7, title: 'a'.repeat(999) }, code, /./);
  });

  test('has a price that is named before a title', async () => {
    await expectRefusal({ price: 0, title: 'a'.repeat(999) }, 'INVALID_PRICE', /price/);
  });

  test('is changed to a file that does not exist, which is named before a price', async () => {
    const { id } = await sellFile(seller);
    const change = `mutation ($input: UpdatePaywallLinkInput!) {
      updatePaywallLink(input: $input) { id }
    }`;
    const codeOf = async (input: object) =>
      (await askGraphql(seller, change, { input: { id, price: 0, ...input } })).errors?.[0]
        ?.extensions?.code;
    expect(await codeOf({ key: 'public/00000000-a.txt' })).toBe('INVALID_KEY');
    expect(await codeOf({ url: 'https://example.com/' })).toBe('INVALID_PAYWALL_DATA');
    expect(await codeOf({ key })).toBe('INVALID_PRICE');
    expect(await codeOf({ id: '00000000' })).toBe('LINK_NOT_FOUND');
  });

  test('has a type that does not exist', async () => {
    await expectRefusal({ type: 'video' }, 'INVALID_LINK_TYPE', /'file', 'link' or 'bundle'/);
  });

  test('sells a key that does not exist', async () => {
    await expectRefusal({ key: 'public/00000000-a.txt' }, 'INVALID_KEY', /key/);
  });

  test("sells another creator's upload", async () => {
    const foreign = await uploadFile(other, { name: 'b.txt', bytes: Buffer.from('b') });
    await expectRefusal({ key: foreign.key }, 'INVALID_KEY', /key/);
  });

  test('sells an upload that is not finished', async () => {
    const announced = await announceUpload(seller, { name: 'half.txt', size: 10 });
    const unfinished = decodeURIComponent(announced.headers.get('upload-key') ?? '');
    await expectRefusal({ key: unfinished }, 'INVALID_KEY', /key/);
  });

  test.each([
    ...['\u200b', '\u3164\u00a0', '\u2060\u00ad', ' ', '\u2800', '\u0301', '\u0007'],
    ...['\ufffe\ufdd0', '\ud800'],
  ])('has a title and a description of which nothing is seen, and gets none: %j', async (title) => {
    const { id } = await createLink(seller, {
      type: 'link',
      url: 'https://x.org/',
      title,
      description: title,
    });
    const read = 'query ($id: ID!) { getPaywallLink(id: $id) { title description } }';
    const { data } = await askGraphql<{ getPaywallLink: object }>(seller, read, { id });
    expect(data?.getPaywallLink).toEqual({ title: null, description: null });
  });

  test.each(['👍🏽', '👩‍👩‍👧‍👦', 'e\u0301', '\u1112\u1161\u11ab'])(
    'has a title of more than 120 characters as a person counts them: %s',
    async (sign) => {
      const title = sign.repeat(121);
      await expectRefusal({ title }, 'INVALID_TITLE', /longer than 120 characters/);
      await createLink(seller, { type: 'link', url: 'https://x.org/', title: sign.repeat(120) });
    },
  );

  test.each(['', 'ABCDEF01', '1234567', '123456789', 'xyzxyzxy', '../../etc'])(
    'has the id %j',
    async (id) => {
      const input = { type: 'file', key, price: 500, id };
      const { errors } = await askGraphql(seller, CREATE, { input });
      expect(errors?.[0]?.extensions?.code).toBe('INVALID_LINK_ID');
    },
  );

  test('has an id that is in use, or was before it was deleted', async () => {
    const { id } = await createLink(seller, { type: 'link', url: 'https://example.com/a' });
    const again = { input: { type: 'link', url: 'https://example.com/b', price: 500, id } };
    expect((await askGraphql(other, CREATE, again)).errors?.[0]?.extensions?.code).toBe(
      'LINK_ID_TAKEN',
    );
    const remove = 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }';
    expect((await askGraphql(seller, remove, { id })).errors).toBeUndefined();
    for (const person of [seller, other]) {
      const { errors } = await askGraphql(person, CREATE, again);
      expect(errors?.[0]?.extensions?.code).toBe('LINK_ID_TAKEN');
    }
  });

  test('names another creator as its owner', async () => {
    const { sub } = await readJson<{ sub: string }>(await other.fetch('/api/user-attributes'));
    const input = { type: 'link', url: 'https://example.com/', price: 500, owner: sub };
    expect((await askGraphql(seller, CREATE, { input })).errors?.[0]?.message).toMatch(
      /Unauthorized/,
    );
  });

  describe('by somebody who may not write', () => {
    test.each(['create', 'update', 'delete'])('%s answers Unauthorized', async (verb) => {
      const { id } = await sellFile(seller);
      const name = `${verb}PaywallLink`;
      const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
      const query = `mutation ($input: ${type}!) { ${name}(input: $input) { id } }`;
      const create = { type: 'link', url: 'https://example.com/', price: 500 };
      const input = verb === 'create' ? create : { id };
      const visitor = createPerson(app);
      const headers = await publishableKey(app);
      const { errors } = await askGraphql(visitor, query, { input }, headers);
      expect(errors?.[0]?.message).toMatch(/Unauthorized/);
      if (verb !== 'create') {
        const foreign = await askGraphql(other, query, { input });
        expect(foreign.errors?.[0]?.extensions?.code).toBe('UNAUTHORIZED');
      }
      expect(await seeLink(visitor, id)).toMatchObject({ price: 500 });
    });
  });
});
