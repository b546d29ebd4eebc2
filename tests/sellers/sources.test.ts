import { expect, test } from 'vitest';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { graphql, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payAt } from '../factories/payment.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { stepOverMidnight } from '../harness/step-over-midnight.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();

interface Source {
  source: string;
  views: number;
  checkouts: number;
  sales: number;
  net: number;
}

const SOURCES = `query ($id: ID) {
  listSources(days: 7, linkId: $id) { source views checkouts sales net }
}`;

describeOnSqliteFirst('where visitors come from', (database) => {
  let clock = 0;
  const app = useApp({
    database,
    env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) },
    overrides: { now: () => Date.now() + clock },
  });

  async function listSources(seller: Person, id: string | null = null): Promise<Source[]> {
    return (await graphql<{ listSources: Source[] }>(seller, SOURCES, { id })).listSources;
  }

  /** What the page of a link hands on of where its visitor comes from, by its picture and its form. */
  async function readFrom(path: string, referer?: string, person = createPerson(app)) {
    const page = await person.fetch(path, { headers: referer ? { referer } : {} });
    const html = await page.text();
    const said = /view\.gif\?from=([^"]+)"/.exec(html)?.[1];
    const fields = [...html.matchAll(/type="hidden" name="from" value="([^"]*)"/g)];
    for (const [, value = ''] of fields) expect(encodeURIComponent(value)).toBe(said);
    expect(fields.length > 0).toBe(said !== undefined);
    return said === undefined ? 'direct' : decodeURIComponent(said);
  }

  const view = (id: string, from: string, agent: string) =>
    createPerson(app).fetch(`/p/${id}/view.gif?from=${encodeURIComponent(from)}`, {
      headers: { 'user-agent': agent },
    });

  /** As a browser without JavaScript. */
  function checkOut(person: Person, paywallId: string, from: string, code = '') {
    const body = new URLSearchParams({ paywallId, from, code });
    return person.fetch('/prod/checkout', { method: 'POST', body });
  }

  test('is told by the page that led to a link, or by the address of a campaign', async () => {
    const { id } = await sellFile(await signUp(app));
    const page = `/p/${id}`;
    expect(await readFrom(page)).toBe('direct');
    // The second is kept from the first.
    for (let visit = 0; visit < 2; visit += 1) {
      expect(await readFrom(page, 'https://WWW.News.example/item?id=1')).toBe('news.example');
      expect(await readFrom(page, 'https://blog.example/')).toBe('blog.example');
      expect(await readFrom(page)).toBe('direct');
    }
    expect(await readFrom(page, `${app.origin}/explore?search=x`)).toBe('explore');
    expect(await readFrom(page, `${app.origin}/s/ada`)).toBe('seller');
    expect(await readFrom(page, `${app.origin}/`)).toBe('site');
    expect(await readFrom(page, 'http://192.0.2.7/')).toBe('other');
    expect(await readFrom(page, 'no address')).toBe('direct');
    const campaign = `${page}?utm_source=Newsletter&utm_medium=email&utm_campaign=Spring+Sale`;
    expect(await readFrom(campaign, 'https://news.example/')).toBe('newsletter|email|spring sale');
    // Nobody's address is kept, and nothing long.
    const person = `${page}?utm_source=list&utm_medium=ada@example.com&utm_campaign=${'x'.repeat(41)}`;
    expect(await readFrom(person)).toBe('list||');
    expect(await readFrom(`${page}?utm_source=ada@example.com`)).toBe('direct');
    // With a discount code, and back from the checkout.
    expect(await readFrom(`${page}?code=&from=news.example`, app.origin + page)).toBe(
      'news.example',
    );
    // Strangers who name many sources are answered all the same.
    for (let source = 0; source < 10; source += 1) {
      expect(await readFrom(page, `https://s${source}.example`)).toBe(`s${source}.example`);
    }
    expect(await readFrom(page)).toBe('direct');
  });

  test('leads from views over checkouts to sales, for the seller alone', async () => {
    clock = stepOverMidnight();
    const [seller, other] = [await signUp(app), await signUp(app)];
    const [{ id }, { id: quiet }] = [
      await sellFile(seller, { price: 1000 }),
      await sellFile(seller),
    ];
    await view(id, 'news.example', 'one');
    await view(id, 'news.example', 'two');
    await view(id, 'newsletter|email|', 'three');
    await view(quiet, 'nonsense', 'one');
    const buyer = createPerson(app);
    const checkout = (await checkOut(buyer, id, 'news.example')).headers.get('location') ?? '';
    expect(await (await buyer.fetch(checkout)).text()).toContain(`/p/${id}?from=news.example`);
    await payAt(buyer, checkout);
    await waitUntilUnlocked(buyer, id);
    const refused = await checkOut(createPerson(app), id, 'news.example', 'NO-SUCH');
    expect(await refused.text()).toContain('type="hidden" name="from" value="news.example"');
    await app.restart();
    const news = { source: 'news.example', views: 3, checkouts: 1, sales: 1, net: 920 };
    const letter = { source: 'newsletter|email|', views: 1, checkouts: 0, sales: 0, net: 0 };
    expect(await listSources(seller, id)).toEqual([news, letter]);
    expect(await listSources(seller)).toEqual([news, { ...letter, source: 'direct' }, letter]);
    expect(await listSources(other, id)).toEqual([]);

    const table = await (await seller.fetch(`/dashboard/sources.csv?link=${id}`)).text();
    const day = new Date(Date.now() + clock).toISOString().slice(0, 10);
    expect(table.split('\r\n')).toEqual([
      'day,link_id,source,views,checkouts,sales,net',
      `${day},${id},news.example,3,1,1,9.20`,
      `${day},${id},newsletter / email,1,0,0,0.00`,
      '',
    ]);
    const spread = await seller.fetch(`/dashboard/sources.csv?link=${id}&form=semicolon`);
    expect((await spread.text()).split('\r\n').slice(0, 2)).toEqual([
      'day (UTC);link_id;source;views;checkouts;sales;net',
      expect.stringMatching(`^${day};.*${id}.*;news\\.example;3;1;1;9,20$`),
    ]);
    expect(await (await other.fetch('/dashboard/sources.csv')).text()).not.toContain(id);
    const shown = await (await seller.fetch(`/dashboard/sources?link=${id}`)).text();
    expect(shown).toContain('newsletter / email');
    await withDatabase(app, async (db) => {
      expect(await checkLedger(db)).toEqual([]);
      await db.updateTable('link_source').set({ checkouts: 2 }).where('sales', '=', 1).execute();
      expect(await checkLedger(db)).toEqual([
        expect.stringContaining('counts 2 / 1 / 920 checkouts / sales / cents from news.example'),
      ]);
      await db.updateTable('link_source').set({ checkouts: 1 }).where('sales', '=', 1).execute();
    });
  });

  test('is at most twenty sources a day, and others together', async () => {
    clock = stepOverMidnight();
    const seller = await signUp(app);
    const { id } = await sellFile(seller);
    for (let agent = 0; agent < 10; agent += 1) await view(id, `a${agent}.example`, `${agent}`);
    await app.restart();
    for (let agent = 10; agent < 22; agent += 1) await view(id, `b${agent}.example`, `${agent}`);
    await app.restart();
    await checkOut(createPerson(app), id, 'late.example');
    await checkOut(createPerson(app), id, 'a1.example');
    await checkOut(createPerson(app), id, 'explore');
    const counted = await listSources(seller, id);
    expect(counted).toHaveLength(22);
    const of = (source: string) => counted.find((row) => row.source === source);
    expect(of('other')).toMatchObject({ views: 3, checkouts: 1 });
    expect(of('a1.example')).toMatchObject({ views: 2, checkouts: 1 });
    expect(of('explore')).toMatchObject({ views: 1, checkouts: 1 });
    await withDatabase(app, async (db) => expect(await checkLedger(db)).toEqual([]));
  });
});
