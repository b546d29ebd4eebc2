import { beforeAll, expect, test } from 'vitest';
import {
  askGraphql,
  createLink,
  graphql,
  seeLink,
  sellFile,
  signUp,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const FIELDS = 'id type key url unlocked price owner createdAt updatedAt';
const SEEN = 'id unlocked mine url';
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describeOnSqliteFirst('the records', (database) => {
  const app = useApp({ database });
  let creator: Person;
  let sub: string;

  beforeAll(async () => {
    creator = await signUp(app, { firstName: 'Zoë' });
    sub = (await attributesOf(creator)).sub;
  });

  const attributesOf = async (person: Person) =>
    readJson<{ sub: string; email: string }>(await person.fetch('/api/user-attributes'));
  const linkOf = async (person: Person, id: string) =>
    (
      await graphql<{ getPaywallLink: Record<string, unknown> }>(
        person,
        `query ($id: ID!) { getPaywallLink(id: $id) { ${FIELDS} } }`,
        { id },
      )
    ).getPaywallLink;
  const balanceOf = async (person: Person, id: string) =>
    (
      await graphql<{ getUserBalance: Record<string, unknown> | null }>(
        person,
        'query ($id: ID!) { getUserBalance(id: $id) { id owner balance createdAt updatedAt } }',
        { id },
      )
    ).getUserBalance;

  test('a sold file is a link of type file with the key of its upload', async () => {
    const { id } = await sellFile(creator, { name: 'notes.pdf', price: 499 });
    expect(await linkOf(creator, id)).toMatchObject({
      id,
      type: 'file',
      key: `public/${id}-notes.pdf`,
      url: null,
      price: 499,
      owner: sub,
    });
  });

  test('an upload that asks for no id gets one of 8 hexadecimal digits, and a key of it and its name', async () => {
    const uploads = await Promise.all(
      Array.from({ length: 5 }, () =>
        uploadFile(creator, { name: 'notes.pdf', bytes: new Uint8Array([1]) }),
      ),
    );
    const keys = uploads.map(({ key }) => key);
    for (const key of keys) expect(key).toMatch(/^public\/[0-9a-f]{8}-notes\.pdf$/);
    expect(new Set(keys).size).toBe(keys.length);
    const [, id] = /^public\/([0-9a-f]+)-/.exec(keys[0] ?? '') ?? [];
    const created = await createLink(creator, { id, key: keys[0] });
    expect(created.id).toBe(id);
  });

  test('a link is asked for by an id that is required, and has every field that is specified', async () => {
    const { id } = await sellFile(creator);
    const { errors } = await askGraphql(
      creator,
      'query ($id: ID) { getPaywallLink(id: $id) { id } }',
      { id },
    );
    expect(errors?.[0]?.message).toContain('"ID!"');
    expect(await linkOf(creator, id)).toEqual({
      id,
      type: 'file',
      key: expect.any(String),
      url: null,
      unlocked: expect.any(Boolean),
      price: expect.any(Number),
      owner: sub,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('a sold web address is a link of type link with its url', async () => {
    const input = { type: 'link', url: 'https://example.com/a', price: 250 };
    const { id } = await createLink(creator, input);
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(await linkOf(creator, id)).toMatchObject({ type: 'link', key: null, url: input.url });
  });

  /** What the owner is answered in each way, and what a stranger is. */
  async function seeUnlocked(input: Record<string, unknown>) {
    const ask = async (query: string, variables: Record<string, unknown>) =>
      Object.values(await graphql<Record<string, { id: string }>>(creator, query, variables))[0];
    const created = await ask(
      `mutation ($input: CreatePaywallLinkInput!) {
        createPaywallLink(input: $input) { ${SEEN} }
      }`,
      { input: { type: 'link', url: 'https://example.com/a', price: 250, ...input } },
    );
    const id = created?.id ?? '';
    const updated = await ask(
      `mutation ($input: UpdatePaywallLinkInput!) {
        updatePaywallLink(input: $input) { ${SEEN} }
      }`,
      { input: { id, title: 'A' } },
    );
    const read = await ask(`query ($id: ID!) { getPaywallLink(id: $id) { ${SEEN} } }`, {
      id,
    });
    const list = await graphql<{ listPaywallLinks: { items: { id: string }[] } }>(
      creator,
      `query ($owner: String!) {
        listPaywallLinks(filter: { owner: { eq: $owner } }) { items { ${SEEN} } }
      }`,
      { owner: sub },
    );
    const listed = list.listPaywallLinks.items.find((item) => item.id === id);
    return {
      owner: [created, updated, read, listed],
      stranger: await linkOf(await signUp(app), id),
    };
  }

  test('a link is created with unlocked false, which its owner reads too, with the content', async () => {
    const { owner, stranger } = await seeUnlocked({ unlocked: false });
    const own = { unlocked: false, mine: true, url: 'https://example.com/a' };
    expect(owner).toMatchObject([own, own, own, own]);
    expect(stranger).toMatchObject({ unlocked: false, url: null });
  });

  test('a link that its creator made free has unlocked true for everybody, also while it is paused', async () => {
    const { owner, stranger } = await seeUnlocked({ unlocked: true });
    const own = { unlocked: true, mine: true, url: 'https://example.com/a' };
    expect(owner).toMatchObject([own, own, own, own]);
    expect(stranger).toMatchObject({ unlocked: true, url: own.url });
    const id = owner[0]?.id ?? '';
    await updateLink(creator, { id, paused: true });
    expect(await linkOf(creator, id)).toMatchObject({ unlocked: true, url: own.url });
    expect(await seeLink(createPerson(app), id)).toMatchObject({ unlocked: true, url: null });
  });

  test('the times of a link are written by the server', async () => {
    const before = new Date().toISOString();
    const { id } = await sellFile(creator);
    const { createdAt, updatedAt } = await linkOf(creator, id);
    expect(createdAt).toMatch(ISO_TIME);
    expect(String(createdAt) >= before).toBe(true);
    expect(updatedAt).toBe(createdAt);
  });

  test.each([4.5, '500', null])(
    'a price of %j is refused, because cents are integers',
    async (price) => {
      const { errors } = await askGraphql(
        creator,
        'mutation ($input: CreatePaywallLinkInput!) { createPaywallLink(input: $input) { id } }',
        { input: { type: 'link', url: 'https://example.com', price } },
      );
      expect(errors?.[0]?.message).toMatch(/price/);
    },
  );

  test('a balance names its owner and counts whole cents', { tags: 'long' }, async () => {
    const seller = await signUp(app);
    const { sub: id } = await attributesOf(seller);
    expect(await balanceOf(seller, id)).toBeNull();
    const sold = await sellFile(seller, { price: 199 });
    const buyer = createPerson(app);
    await payFor(buyer, sold.id);
    await waitUntilUnlocked(buyer, sold.id);
    // 5% of 199 is 9.95, rounded half up, and 30 cents.
    await eventually(async () =>
      expect(await balanceOf(seller, id)).toMatchObject({ id, owner: id, balance: 159 }),
    );
    const { createdAt, updatedAt } = (await balanceOf(seller, id)) ?? {};
    for (const time of [createdAt, updatedAt]) expect(time).toMatch(ISO_TIME);
  });
});
