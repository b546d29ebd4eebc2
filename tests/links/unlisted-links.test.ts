import { beforeAll, expect, test } from 'vitest';
import {
  createLink,
  graphql,
  publishableKey,
  seeLink,
  signUp,
  updateLink,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { programWith, SERVICE_KEY } from '../factories/secret-key.ts';
import { eventually } from '../harness/eventually.ts';
import { connectLive } from '../harness/live-socket.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const ADDRESS = { type: 'link', url: 'https://example.com/hidden' };
const LIST = `query ($filter: ModelPaywallLinkFilterInput, $search: String, $limit: Int, $nextToken: String) {
  listPaywallLinks(filter: $filter, search: $search, limit: $limit, nextToken: $nextToken) {
    items { id unlisted } nextToken
  }
}`;
const DELETE = 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }';
const FIELDS = 'id unlisted';

describeOnSqliteFirst('an unlisted link', (database) => {
  const app = useApp({ database, env: { SERVICE_KEY } });
  let seller: Person;
  let other: Person;
  let operator: Person;
  let owner: string;
  let keys: { 'x-api-key': string };
  let listed: string;
  let unlisted: string;

  beforeAll(async () => {
    [seller, other] = [await signUp(app), await signUp(app)];
    operator = programWith(app, SERVICE_KEY);
    keys = await publishableKey(app);
    ({ id: listed, owner } = await createLink(seller, { ...ADDRESS, title: 'Seldom seen' }));
    const hidden = { ...ADDRESS, title: 'Seldom hidden', unlisted: true };
    ({ id: unlisted } = await createLink(seller, hidden));
  });

  /** The ids of a whole list, page by page. */
  async function list(person: Person, variables: Record<string, unknown> = {}): Promise<string[]> {
    const ids: string[] = [];
    let nextToken: string | null = null;
    do {
      const answer: {
        listPaywallLinks: { items: { id: string }[]; nextToken: string | null };
      } = await graphql(person, LIST, { ...variables, nextToken }, person === other ? keys : {});
      ids.push(...answer.listPaywallLinks.items.map(({ id }) => id));
      nextToken = answer.listPaywallLinks.nextToken;
    } while (nextToken);
    return ids;
  }

  const ofOwner = () => ({ filter: { owner: { eq: owner } } });
  const read = async (path: string, person = createPerson(app)) => {
    const answer = await person.fetch(path, { headers: { accept: 'text/html' } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  test('is in no list or search of others, whatever they filter by', async () => {
    for (const variables of [
      {},
      ofOwner(),
      { filter: { id: { eq: unlisted } } },
      { filter: { type: { eq: 'link' } } },
      { filter: { price: { between: [1, 99_999] } } },
      { search: 'seldom' },
      { search: 'hidden' },
      { search: 'seldom', ...ofOwner() },
    ]) {
      expect(await list(other, variables)).not.toContain(unlisted);
    }
    expect(await list(other, { search: 'seldom' })).toEqual([listed]);
    // Its owner's own look at everybody's links is everybody's.
    expect(await list(seller)).not.toContain(unlisted);
    for (const path of ['/explore', '/explore?q=seldom', `/explore?q=${unlisted}`]) {
      expect((await read(path)).text).not.toContain(`/p/${unlisted}`);
    }
  });

  test('is in the lists of its owner and of the service key, in one order with the others', async () => {
    for (const limit of [1, 2, 50]) {
      for (const person of [seller, operator]) {
        expect(await list(person, { limit, ...ofOwner() })).toEqual([unlisted, listed]);
      }
      expect(await list(operator, { limit })).toEqual([unlisted, listed]);
    }
    expect(await list(seller, { search: 'seldom', ...ofOwner() })).toEqual([unlisted, listed]);
    expect((await read('/dashboard', seller)).text).toContain('Seldom hidden');
  });

  test('is shown, sold and embedded to whoever has its address, and in no search engine', {
    tags: 'long',
  }, async () => {
    const page = await read(`/p/${unlisted}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('x-robots-tag')).toBe('noindex');
    expect(page.text).toContain('<meta content="noindex" name="robots"/>');
    expect(await seeLink(createPerson(app), unlisted)).toMatchObject({ unlocked: false });
    const buyer = createPerson(app);
    await payFor(buyer, unlisted);
    await eventually(async () => {
      expect(await seeLink(buyer, unlisted)).toMatchObject({ unlocked: true });
    });
    const address = encodeURIComponent(`${app.origin}/p/${unlisted}`);
    for (const path of [`/oembed?url=${address}`, `/p/${unlisted}/offer.json`]) {
      expect((await read(path)).status).toBe(200);
    }
  });

  test('leaves lists, feed, sitemap and kept pages at once, and comes back to lists, feed and pages', {
    tags: 'long',
  }, async () => {
    const { id } = await createLink(seller, { ...ADDRESS, title: 'Comes and goes' });
    const sitemaps = ['/sitemap/links.xml', `/sitemap/links-${id.slice(0, 2)}.xml`];
    const isTold = async () => {
      const places = ['/explore', '/explore.atom'];
      const texts = await Promise.all(places.map(async (path) => (await read(path)).text));
      return texts.map((text) => text.includes(`/p/${id}`));
    };
    expect(await isTold()).toEqual([true, true]);
    // Written now, and kept for minutes.
    for (const path of sitemaps) expect((await read(path)).text).toContain(`/p/${id}<`);
    expect((await read(`/p/${id}`)).headers.get('x-robots-tag')).toBeNull();

    await updateLink(seller, { id, unlisted: true });
    expect(await isTold()).toEqual([false, false]);
    expect((await read(`/p/${id}`)).headers.get('x-robots-tag')).toBe('noindex');
    await eventually(async () => {
      for (const path of sitemaps) expect((await read(path)).text).not.toContain(`/p/${id}<`);
    });
    expect((await read('/sitemap/links.xml')).text).toContain(`/p/${listed}<`);

    await updateLink(seller, { id, unlisted: false });
    expect(await isTold()).toEqual([true, true]);
    expect((await read(`/p/${id}`)).headers.get('x-robots-tag')).toBeNull();
  });

  test('that is paused, hidden or deleted leaves a sitemap that was written before', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await createLink(seller, ADDRESS)).id),
    );
    const [paused = '', hidden = '', deleted = ''] = ids;
    const paths = ids.map((id) => `/sitemap/links-${id.slice(0, 2)}.xml`);
    for (const path of paths) await read(path);
    await updateLink(seller, { id: paused, paused: true });
    await updateLink(seller, { id: hidden, noindex: true });
    await graphql(seller, DELETE, { id: deleted });
    await eventually(async () => {
      const texts = await Promise.all(paths.map(async (path) => (await read(path)).text));
      for (const id of ids) expect(texts.join('')).not.toContain(`/p/${id}<`);
    });
  });

  test('is told of live to its owner, to the service key, and to who names it', {
    tags: 'long',
  }, async () => {
    const sockets = {
      guest: await connectLive(app, { keys }),
      stranger: await connectLive(app, { origin: app.origin, cookies: other.cookies, keys }),
      named: await connectLive(app, { keys }),
      owner: await connectLive(app, { origin: app.origin, cookies: seller.cookies, keys }),
      operator: await connectLive(app, { keys: { 'x-api-key': SERVICE_KEY } }),
    };
    const { id } = await createLink(seller, { ...ADDRESS, unlisted: true });
    for (const [name, socket] of Object.entries(sockets)) {
      const argument = name === 'named' ? `(id: "${id}")` : `(owner: "${owner}")`;
      const created = `subscription { onCreatePaywallLink(owner: "${owner}") { ${FIELDS} } }`;
      if (name !== 'named') await socket.subscribe('created', created);
      for (const kind of ['Update', 'Delete']) {
        const query = `subscription { on${kind}PaywallLink${argument} { ${FIELDS} } }`;
        await socket.subscribe(kind, query);
      }
    }
    const toldOf = (name: keyof typeof sockets, kind: string) =>
      sockets[name].answers(kind).map((link) => link?.id);
    /** Nobody is told what a link was like before it changed again: each change is waited for. */
    const untilTold = (names: (keyof typeof sockets)[], kind: string, told: string) =>
      eventually(() => {
        for (const name of names) expect(toldOf(name, kind)).toContain(told);
      });
    const { id: another } = await createLink(seller, { ...ADDRESS, unlisted: true });
    await updateLink(seller, { id, price: 700 });
    await untilTold(['named', 'owner', 'operator'], 'Update', id);
    await graphql(seller, DELETE, { id });
    await untilTold(['named', 'owner', 'operator'], 'Delete', id);
    // What comes after all of it, for everybody.
    const everybody = ['guest', 'stranger', 'owner', 'operator'] as const;
    const { id: last } = await createLink(seller, ADDRESS);
    await untilTold([...everybody], 'created', last);
    await updateLink(seller, { id: last, price: 800 });
    await untilTold([...everybody], 'Update', last);
    await graphql(seller, DELETE, { id: last });
    await untilTold([...everybody], 'Delete', last);
    expect(toldOf('named', 'Delete')).toEqual([id]);
    for (const name of ['guest', 'stranger'] as const) {
      for (const kind of ['created', 'Update', 'Delete'])
        expect(toldOf(name, kind)).toEqual([last]);
      expect(JSON.stringify(sockets[name].messages)).not.toContain(id);
    }
    for (const name of ['owner', 'operator'] as const) {
      expect(toldOf(name, 'created')).toEqual([another, last]);
      for (const kind of ['Update', 'Delete']) expect(toldOf(name, kind)).toEqual([id, last]);
    }
    expect(toldOf('named', 'Update')).toEqual([id]);
  });
});
