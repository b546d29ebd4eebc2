import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, graphql, sellFile, signUp, updateLink } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const TITLE = '"Tabs" & <b>bold</b> tricks';
const DESCRIPTION = 'Line one\nLine two <img src=x onerror=alert(1)>, ]]> & &lt;';
const SELLER = 'Ada & <i>sons</i>';

/** The texts of all elements of this name. */
const textsOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, 'g'))].map(([, text]) => text);

describeOnSqliteFirst('what search engines and feed readers ask for', (database) => {
  const app = useApp({ database });
  let ids: Record<'file' | 'titled' | 'paused' | 'hidden' | 'deleted', string>;

  beforeAll(async () => {
    const seller = await signUp(app);
    await graphql(seller, 'mutation ($name: String) { setSellerName(name: $name) }', {
      name: SELLER,
    });
    const sell = async (input: Record<string, unknown>) =>
      (await createLink(seller, { type: 'link', url: 'https://secret.example/', ...input })).id;
    ids = {
      file: (await sellFile(seller, { name: 'concealed.pdf' })).id,
      titled: await sell({ title: TITLE, description: DESCRIPTION, price: 499 }),
      paused: await sell({ title: 'Resting' }),
      hidden: await sell({ title: 'Unlisted', noindex: true }),
      deleted: await sell({ title: 'Gone' }),
    };
    await updateLink(seller, { id: ids.paused, paused: true });
    await withDatabase(app, (db) =>
      db.updateTable('link').set({ deleted_at: 1 }).where('id', '=', ids.deleted).execute(),
    );
  });

  const addressOf = (name: keyof typeof ids) => `${app.origin}/p/${ids[name]}`;
  async function read(path: string) {
    const answer = await fetch(app.origin + path);
    expect(answer.status).toBe(200);
    return { text: await answer.text(), headers: answer.headers };
  }

  test('the Atom feed tells of the newest links on sale, without what they sell', async () => {
    const { text, headers } = await read('/explore.atom');
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    expect(textsOf(text, 'id').slice(1)).toEqual([addressOf('titled'), addressOf('file')]);
    expect(text).toContain(`<link href="${addressOf('titled')}"`);
    expect(text).toContain(`href="${app.origin}/explore.atom"`);
    expect(text).toMatch(/<updated>\d{4}-\d\d-\d\dT[\d:.]+Z<\/updated>/);
    expect(text).toContain('$4.99. Line one\nLine two');
    for (const secret of ['secret.example', 'concealed', 'public/', '<b>']) {
      expect(text).not.toContain(secret);
    }
  });

  test('the Atom feed shows titles and descriptions as the text that they are, never as markup', async () => {
    const { text } = await read('/explore.atom');
    const page = await openPage(app);
    const shown = await page.evaluate((xml) => {
      const feed = new DOMParser().parseFromString(xml, 'text/xml');
      const textOf = (name: string) => feed.querySelector(`entry > ${name}`)?.textContent ?? '';
      const html = new DOMParser().parseFromString(
        textOf('title') + textOf('summary'),
        'text/html',
      );
      return {
        seller: textOf('author > name'),
        text: html.body.textContent,
        elements: html.body.querySelectorAll('*').length,
      };
    }, text);
    expect(shown).toEqual({
      seller: SELLER,
      text: `${TITLE}$4.99. ${DESCRIPTION}`,
      elements: 0,
    });
  });

  test('a feed that has not changed is not sent again', async () => {
    const { headers } = await read('/explore.atom');
    const known: Record<string, string>[] = [
      { 'if-none-match': headers.get('etag') ?? '' },
      { 'if-modified-since': headers.get('last-modified') ?? '' },
    ];
    for (const condition of known) {
      expect((await fetch(`${app.origin}/explore.atom`, { headers: condition })).status).toBe(304);
    }
    const other = { 'if-none-match': '"other"' };
    expect((await fetch(`${app.origin}/explore.atom`, { headers: other })).status).toBe(200);
  });

  test('the sitemap leads to the public pages and to the links on sale, and to no others', async () => {
    const { text } = await read('/sitemap.xml');
    const parts = textsOf(text, 'loc').map((part) => new URL(part ?? '').pathname);
    expect(parts).toEqual(['/sitemap/pages.xml', '/sitemap/links.xml']);
    const addresses = await Promise.all(
      parts.map(async (part) => textsOf((await read(part)).text, 'loc')),
    );
    expect(addresses.flat().sort()).toEqual(
      [
        ...['/', '/explore', '/terms', '/privacy'].map((path) => app.origin + path),
        addressOf('file'),
        addressOf('titled'),
      ].sort(),
    );
  });

  test('a part of the sitemap holds the links whose ids begin with its two digits', async () => {
    const { file, titled } = ids;
    const found = await Promise.all(
      [file, titled].map(async (id) =>
        textsOf((await read(`/sitemap/links-${id.slice(0, 2)}.xml`)).text, 'loc'),
      ),
    );
    expect(found.flat()).toEqual(expect.arrayContaining([addressOf('file'), addressOf('titled')]));
    const other = ['00', '7f', 'ff'].find(
      (part) => ![file, titled].some((id) => id.startsWith(part)),
    );
    for (const part of [other, 'zz']) {
      expect((await fetch(`${app.origin}/sitemap/links-${part}.xml`)).status).toBe(404);
    }
  });
});

