import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, graphql, sellFile, signUp, updateLink } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';

const ADDRESS = { type: 'link', url: 'https://example.com/secret-target' };
const TITLE = 'Algebra </script><b>&"in a week"';
const SECRETS = ['secret-file-name', 'secret-target', 'public/', 'Secretfirstname'];

describe('what other sites show of a link', () => {
  const app = useApp();
  let creator: Person;
  let id: string;

  beforeAll(async () => {
    creator = await signUp(app, { firstName: 'Secretfirstname' });
    await graphql(creator, 'mutation { setSellerName(name: "Ada & Co.") }');
    ({ id } = await sellFile(creator, { name: 'secret-file-name.pdf', price: 499 }));
    await updateLink(creator, {
      id,
      title: TITLE,
      description: `All of it,\n${'very '.repeat(60)}`,
    });
  });

  const get = (path: string, headers = {}) => createPerson(app).fetch(path, { headers });
  const oembed = (address: string, rest = '') =>
    get(`/oembed?url=${encodeURIComponent(address)}${rest}`);

  test('the document carries Open Graph, Twitter card, canonical address and Product data, and no policy stops them', {
    tags: 'long',
  }, async () => {
    const page = await openPage(app);
    await page.goto(`/p/${id}`);
    const contentOf = (name: string) =>
      page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute('content');
    const card = `${app.origin}/p/${id}/card.png`;
    expect(await contentOf('og:title')).toBe(TITLE);
    expect(await contentOf('og:image')).toBe(card);
    expect(await contentOf('og:image:width')).toBe('1200');
    expect(await contentOf('og:image:height')).toBe('630');
    expect(await contentOf('og:image:alt')).toBe(`${TITLE} by Ada & Co., $4.99, on Padlink`);
    expect(await contentOf('og:description')).toMatch(/^\$4\.99: All of it, very .{100,}…$/);
    expect(await contentOf('product:price:amount')).toBe('4.99');
    expect(await contentOf('twitter:card')).toBe('summary_large_image');
    expect(await contentOf('twitter:image')).toBe(card);
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(
      `${app.origin}/p/${id}`,
    );
    const data = JSON.parse(
      (await page.locator('script[type="application/ld+json"]').textContent()) ?? '',
    );
    expect(data).toMatchObject({
      '@type': 'Product',
      name: TITLE,
      offers: {
        '@type': 'Offer',
        price: '4.99',
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        seller: { name: 'Ada & Co.' },
      },
    });
    const html = await (await get(`/p/${id}`)).text();
    for (const secret of SECRETS) expect(html).not.toContain(secret);
  });

  test('the Product data of a paused link says that it is out of stock', async () => {
    const paused = await createLink(creator, ADDRESS);
    await updateLink(creator, { id: paused.id, paused: true });
    const html = await (await get(`/p/${paused.id}`)).text();
    expect(html).toContain('"availability":"https://schema.org/OutOfStock"');
  });

  test('the card is a PNG of 1200 by 630 that changes with the link and is not sent twice', {
    tags: 'long',
  }, async () => {
    const path = `/p/${id}/card.png`;
    const first = await get(path);
    expect(first.headers.get('content-type')).toBe('image/png');
    expect(await sharp(await first.bytes()).metadata()).toMatchObject({
      format: 'png',
      width: 1200,
      height: 630,
    });
    const etag = first.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      expect((await get(path, { 'if-none-match': known })).status).toBe(304);
    }
    await updateLink(creator, { id, price: 599 });
    const second = await get(path, { 'if-none-match': etag });
    expect(second.status).toBe(200);
    expect(second.headers.get('etag')).not.toBe(etag);
    // Of what changes by itself, too.
    await updateLink(creator, { id, copies: 9 });
    expect((await get(path)).status).toBe(200);
    await updateLink(creator, { id, copies: 0 });
  });

  test('a card shows a title in any script, whole but for signs without a font', {
    tags: 'long',
  }, async () => {
    const cardOf = async (title: string) => {
      // Eight digits of its own are the only other difference between two cards.
      await updateLink(creator, { id, title, price: 700 });
      const answer = await get(`/p/${id}/card.png`);
      expect(answer.status).toBe(200);
      return answer.headers.get('etag');
    };
    const unnamed = await cardOf(`Paid link ${id}`);
    const plain = await cardOf('Żółć, naïve');
    expect(await cardOf('Żółć, 🎉👩🏽‍🚀 naïve')).toBe(plain);
    expect(await cardOf('\u{12000}\u{12001}')).toBe(unnamed);
    expect(await cardOf('Epic \u{12000}\u{12001}')).toBe(await cardOf('Epic \u{12001}'));
    for (const [title, lacking] of [
      ['½ price', 'price'],
      ['Title ™', 'Title'],
      ['Epic \u{12000}', 'Epic'],
      ['数学の教科書', '数学の教科'],
      ['עברית "קובץ" 7 (חדש)!', 'עברית "קובץ" 7 (חדש)'],
      ['हिन्दी व्याकरण', 'हिन्दी'],
    ] as const) {
      const drawn = await cardOf(title);
      expect(drawn, title).not.toBe(unnamed);
      expect(drawn, title).not.toBe(await cardOf(lacking));
    }
    await updateLink(creator, { id, title: TITLE });
  });

  test('oEmbed describes a link as JSON and XML, and the page leads there', async () => {
    const html = await (await get(`/p/${id}`)).text();
    const [, href = ''] =
      /<link href="([^"]+)"[^>]*type="application\/json\+oembed"/.exec(html) ?? [];
    const answer = await readJson<object>(await get(href.replaceAll('&amp;', '&')));
    expect(answer).toMatchObject({
      version: '1.0',
      type: 'link',
      title: TITLE,
      author_name: 'Ada & Co.',
      thumbnail_url: `${app.origin}/p/${id}/card.png`,
      thumbnail_width: 1200,
      thumbnail_height: 630,
    });
    expect(answer).not.toHaveProperty('html');
    const xml = await oembed(`${app.origin}/p/${id}`, '&format=xml');
    expect(xml.headers.get('content-type')).toContain('text/xml');
    expect(await xml.text()).toContain(
      '<title>Algebra &#60;/script&#62;&#60;b&#62;&#38;"in a week"</title>',
    );
    const small = await readJson<object>(await oembed(`${app.origin}/p/${id}`, '&maxwidth=400'));
    expect(small).not.toHaveProperty('thumbnail_url');
  });

  test('oEmbed knows no other addresses and no other formats', async () => {
    for (const address of [
      'https://example.com/p/00000000',
      `${app.origin}/p/00000000`,
      `${app.origin}/explore`,
      'nonsense',
    ]) {
      expect((await oembed(address)).status, address).toBe(404);
    }
    expect((await get('/oembed')).status).toBe(404);
    expect((await oembed(`${app.origin}/p/${id}`, '&format=yaml')).status).toBe(501);
  });

  test('a deleted or unknown link has no card, no oEmbed and nothing to share', async () => {
    const gone = await createLink(creator, ADDRESS);
    expect((await get(`/p/${gone.id}/card.png`)).status).toBe(200);
    await graphql(creator, `mutation { deletePaywallLink(input: { id: "${gone.id}" }) { id } }`);
    for (const missing of [gone.id, '00000000', 'nonsense']) {
      expect((await get(`/p/${missing}/card.png`)).status).toBe(404);
      expect((await oembed(`${app.origin}/p/${missing}`)).status).toBe(404);
      const html = await (await get(`/p/${missing}`)).text();
      expect(html).not.toMatch(/"og:|ld\+json|oembed/);
    }
  });

  test('cards drawn in a flood from one address are refused for a while, kept ones are not', {
    tags: 'long',
  }, async () => {
    stopClock();
    const flooded = await createLink(creator, ADDRESS);
    const path = `/p/${flooded.id}/card.png`;
    expect((await get(`/p/${id}/card.png`)).status).toBe(200);
    let refused = 0;
    for (let price = 101; price < 140 && refused === 0; price += 1) {
      await updateLink(creator, { id: flooded.id, price });
      const answer = await get(path);
      if (answer.status === 429) refused += 1;
    }
    expect(refused).toBe(1);
    expect((await get(`/p/${id}/card.png`)).status).toBe(200);
  });
});
