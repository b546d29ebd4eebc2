import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, sellFile, signUp, updateLink, uploadFile } from '../factories/factories.ts';
import { deleteLink } from '../factories/stored-files.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

describe('pages', () => {
  const app = useApp();
  let creator: Person;
  let link: { id: string };

  beforeAll(async () => {
    creator = await signUp(app, { firstName: 'Zoë' });
    link = await sellFile(creator, { price: 499 });
  });

  const read = (path: string, person = createPerson(app)) => readPage(person, path);

  test.each([
    [
      '/',
      [
        'Padlink',
        'Upload. Share. Earn.',
        'Share your knowledge, documents and resources — and get paid through secure links.',
        'Start earning',
        'Users Signed Up',
        'Links Monetized',
        'Payouts Made',
        'Earn With What You Know',
        'Students Sell Study Packs',
        'Writers Share Premium Insights',
        'For writers and freelancers: offer essays',
        'Producers Sell Project Files',
        'Coaches Share Toolkits',
        'For coaches and educators: package worksheets, plans and checklists',
      ],
    ],
    ['/login', ['First Name', 'Confirm Password']],
    ['/explore', ['Explore Paywall Links', 'Browse all links ever created.', '$4.99']],
    [
      '/success',
      [
        'Payment Successful',
        'Thank you for your purchase. Your file is now unlocked and should be downloading.',
        'Go to Homepage',
      ],
    ],
    [
      '/failed',
      [
        'Payment Failed',
        'Unfortunately, your payment did not go through. Please try again or contact support if the issue persists.',
        'Try Again',
      ],
    ],
    [
      '/terms',
      [
        'The minimum age is 13.',
        'All sales are final.',
        'We keep a small platform fee per transaction. It varies with the price: 5% plus $0.30, never more than the price.',
        'Sellers set their own prices, typically 1 to 5 dollars.',
      ],
    ],
    ['/privacy', ['Privacy', 'Stripe']],
  ])('%s shows its texts', async (path, texts) => {
    const words = await read(path === '/login' ? '/login?mode=sign-up' : path);
    for (const text of texts) expect(words.toLowerCase()).toContain(text.toLowerCase());
  });

  test('Explore says what a link sells, and of several files how many', async () => {
    const names = ['one.pdf', 'two.txt'];
    const [first, second] = await Promise.all(
      names.map((name) => uploadFile(creator, { name, bytes: Buffer.from('%PDF-1.4') })),
    );
    const files = [first?.key, second?.key];
    await createLink(creator, { key: first?.key, files, title: 'Two at once' });
    await createLink(creator, { type: 'link', url: 'https://example.com/', title: 'An address' });
    const words = await read('/explore');
    expect(words).toMatch(/Two at once\s+2 files, 16 bytes/);
    expect(words).toMatch(/An address\s+Web address/);
  });

  test('the paywall shows its texts and price', async () => {
    const words = await read(`/p/${link.id}`);
    for (const text of [
      'Paywalled Content',
      'This content is locked behind a paywall. Click the button below to unlock access.',
      'Unlock Now',
      '$4.99',
    ]) {
      expect(words).toContain(text);
    }
  });

  test('the dashboard greets its creator and lists the links', async () => {
    const words = await read('/dashboard', creator);
    for (const text of [
      'Welcome back, Zoë',
      'Manage your paywall links below.',
      'Balance: $0.00',
      'Your Paywall Links',
      `${app.origin}/p/${link.id}`,
      '$4.99',
      'Sign Out',
    ]) {
      expect(words).toContain(text);
    }
    const fresh = await read('/dashboard', await signUp(app));
    expect(fresh).toContain('No paywall links yet.');
    expect(fresh).not.toContain(link.id);
  });

  test('the upload page shows its texts', async () => {
    const words = await read('/upload', creator);
    for (const text of [
      'Upload a File',
      'Set your price and generate a paywall link.',
      'Choose File',
      'Price (USD)',
    ]) {
      expect(words).toContain(text);
    }
  });

  test.each(['/dashboard', '/upload'])('%s is for creators only', async (path) => {
    const response = await createPerson(app).fetch(path);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(`/login?next=${encodeURIComponent(path)}`);
  });

  test('/login leads a creator who is signed in to the dashboard', async () => {
    const response = await creator.fetch('/login');
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/dashboard');
  });

  test('the navigation knows who is signed in', async () => {
    const guest = await read('/terms');
    expect(guest).toContain('Login');
    expect(guest).not.toContain('Dashboard');
    const signedIn = await read('/terms', creator);
    for (const text of ['Explore', 'Dashboard', 'Upload', 'Money', 'Account']) {
      expect(signedIn).toContain(` ${text} `);
    }
    expect(signedIn).not.toContain('Login');
  });

  test('a page kept for guests is never shown to somebody signed in, nor the other way', async () => {
    for (const path of ['/', '/explore', `/p/${link.id}`]) {
      for (const person of [createPerson(app), creator, createPerson(app), creator]) {
        const isSignedIn = person === creator;
        expect((await read(path, person)).includes('Dashboard'), path).toBe(isSignedIn);
      }
      const { headers } = await createPerson(app).fetch(path);
      expect(headers.get('cache-control')).not.toMatch(/public|s-maxage/);
    }
  });

  test.each(['identity', 'br'])(
    'a kept page (%s) says the same whether it is routed or sent at once',
    async (encoding) => {
      const ask = async (more?: Record<string, string>) => {
        const headers = { 'accept-encoding': encoding, ...more };
        const response = await fetch(`${app.origin}/p/${link.id}`, { headers });
        const { date: _, 'x-request-id': id, ...said } = Object.fromEntries(response.headers);
        expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}$/);
        return { status: response.status, said, body: await response.text() };
      };
      const first = await ask();
      expect(first.said['content-encoding']).toBe(encoding === 'br' ? 'br' : undefined);
      expect(await ask()).toEqual(first);
      // Where something is to be compared, routes do it.
      expect(await ask({ 'if-none-match': '"another"' })).toEqual(first);
    },
  );

  test.each([
    ['/p/ID/', '/p/ID'],
    ['/p/ID.', '/p/ID'],
    ['/p/ID),?ref=mail', '/p/ID?ref=mail'],
    ['/p/ID%E2%80%9D', '/p/ID'],
    ['/p/%49D', null],
    ['/explore/', '/explore'],
    ['/explore//?page=2', '/explore?page=2'],
    ['/p/1A2B3C4D', '/p/1a2b3c4d'],
    ['/p/1A2B3C4D/', '/p/1a2b3c4d'],
    ['//example.com/', null],
    ['/p/1a2b3c4de', null],
    ['/nothing', null],
    // Nothing is looked for in what nobody bent by chance.
    [`/explore${'/'.repeat(500)}`, null],
  ])('%s leads to %s', async (bent, meant) => {
    const here = (path: string) => path.replace('ID', link.id);
    const answer = await fetch(app.origin + here(bent), { redirect: 'manual' });
    if (meant === null) return expect(answer.status).toBe(404);
    expect([answer.status, answer.headers.get('location')]).toEqual([301, here(meant)]);
  });

  test('a kept page is the same whatever its address says that it does not read', async () => {
    const ask = async (search: string) => {
      const response = await fetch(`${app.origin}/p/${link.id}${search}`);
      return { etag: response.headers.get('etag'), html: await response.text() };
    };
    const plain = await ask('');
    expect(plain.etag).toMatch(/^W\//);
    for (const search of ['?', '?fbclid=x1&ref=mail&ref=more', '?<script>']) {
      expect(await ask(search), search).toEqual(plain);
    }
    const campaign = await ask('?utm_source=mail&gclid=x2');
    expect(await ask('?utm_source=mail&mc_cid=x3')).toEqual(campaign);
    expect(campaign.html).toContain('"from":"mail||"');
    expect(campaign.html).toContain(`value="/p/${link.id}?from=mail%7C%7C"`);
    expect(await ask('?code=SPRING&fbclid=x4')).toMatchObject({
      etag: null,
      html: expect.stringContaining('"query":{"code":"SPRING"}'),
    });
    for (const address of ['/?account=deleted', '/terms?fbclid=x', '/privacy?fbclid=x']) {
      const { headers } = await fetch(app.origin + address);
      expect(headers.has('etag'), address).toBe(address.endsWith('fbclid=x'));
    }
  });

  test.each([
    ['gzip, deflate, br, zstd', 'zstd'],
    ['br, zstd;q=0', 'br'],
    ['gzip', null],
  ])('a page rendered for one viewer who takes %s is sent as %s', async (accepted, encoding) => {
    const headers = { 'accept-encoding': accepted };
    const response = await creator.fetch('/terms', { headers });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(await response.text()).toMatch(/Terms.*<\/html>$/s);
  });

  test('a changed price is shown at once', async () => {
    const { id } = await sellFile(creator, { price: 700 });
    expect(await read(`/p/${id}`)).toContain('$7.00');
    await updateLink(creator, { id, price: 800 });
    expect(await read(`/p/${id}`)).toContain('$8.00');
  });

  test('what people type is text on every page, never markup', async () => {
    const evil = '</script><script>alert(1)</script><img src=x onerror=alert(1)>';
    const author = await signUp(app);
    const { id } = await createLink(author, {
      type: 'link',
      url: 'https://example.com/',
      title: evil,
    });
    for (const [path, person] of [
      [`/p/${id}`, createPerson(app)],
      ['/explore', createPerson(app)],
      ['/dashboard', author],
    ] as const) {
      const html = await (await person.fetch(path)).text();
      expect(html, path).not.toContain('<script>alert');
      expect(html, path).not.toContain('<img src=x');
      expect(html, path).toContain('&lt;/script&gt;');
    }
  });

  test.each(['\u3164', '\u2800', '\u0301'])(
    'a title of which nothing is seen, kept by an earlier version, is none: %j',
    async (title) => {
      const { id } = await createLink(creator, { type: 'link', url: 'https://example.com/' });
      await withDatabase(app, (db) =>
        db.updateTable('link').set({ title }).where('id', '=', id).execute(),
      );
      for (const [path, person] of [
        ['/explore', createPerson(app)],
        [`/p/${id}`, createPerson(app)],
        [`/p/${id}/report`, createPerson(app)],
        ['/dashboard', creator],
      ] as const) {
        expect(await read(path, person), path).toContain(
          path === '/dashboard' ? id : `Paid link ${id}`,
        );
      }
      expect(await (await fetch(`${app.origin}/explore.atom`)).text()).toContain(`Paid link ${id}`);
    },
  );

  test('no field for words counts them as browsers do, who cut emoji in half', async () => {
    const paths = ['/login', '/explore', '/dashboard', '/upload', '/dashboard/codes'];
    for (const part of ['profile', 'security', 'programs']) paths.push(`/account/${part}`);
    for (const path of [...paths, `/p/${link.id}?gift=`, `/p/${link.id}/report`]) {
      const html = await (await creator.fetch(path)).text();
      const bounded = [...html.matchAll(/<(?:input|textarea)\b[^>]*\bmaxlength=[^>]*>/gi)];
      const names = bounded.map(([field]) => /\bname="(\w*)"/.exec(field)?.[1] ?? '');
      const plain = /^(code|email|giftEmail|handle|newEmail)$/;
      expect(
        names.filter((name) => !plain.test(name)),
        path,
      ).toEqual([]);
    }
  });

  test('a deleted link is gone at once in every spelling of its address', async () => {
    const { id } = await createLink(creator, { type: 'link', url: 'https://example.com/' });
    const spelled = `/p/%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    const statuses = () =>
      Promise.all(
        [`/p/${id}`, spelled].map(async (path) => (await fetch(app.origin + path)).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    await deleteLink(creator, id);
    expect(await statuses()).toEqual([404, 404]);
  });

  test('user attributes carry the names of the specification', async () => {
    const attributes = await readJson(await creator.fetch('/api/user-attributes'));
    expect(attributes).toMatchObject({ 'custom:first_name': 'Zoë' });
    expect(Object.keys(attributes as object).sort()).toEqual(['custom:first_name', 'email', 'sub']);
    expect((await createPerson(app).fetch('/api/user-attributes')).status).toBe(401);
  });

  test('machines are told that the product is well', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect((await fetch(`http://127.0.0.1:${app.port}${path}`)).status).toBe(200);
    }
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const health = await readJson(await fetch(`${app.origin}/healthz`));
    expect(health).toEqual({ status: 'ok', version });
  });

  test('the configuration names what clients need', async () => {
    const config = await readJson(await fetch(`${app.origin}/config.json`));
    expect(config).toMatchObject({
      checkoutApiEndpoint: `${app.origin}/prod/`,
      graphqlEndpoint: `${app.origin}/graphql`,
      apiKey: expect.stringMatching(/^pk_/),
      payments: 'sandbox',
    });
  });

  test('the sandbox is named on every page', async () => {
    for (const path of ['/', '/login', '/explore', `/p/${link.id}`, '/success', '/terms']) {
      expect(await read(path)).toMatch(/sandbox/i);
    }
  });
});