describe('addresses that a site is expected to have', () => {
  const app = useApp({ env: { SUPPORT_EMAIL: 'help@example.com' } });
  const begun = Date.now();
  const without = useApp();
  let visitor: Person;
  beforeAll(() => {
    visitor = createPerson(app);
  });

  test('robots.txt keeps crawlers from private pages and names the sitemap', async () => {
    const lines = (await (await visitor.fetch('/robots.txt')).text()).split('\n');
    expect(lines[0]).toBe('User-agent: *');
    for (const path of ['/dashboard', '/upload', '/account', '/success', '/download/', '/api/']) {
      expect(lines).toContain(`Disallow: ${path}`);
    }
    expect(lines).toContain(`Sitemap: ${app.origin}/sitemap.xml`);
    expect(lines.some((line) => line === 'Disallow: /' || line === 'Disallow: /p/')).toBe(false);
  });

  test('security.txt says whom to write to, for less than a year', async () => {
    const text = await (await visitor.fetch('/.well-known/security.txt')).text();
    expect(text).toContain('Contact: mailto:help@example.com\n');
    expect(text).toContain(`Canonical: ${app.origin}/.well-known/security.txt\n`);
    const days = (Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(90);
    expect(days).toBeLessThan(365);
  });

  test('security.txt is missing where nobody can be written to', async () => {
    expect((await fetch(`${without.origin}/.well-known/security.txt`)).status).toBe(404);
  });

  test('a site without links has a feed without entries and a sitemap of its pages', async () => {
    const answer = await fetch(`${without.origin}/explore.atom`);
    expect(answer.status).toBe(200);
    const feed = await answer.text();
    expect(feed).not.toContain('<entry>');
    expect(Date.parse(textsOf(feed, 'updated')[0] ?? '')).toBeGreaterThanOrEqual(begun);
    const sitemap = await (await fetch(`${without.origin}/sitemap.xml`)).text();
    expect(textsOf(sitemap, 'loc')).toEqual([`${without.origin}/sitemap/pages.xml`]);
  });

  test.each([
    ['/favicon.ico', 'image/x-icon', [0, 0, 1, 0]],
    ['/apple-touch-icon.png', 'image/png', [0x89, 0x50, 0x4e, 0x47]],
    ['/icon-192.png', 'image/png', [0x89, 0x50, 0x4e, 0x47]],
    ['/icon-512.png', 'image/png', [0x89, 0x50, 0x4e, 0x47]],
  ])('%s is an image', async (path, type, begin) => {
    const answer = await visitor.fetch(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect([...new Uint8Array(await answer.arrayBuffer()).slice(0, 4)]).toEqual(begin);
  });

  test('explore names its feed, and every page its icons and manifest', async () => {
    const page = await openPage(app, { javaScript: false });
    await page.goto('/explore');
    const links = await page
      .locator('head > link')
      .evaluateAll((all) =>
        all.map((link) => `${(link as HTMLLinkElement).rel} ${link.getAttribute('href')}`),
      );
    expect(links).toContain('alternate /explore.atom');
    expect(links).toContain('apple-touch-icon /apple-touch-icon.png');
    expect(links).toContain('manifest /site.webmanifest');
    const manifest = await (await visitor.fetch('/site.webmanifest')).json();
    for (const { src } of manifest.icons) expect((await visitor.fetch(src)).status).toBe(200);
  });
});

describe('a site of thousands of links', () => {
  // Its order of texts is the less simple one.
  const app = useApp({ database: 'postgres' });
  const COUNT = 4_000;

  beforeAll(async () => {
    const numbers = sql`with recursive n(i) as
      (select 1 union all select i + 1 from n where i < ${sql.lit(COUNT)})`;
    // Half of them begin alike: more than a batch.
    const number = sql`case when i % 2 = 0 then 1342177280 + i else i * 1048576::bigint end`;
    const id = sql`lpad(to_hex(${number}), 8, '0')`;
    await withDatabase(app, async (db) => {
      await sql`insert into link_id (id, owner_id, reserved_at)
        ${numbers} select ${id}, 'ada', 0 from n`.execute(db);
      await sql`insert into link (id, owner_id, type, url, price_cents, unlocked, paused, version,
          created_at, updated_at)
        ${numbers} select ${id}, 'ada', 'link', 'https://example.com/', 100, 0, 0, 1, i, i
        from n`.execute(db);
    });
  });

  test('has a sitemap in sixteen parts, in which each link is once', async () => {
    const read = async (path: string) => {
      const answer = await fetch(app.origin + path);
      return answer.ok ? textsOf(await answer.text(), 'loc') : [];
    };
    const parts = (await read('/sitemap.xml')).map((part) => new URL(part ?? '').pathname);
    expect(parts).toHaveLength(17);
    const links = new Set<string | undefined>();
    let entries = 0;
    for (const part of parts.slice(1)) {
      const found = await read(part);
      entries += found.length;
      for (const address of found) links.add(address);
    }
    expect([entries, links.size]).toEqual([COUNT, COUNT]);
  });
});
