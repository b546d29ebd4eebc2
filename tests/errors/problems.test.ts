import { beforeAll, describe, expect, test } from 'vitest';
import { publishableKey, sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { takeTableAway } from './take-table-away.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('what is refused', () => {
  const app = useApp({ env: { SUPPORT_EMAIL: 'help@example.com' } });
  let link: { id: string };
  beforeAll(async () => {
    link = await sellFile(await signUp(app));
  });

  const post = (path: string, body: unknown) => () => postJson(createPerson(app), path, body);
  const get = (path: string) => () => fetch(app.origin + path);
  const send = (path: string, init: RequestInit) => () => fetch(app.origin + path, init);

  test.each([
    ['an unknown address', get('/nowhere'), 404, 'NOT_FOUND'],
    ['an unknown asset', get('/assets/nothing-12345678.js'), 404, 'NOT_FOUND'],
    ['an address that is not encoded right', get('/p/%zz'), 400, 'INVALID_INPUT'],
    ['an address that is too long', get(`/p/${'0'.repeat(2_001)}`), 414, 'INVALID_INPUT'],
    ['an unknown method', send('/explore', { method: 'DELETE' }), 405, 'INVALID_INPUT'],
    ['an unknown cover', get('/covers/nothing.webp'), 404, 'NOT_FOUND'],
    [
      'an unknown checkout',
      post('/prod/checkout', { paywallId: '00000000' }),
      404,
      'LINK_NOT_FOUND',
    ],
    ['a bad body', send('/prod/checkout', { method: 'POST', body: '{' }), 415, 'INVALID_INPUT'],
    ['a download with a forged ticket', get('/download/forged'), 403, 'DOWNLOAD_INVALID'],
    ['a GET of the data layer', get('/graphql'), 405, 'INVALID_INPUT'],
    ['attributes without a session', get('/api/user-attributes'), 401, 'UNAUTHORIZED'],
    ['an unknown account route', get('/api/auth/nothing'), 404, 'NOT_FOUND'],
    [
      'a wrong password',
      post('/api/auth/sign-in/email', { email: 'no@example.com', password: 'Wrong-horse-7' }),
      401,
      'INVALID_EMAIL_OR_PASSWORD',
    ],
    ['an account request without fields', post('/api/auth/sign-in/email', {}), 400, undefined],
    ['a webhook without a signature', post('/webhooks/stripe', {}), 400, 'INVALID_INPUT'],
  ])(
    '%s is answered with a problem and the number of the request',
    async (_what, ask, status, code) => {
      const answer = await ask();
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const body = (await answer.json()) as Record<string, unknown>;
      expect(body).toMatchObject({
        type: 'about:blank',
        title: expect.stringMatching(/\w/),
        status,
        detail: expect.stringMatching(/\w/),
        requestId: answer.headers.get('x-request-id'),
        ...(code && { code }),
      });
      expect(body.requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}$/);
    },
  );

  test.each([
    '/nowhere',
    '/assets/nothing.js',
    '/p/00000000',
    '/p/no-link',

    '/sitemap/',
  ])('a browser gets a page with status 404 at %s', async (path) => {
    const answer = await fetch(app.origin + path, { headers: HTML });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  test('a browser gets a page that says what is wrong with an address that is not encoded right', async () => {
    const page = await openPage(app, { expectedErrors: /400 \/p\/%zz/ });
    const answer = await page.goto('/p/%zz');
    expect(answer?.status()).toBe(400);
    await page
      .getByText('This address is malformed. Check that you copied all of it.', { exact: true })
      .waitFor();
    const number = answer?.headers()['x-request-id'];
    await page.getByText(`Quote this number to support: ${number}`, { exact: true }).waitFor();
  });

  test('every answer has the number of its request, and no two have the same', async () => {
    const paths = ['/', '/explore', `/p/${link.id}`, '/robots.txt', '/healthz', '/nowhere'];
    const numbers = await Promise.all(
      paths.map(async (path) => (await fetch(app.origin + path)).headers.get('x-request-id')),
    );
    expect(numbers).not.toContain(null);
    expect(new Set(numbers).size).toBe(paths.length);
  });

  test('an error of the data layer tells its number where nobody outside can tell the cause', async () => {
    const bringBack = await takeTableAway(app, 'link');
    const body = { query: '{ listPaywallLinks { nextToken } }' };
    const answer = await postJson(createPerson(app), '/graphql', body, await publishableKey(app));
    await bringBack();
    const { errors } = (await answer.json()) as { errors: { extensions: object }[] };
    expect(errors[0]?.extensions).toEqual({
      code: 'INTERNAL',
      requestId: answer.headers.get('x-request-id'),
    });
  });

  test('a page that failed shows the number to quote to support', async () => {
    const seller = await signUp(app);
    const page = await openPage(app, { as: seller, expectedErrors: /500 \/dashboard/ });
    const bringBack = await takeTableAway(app, 'session');
    const answer = await page.goto('/dashboard');
    await bringBack();
    expect(answer?.status()).toBe(500);
    const number = answer?.headers()['x-request-id'];
    await page.getByText(`Quote this number to support: ${number}`, { exact: true }).waitFor();
  });
});
