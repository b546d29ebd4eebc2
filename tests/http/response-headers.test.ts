import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  announceUpload,
  PASSWORD,
  sellFile,
  signUp,
  storageUrl,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const HTML = { accept: 'text/html' };
const CLAIM = /^padlink_claim=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/;
const SESSION =
  /^padlink\.session_token=[\w%.-]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/;
const DEVICE =
  /^padlink_device=[\w-]+\.[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/;

/** Of a page, the hashes of its own scripts and styles left out. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'sha256-…'",
  "style-src 'self' 'sha256-…'",
  "img-src 'self' data:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "form-action 'self' https://checkout.stripe.com",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const OF_EVERY_ANSWER = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
};
const OF_A_PAGE = {
  ...OF_EVERY_ANSWER,
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-frame-options': 'DENY',
};
const OF_A_DOWNLOAD = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
};
const HSTS = { 'strict-transport-security': 'max-age=31536000' };
const GUARDS = Object.keys({ ...OF_A_PAGE, ...OF_A_DOWNLOAD, ...HSTS });

/** What an answer says of how it may be used. */
function guardsOf({ headers }: Response): Record<string, string> {
  const found = [...headers].filter(([name]) => GUARDS.includes(name));
  return Object.fromEntries(
    found.map(([name, value]) => [name, value.replace(/( 'sha256-[\w+/=]+')+/g, " 'sha256-…'")]),
  );
}

const keepingOf = ({ headers }: Response) => headers.get('cache-control');

describe('the headers of answers', () => {
  const app = useApp();
  let seller: Person & { email: string };
  let link: { id: string };
  let buyer: Person;
  let download: string;

  beforeAll(async () => {
    seller = await signUp(app);
    link = await sellFile(seller);
    buyer = createPerson(app);
    await payFor(buyer, link.id);
    download = await storageUrl(buyer, (await waitUntilUnlocked(buyer, link.id)).key ?? '');
  });

  test('let a page load, frame and post to nothing but what it needs, whatever page it is', async () => {
    const guest = createPerson(app);
    const paywall = `/p/${link.id}`;
    const cases: [Person, string, string][] = [
      [guest, '/', 'no-cache'],
      [guest, '/login', 'no-cache'],
      [guest, '/explore', 'no-cache'],
      [guest, '/success', 'no-cache'],
      [guest, '/failed', 'no-cache'],
      [guest, paywall, 'no-cache'],
      [guest, '/nowhere', 'no-store'],
      [guest, '/p/%zz', 'no-store'],
      [guest, '/p/00000000', 'no-store'],
      [guest, '/download/none', 'no-store'],
      [seller, '/dashboard', 'no-store'],
      [seller, '/account', 'no-store'],
      [seller, paywall, 'no-store'],
      [buyer, paywall, 'no-store'],
    ];
    for (const [person, path, keeping] of cases) {
      const answer = await person.fetch(path, { headers: HTML });
      expect([path, keepingOf(answer)]).toEqual([path, `private, ${keeping}, no-transform`]);
      expect(guardsOf(answer), path).toEqual(OF_A_PAGE);
    }
  });

  test('let a download be kept by who asked for it, and neither shown nor cached', async () => {
    for (const range of [{}, { range: 'bytes=0-9' }] as Record<string, string>[]) {
      const answer = await fetch(download, { headers: range });
      expect(guardsOf(answer)).toEqual(OF_A_DOWNLOAD);
      expect(keepingOf(answer)).toBe('private, no-store, no-transform');
    }
    const table = await seller.fetch('/dashboard/sales.csv');
    expect(guardsOf(table)).toEqual(OF_EVERY_ANSWER);
    expect(keepingOf(table)).toBe('private, no-store');
  });

  test('keep answers to programs, and ways to content, out of every cache', async () => {
    const guest = createPerson(app);
    const answers = [
      await postJson(seller, '/graphql', { query: '{ __typename }' }),
      await postJson(guest, '/graphql', { query: '{' }),
      await postJson(guest, '/prod/checkout', { paywallId: '00000000' }),
      await seller.fetch('/api/user-attributes'),
      await seller.fetch('/api/auth/get-session'),
      await postJson(guest, '/api/auth/sign-in/email', { email: seller.email }),
      await announceUpload(seller, { name: 'a', size: 5 }),
      await guest.fetch('/nowhere'),
      await guest.fetch(`/p/${link.id}/content`),
    ];
    for (const answer of answers) {
      expect([answer.url, keepingOf(answer)]).toEqual([answer.url, 'no-store']);
      expect(guardsOf(answer), answer.url).toEqual(OF_EVERY_ANSWER);
    }
    const way = await buyer.fetch(`/p/${link.id}/content`);
    expect(guardsOf(way)).toEqual({ ...OF_EVERY_ANSWER, 'referrer-policy': 'no-referrer' });
    expect(keepingOf(way)).toBe('no-store');
  });

  test('give cookies that no script reads and no other site sends, for as long as they are good', async () => {
    const claim = await postJson(createPerson(app), '/prod/checkout', { paywallId: link.id });
    expect(claim.headers.getSetCookie()).toEqual([expect.stringMatching(CLAIM)]);
    expect(keepingOf(claim)).toBe('no-store');
    const account = { email: seller.email, password: PASSWORD };
    const session = await postJson(createPerson(app), '/api/auth/sign-in/email', account);
    expect(session.headers.getSetCookie()).toEqual([
      expect.stringMatching(SESSION),
      expect.stringMatching(DEVICE),
    ]);
  });

  describe('with https', () => {
    const publicUrl = () => app.origin.replace('http:', 'https:');

    beforeAll(async () => {
      app.env.PUBLIC_URL = publicUrl();
      await app.restart();
    });

    test('keep the browser on it, whatever is answered', async () => {
      const script = /\/assets\/[\w.-]+\.js/.exec(await (await fetch(app.origin)).text())?.[0];
      const etag = (await fetch(`${app.origin}/robots.txt`)).headers.get('etag') ?? '';
      const file = new URL(download).pathname;
      const cases: [path: string, status: number, init?: RequestInit][] = [
        ['/', 200],
        [script ?? 'no script', 200],
        ['/config.json', 200],
        ['/robots.txt', 304, { headers: { 'if-none-match': etag } }],
        ['/dashboard', 302],
        [`/p/${link.id}/content`, 303],
        ['/nowhere', 404],
        ['/p/%zz', 400],
        ['/graphql', 403, { method: 'POST', headers: { origin: 'https://evil.example.com' } }],
        ['/graphql', 405],
        ['/webhooks/stripe', 400, { method: 'POST' }],
        ['/uploads', 204, { method: 'OPTIONS' }],
        ['/uploads', 412, { method: 'POST', headers: { origin: publicUrl() } }],
        ['/sandbox/checkout/none', 404],
        [file, 200],
        [file, 206, { headers: { range: 'bytes=0-9' } }],
        [file, 416, { headers: { range: 'bytes=9999-' } }],
      ];
      for (const [path, status, init] of cases) {
        const answer = await fetch(app.origin + path, { redirect: 'manual', ...init });
        expect([path, answer.status]).toEqual([path, status]);
        expect(guardsOf(answer), path).toMatchObject(HSTS);
      }
      expect(guardsOf(await fetch(`${app.origin}/explore`))).toEqual({ ...OF_A_PAGE, ...HSTS });
      expect(await refuseUpgrade()).toMatchObject(HSTS);
    });

    test('bind cookies to it and to this host', async () => {
      const post = (path: string, body: object) =>
        postJson(createPerson(app), path, body, { origin: publicUrl() });
      const secured = ({ source }: RegExp) =>
        new RegExp(source.replace('^', '^__Host-').replace('HttpOnly;', 'HttpOnly; Secure;'));
      const claim = await post('/prod/checkout', { paywallId: link.id });
      expect(claim.headers.getSetCookie()).toEqual([expect.stringMatching(secured(CLAIM))]);
      const account = { email: seller.email, password: PASSWORD };
      const session = await post('/api/auth/sign-in/email', account);
      expect(session.headers.getSetCookie()).toEqual([
        expect.stringMatching(secured(SESSION)),
        expect.stringMatching(secured(DEVICE)),
      ]);
    });

    /** The headers of the answer to a live connection that another site asks for. */
    function refuseUpgrade(): Promise<object> {
      return new Promise((resolve, reject) => {
        const origin = 'https://evil.example.com';
        const headers = { connection: 'upgrade', upgrade: 'websocket', origin };
        const asking = httpRequest(`${app.origin}/graphql`, { headers });
        asking.on('response', (response) => resolve(response.resume().headers));
        asking.on('error', reject).end();
      });
    }
  });
});
