import { get, request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, signUp } from '../factories/factories.ts';
import { useApp } from '../harness/use-app.ts';

describe('another method than an address takes', () => {
  const app = useApp();
  let id: string;

  beforeAll(async () => {
    const link = { type: 'link', url: 'https://example.com/', unlocked: true };
    id = (await createLink(await signUp(app), link)).id;
  });

  /** As `fetch` sends no TRACE, and no unknown method. */
  const send = (method: string, path: string) =>
    new Promise<{ status?: number; allow?: string }>((resolve, reject) => {
      request(app.origin + path, { method }, (response) => {
        const { statusCode: status, headers } = response.resume();
        resolve({ ...(status && { status }), ...(headers.allow && { allow: headers.allow }) });
      })
        .on('error', reject)
        .end();
    });

  const PAGE = 'GET, HEAD';
  test.each([
    ['/', PAGE],
    ['/explore', PAGE],
    ['/explore?q=a', PAGE],
    ['/login', 'GET, HEAD, POST'],
    ['/dashboard', PAGE],
    ['/upload', PAGE],
    ['/success', PAGE],
    ['/terms', PAGE],
    ['/p/{id}', 'GET, HEAD, POST'],
    ['/p/{id}/card.png', PAGE],
    ['/p/{id}/report', 'GET, HEAD, POST'],
    ['/s/nobody', PAGE],
    ['/config.json', PAGE],
    ['/healthz', PAGE],
    ['/openapi.json', PAGE],
    ['/robots.txt', PAGE],
    ['/service-worker.js', PAGE],
    ['/logout', 'POST'],
    ['/prod/checkout', 'POST'],
    ['/webhooks/stripe', 'POST'],
    ['/graphql', 'POST'],
    ['/uploads', 'OPTIONS, POST'],
    ['/api/auth/get-session', PAGE],
    ['/api/auth/sign-in/email', 'POST'],
    ['/api/user-attributes', PAGE],
  ])('of %s is refused, and told that it takes %s', { tags: 'long' }, async (address, allow) => {
    const path = address.replace('{id}', id);
    const taken = allow.split(', ').sort();
    for (const method of [
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
    ]) {
      const answer = await send(method, path);
      if (taken.includes(method)) expect(answer.status, method).not.toBe(405);
      else {
        const told = answer.allow?.split(', ').sort();
        expect([method, answer.status, told]).toEqual([method, 405, taken]);
      }
    }
  });

  test('of a built file is refused as well', async () => {
    const html = await (await fetch(app.origin)).text();
    const [file = ''] = /\/assets\/[\w.-]+\.js/.exec(html) ?? [];
    expect((await send('HEAD', file)).status).toBe(200);
    expect(await send('PUT', file)).toEqual({ status: 405, allow: PAGE });
  });

  test.each(['/nowhere', '/nowhere/', '/explore/', '/assets/nothing.js', '/api/auth/nothing'])(
    'of %s, where there is nothing, finds nothing',
    async (path) => {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        expect(await send(method, path), method).toEqual({ status: 404 });
      }
    },
  );

  test('is answered with a page where one is wanted', async () => {
    const answer = await fetch(`${app.origin}/logout`, { headers: { accept: 'text/html' } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answer.text()).toContain('This address does not accept this kind of request');
  });

  test('HEAD answers as GET does, without the body', async () => {
    for (const path of ['/', '/explore', `/p/${id}`, '/config.json', '/healthz', '/nowhere']) {
      const [head, get] = await Promise.all(
        ['HEAD', 'GET'].map((method) => fetch(app.origin + path, { method })),
      );
      expect([path, head?.status]).toEqual([path, get?.status]);
      expect(head?.headers.get('content-type')).toBe(get?.headers.get('content-type'));
      expect(await head?.text()).toBe('');
    }
  });
});

describe('a bent address', () => {
  const app = useApp();

  /** As it is, which `fetch` would not leave it. */
  const lead = (path: string) =>
    new Promise((resolve, reject) => {
      get(app.origin, { path }, (response) => {
        const { statusCode, headers } = response.resume();
        resolve([statusCode, headers.location ?? null]);
      }).on('error', reject);
    });

  test.each([
    ['/p/1A2B3C4D', '/p/1a2b3c4d'],
    ['/p/1A2B3C4D?from=news.example', '/p/1a2b3c4d?from=news.example'],
    ['/p/1a2b3c4d/', '/p/1a2b3c4d'],
    ['/p/1A2B3C4D/?code=A', '/p/1a2b3c4d?code=A'],
    ['/p/1a2b3c4d.', '/p/1a2b3c4d'],
    ['/p/1a2b3c4d).', '/p/1a2b3c4d'],
    ['/p/1a2b3c4d%20', '/p/1a2b3c4d'],
    ['/p/1a2b3c4d%E2%80%9D', '/p/1a2b3c4d'],
    ['/p/1a2b3c4d%3E', '/p/1a2b3c4d'],
    ['/p/1a2b3c4d/report/', '/p/1a2b3c4d/report'],
    ['/explore/', '/explore'],
    ['/explore/?q=a%20b', '/explore?q=a%20b'],
    ['/Explore', '/explore'],
    ['/explore.', '/explore'],
    ['/explore%20', '/explore'],
    ['/login/', '/login'],
    ['/upload/', '/upload'],
    ['/dashboard/', '/dashboard'],
    ['/dashboard/sales/', '/dashboard/sales'],
    ['/success/', '/success'],
    ['/failed/', '/failed'],
    ['/terms/', '/terms'],
    ['/privacy//', '/privacy'],
    ['/s/ada/', '/s/ada'],
    ['/s/ada.', '/s/ada'],
    ['/s/ada/notes/', '/s/ada/notes'],
    ['/gifts/AbC-_.x/', '/gifts/AbC-_.x'],
  ])('%s leads to %s', async (path, meant) => {
    expect(await lead(path)).toEqual([301, meant]);
  });

  test.each([
    ...[
      '/nowhere/',
      '/nowhere.',
      '//evil.example/',
      '//evil.example/explore/',
      '/%2Fevil.example/',
    ],
    ...['/\\evil.example/', '/p/zzzzzzzz.', '/p/1a2b3c4', '/p/1a2b3c4d5', '/p/ZZ', '/p/x/'],
    ...['/explore/1a2b3c4d', '/s/NOBODY', '/s/nobody/Nothing', '/p/1a2b3c4dx'],
  ])('%s leads nowhere', async (path) => {
    expect(await lead(path)).toEqual([404, null]);
  });
});
