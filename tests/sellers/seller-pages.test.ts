import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import {
  askGraphql,
  createLink,
  graphql,
  readUserId,
  signUp,
  updateLink,
  uploadFile,
} from '../factories/factories.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import { deleteLink } from '../factories/stored-files.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const SET_PAGE = `mutation ($handle: String, $about: String, $links: [String!]!) {
  setSellerPage(handle: $handle, about: $about, links: $links)
}`;
const PIN = 'mutation ($id: ID!, $pinned: Boolean!) { pinLink(id: $id, pinned: $pinned) }';
const DAY_MS = 24 * 60 * 60 * 1000;

describeOnSqliteFirst('the page of a seller', (database) => {
  const app = useApp({ database });
  let seller: Person;
  let other: Person;
  let ids: string[];

  const setPage = (person: Person, handle: string | null, rest = {}) =>
    askGraphql<{ setSellerPage: string | null }>(person, SET_PAGE, { handle, links: [], ...rest });
  /** What is refused, or the handle as it is kept. */
  async function take(person: Person, handle: string | null, rest = {}) {
    const { data, errors } = await setPage(person, handle, rest);
    return errors?.[0]?.extensions?.code ?? data?.setSellerPage;
  }
  const open = (path: string) =>
    fetch(app.origin + path, { redirect: 'manual', headers: { 'accept-encoding': 'identity' } });
  const sell = async (person: Person, title: string, rest = {}) =>
    (await createLink(person, { type: 'link', url: 'https://secret.example/', title, ...rest })).id;
  /** The links of a page, in order. */
  async function linksOn(path: string): Promise<string[]> {
    const answer = await open(path);
    expect(answer.status).toBe(200);
    return [...(await answer.text()).matchAll(/href="\/p\/([0-9a-f]{8})"/g)].map(
      ([, id]) => id ?? '',
    );
  }

  beforeAll(async () => {
    seller = await signUp(app);
    other = await signUp(app);
    ids = [];
    for (const title of ['First', 'Second', 'Third']) ids.push(await sell(seller, title));
    await sell(seller, 'Kept to itself', { unlisted: true });
    await sell(other, 'Somebody else’s');
  });

  test('has an address of its own, under rules', async () => {
    expect((await open('/s/ada-l')).status).toBe(404);
    for (const [handle, code] of [
      ['ab', 'INVALID_HANDLE'],
      ['a'.repeat(31), 'INVALID_HANDLE'],
      ['-ada', 'INVALID_HANDLE'],
      ['ada--l', 'INVALID_HANDLE'],
      ['ada_l', 'INVALID_HANDLE'],
      ['аda', 'INVALID_HANDLE'],
      ['Support', 'INVALID_HANDLE'],
      [' Ada-L ', 'ada-l'],
    ] as const) {
      expect([handle, await take(seller, handle)]).toEqual([handle, code]);
    }
    expect(await take(other, 'ADA-L')).toBe('HANDLE_TAKEN');
    expect(await linksOn('/s/ada-l')).toEqual(ids.toReversed());
    const spelled = await open('/s/ADA-L?after=x');
    expect([spelled.status, spelled.headers.get('location')]).toEqual([308, '/s/ada-l?after=x']);
  });

  const drawPicture = async () => {
    const picture = sharp({
      create: { width: 90, height: 40, channels: 3, background: '#b5651d' },
    });
    return { method: 'PUT', body: new Uint8Array(await picture.png().toBuffer()) };
  };

  test('shows its picture to its seller alone until it has an address', async () => {
    const answer = await other.fetch('/account/picture', await drawPicture());
    const { url } = (await answer.json()) as { url: string };
    const seen = async (person: Person) => (await person.fetch(url)).status;
    expect([await seen(other), await seen(seller), (await open(url)).status]).toEqual([
      ...[200, 404, 404],
    ]);
    expect((await other.fetch('/account/picture', { method: 'DELETE' })).status).toBe(204);
    expect(await seen(other)).toBe(404);
  });

  test('shows words, web addresses and a picture, as what they are', async () => {
    const wrong = [
      [{ about: 'a'.repeat(501) }, 'INVALID_ABOUT'],
      [{ about: 'a\u202eb' }, 'INVALID_ABOUT'],
      [{ links: ['http://example.com/'] }, 'INVALID_SELLER_LINK'],
      [{ links: ['javascript:alert(1)'] }, 'INVALID_SELLER_LINK'],
      [{ links: ['https://ada:pass@example.com/'] }, 'INVALID_SELLER_LINK'],
      [{ links: [`https://example.com/${'a'.repeat(200)}`] }, 'INVALID_SELLER_LINK'],
      [{ links: Array(6).fill('https://example.com/') }, 'INVALID_SELLER_LINK'],
    ] as const;
    for (const [rest, code] of wrong) expect(await take(seller, 'ada-l', rest)).toBe(code);
    const links = ['https://example.com/ada', 'https://www.example.org'];
    expect(await take(seller, 'ada-l', { about: 'Notes &\n<b>more</b>', links })).toBe('ada-l');
    await graphql(seller, 'mutation { setSellerName(name: "Ada & <i>co</i>") }');
    const put = await drawPicture();
    expect((await createPerson(app).fetch('/account/picture', put)).status).toBe(401);
    const answer = await seller.fetch('/account/picture', put);
    const { url, ...size } = (await answer.json()) as { url: string };
    expect(size).toEqual({ width: 400, height: 400 });
    const html = await (await open('/s/ada-l')).text();
    expect(html).toContain('Notes &amp;\n&lt;b&gt;more&lt;/b&gt;</p>');
    expect(html).toContain('>Ada &amp; &lt;i&gt;co&lt;/i&gt;</h1>');
    expect(html).toMatch(/href="https:\/\/example\.com\/ada" rel="nofollow ugc noopener"/);
    expect(html).toContain(`<img alt="" class="card w-40" height="400" src="${url}"`);
    const showsPicture = async (path: string) =>
      (await (await open(path)).text()).includes(`src="${url}"`);
    for (const path of [`/p/${ids[0]}`, '/explore']) expect(await showsPicture(path)).toBe(true);
    const card = `<meta content="${app.origin}/s/ada-l/card.png" property="og:image"/>`;
    expect(html).toContain(card);
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '';
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'ProfilePage',
      mainEntity: { name: 'Ada & <i>co</i>', sameAs: [links[0], 'https://www.example.org/'] },
    });
    expect(html).not.toContain('noindex');
    for (const [path, type] of [
      [url, 'image/webp'],
      ['/s/ada-l/card.png', 'image/png'],
    ] as const) {
      expect((await open(path)).headers.get('content-type')).toBe(type);
    }
    expect((await seller.fetch('/account/picture', { method: 'DELETE' })).status).toBe(204);
    expect((await open(url)).status).toBe(404);
    for (const path of [`/p/${ids[0]}`, '/explore']) expect(await showsPicture(path)).toBe(false);
    // Nor is anything else that is stored, such as what is sold.
    await uploadFile(other, { name: 'sold.webp', bytes: Buffer.from('sold') });
    const [sold] = await withDatabase(app, (db) => db.selectFrom('file').select('blob').execute());
    expect((await open(`/covers/${sold?.blob}.webp`)).status).toBe(404);
    expect(await (await open('/s/ada-l')).text()).not.toContain('/covers/');
  });

  test('is led to by the links, the feed, the sitemap and nothing else', async () => {
    const [first = ''] = ids;
    for (const path of [`/p/${first}`, '/explore']) {
      expect(await (await open(path)).text()).toContain('href="/s/ada-l"');
    }
    const feed = await (await open('/s/ada-l/feed.atom')).text();
    expect(feed).toContain(`<link rel="self" href="${app.origin}/s/ada-l/feed.atom"/>`);
    for (const id of ids) expect(feed).toContain(`${app.origin}/p/${id}<`);
    for (const words of ['Kept to itself', 'Somebody else', 'secret.example']) {
      expect(feed).not.toContain(words);
    }
    // A page without links is not for search engines.
    const empty = await signUp(app);
    expect(await take(empty, 'empty-shop')).toBe('empty-shop');
    expect(await (await open('/s/empty-shop')).text()).toContain('content="noindex, follow"');
    const parts = await (await open('/sitemap.xml')).text();
    expect(parts).toContain('/sitemap/sellers.xml');
    const sellers = await (await open('/sitemap/sellers.xml')).text();
    expect(sellers).toContain(`<loc>${app.origin}/s/ada-l</loc>`);
    expect(sellers).not.toContain('empty-shop');
    expect((await open('/s/nobody/feed.atom')).status).toBe(404);
    expect((await open('/s/nobody/card.png')).status).toBe(404);
  });

  test('changes at once with its links, also where it is kept', async () => {
    const [first = '', second = '', third = ''] = ids;
    expect(await linksOn('/s/ada-l')).toEqual([third, second, first]);
    const added = await sell(seller, 'Fourth');
    expect(await linksOn('/s/ada-l')).toEqual([added, third, second, first]);
    await updateLink(seller, { id: added, unlisted: true });
    expect(await linksOn('/s/ada-l')).toEqual([third, second, first]);
    await deleteLink(seller, third);
    expect(await linksOn('/s/ada-l')).toEqual([second, first]);
    const operator = await signUpOperator(app);
    const words = 'takeDownLink(id: $id, reason: "other", words: "A reason.")';
    await graphql(operator, `mutation ($id: ID!) { ${words} }`, { id: second });
    expect(await linksOn('/s/ada-l')).toEqual([first]);
    ids = [first];
  });

  test('begins with what is pinned, at most six', async () => {
    const more: string[] = [];
    for (let number = 1; number <= 6; number += 1) more.push(await sell(seller, `Pin ${number}`));
    const [first = ''] = ids;
    const pin = async (person: Person, id: string, pinned = true) =>
      (await askGraphql(person, PIN, { id, pinned })).errors?.[0]?.extensions?.code;
    expect(await pin(other, first)).toBe('UNAUTHORIZED');
    expect(await pin(seller, first)).toBeUndefined();
    expect(await linksOn('/s/ada-l')).toEqual([first, ...more.toReversed()]);
    for (const id of more.slice(0, 5)) expect(await pin(seller, id)).toBeUndefined();
    const [last = ''] = more.slice(-1);
    expect(await pin(seller, last)).toBe('TOO_MANY_PINNED_LINKS');
    const pinned = [...more.slice(0, 5).toReversed(), first];
    await updateLink(seller, { id: first, unlisted: true });
    expect(await linksOn('/s/ada-l')).toEqual([...pinned.slice(0, 5), last]);
    await updateLink(seller, { id: first, unlisted: false });
    expect(await linksOn('/s/ada-l')).toEqual([...pinned, last]);
    // The form on the page, without a script.
    const body = new URLSearchParams({ id: first, pinned: 'no' });
    const form = { method: 'POST', body, redirect: 'manual' } as const;
    expect((await seller.fetch('/s/ada-l/pin', form)).headers.get('location')).toBe('/s/ada-l');
    expect((await other.fetch('/s/ada-l/pin', form)).status).toBe(401);
    expect((await linksOn('/s/ada-l')).indexOf(first)).toBe(6);
    const page = await (await seller.fetch('/s/ada-l')).text();
    expect(page.match(/>Unpin</g)).toHaveLength(5);
    expect(await (await open('/s/ada-l')).text()).not.toContain('Unpin');
    for (const id of more) await deleteLink(seller, id);
  });

  test('is shown in parts', async () => {
    const many = await signUp(app);
    const made: string[] = [];
    for (let number = 1; number <= 51; number += 1) made.push(await sell(many, `Link ${number}`));
    await take(many, 'many-links');
    const page = await (await open('/s/many-links')).text();
    const next = /href="(\/s\/many-links\?after=[^"]+)"/.exec(page)?.[1] ?? '';
    expect(await linksOn('/s/many-links')).toEqual(made.slice(1).toReversed());
    expect(await linksOn(next)).toEqual(made.slice(0, 1));
  });

  test('moves: the earlier address leads to it for a year, and is nobody else’s meanwhile', async () => {
    expect(await take(seller, 'ada')).toBe('ada');
    for (const path of ['/s/ada-l', '/s/Ada-L']) {
      const moved = await open(path);
      expect([moved.status, moved.headers.get('location')]).toEqual([308, '/s/ada']);
    }
    expect(await take(other, 'ada-l')).toBe('HANDLE_TAKEN');
    expect(await take(seller, 'ada-l')).toBe('ada-l');
    for (const handle of ['one', 'two', 'three', 'four']) {
      expect(await take(seller, handle)).toBe(handle);
    }
    expect(await take(seller, 'five')).toBe('TOO_MANY_HANDLES');
    expect((await open('/s/four')).status).toBe(200);
    expect(await take(seller, 'ada')).toBe('ada');
    await withDatabase(app, async (db) => {
      const { sweepHandles } = await import('../../server/catalog/sellers/change-page.ts');
      await sweepHandles(db, Date.now() + 365 * DAY_MS);
      expect((await open('/s/one')).status).toBe(308);
      await sweepHandles(db, Date.now() + 367 * DAY_MS);
    });
    expect((await open('/s/one')).status).toBe(404);
    expect(await take(other, 'one')).toBe('one');
    expect(await take(other, null)).toBeNull();
    expect((await open('/s/one')).status).toBe(404);
  });

  test('is taken by one of many who ask for it at once', async () => {
    const takers = await Promise.all(Array.from({ length: 4 }, () => signUp(app)));
    const taken = await Promise.all(
      [...takers, ...takers].map((person) => take(person, 'wanted-by-all')),
    );
    expect(new Set(taken)).toEqual(new Set(['wanted-by-all', 'HANDLE_TAKEN']));
    expect(taken.filter((code) => code === 'wanted-by-all')).toHaveLength(2);
  });

  test('is closed while its seller is suspended, and for good when the account is deleted', async () => {
    const operator = await signUpOperator(app);
    const id = await readUserId(seller);
    expect((await open('/s/ada')).status).toBe(200);
    await graphql(
      operator,
      'mutation ($id: ID!) { suspendAccount(id: $id, reason: "A reason.") }',
      {
        id,
      },
    );
    for (const path of ['/s/ada', '/s/ada-l', '/s/ada/feed.atom', '/s/ada/card.png']) {
      expect([path, (await open(path)).status]).toEqual([path, 404]);
    }
    await graphql(operator, 'mutation ($id: ID!) { restoreAccount(id: $id) }', { id });
    expect((await open('/s/ada')).status).toBe(200);
    await withDatabase(app, async (db) => {
      const { deleteAccount } = await import('../../server/people/accounts/delete-account.ts');
      await deleteAccount({ db, now: Date.now }, id);
      const left = await db
        .selectFrom('seller_page')
        .where('owner_id', '=', id)
        .selectAll()
        .execute();
      expect(left).toEqual([]);
    });
    expect((await open('/s/ada-l')).status).toBe(404);
    expect(await take(other, 'ada')).toBe('HANDLE_TAKEN');
  });
});
