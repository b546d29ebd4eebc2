import { beforeAll, describe, expect, test } from 'vitest';
import { sellFile, signUp } from './factories.ts';
import { checkOut } from './payment.ts';
import { createPerson, type Person, postJson } from './person.ts';
import { useApp } from './use-app.ts';

describe('cookies and origins', () => {
  const app = useApp();
  let seller: Person;
  let link: { id: string };

  beforeAll(async () => {
    seller = await signUp(app);
    link = await sellFile(seller);
  });

  test('session and claim are HttpOnly, Lax and, without https, neither Secure nor __Host-', async () => {
    const claim = await postJson(createPerson(app), '/prod/checkout', { paywallId: link.id });
    const session = await postJson(createPerson(app), '/api/auth/sign-in/email', {
      email: (await signUp(app)).email,
      password: 'Correct-horse-7',
    });
    for (const response of [claim, session]) {
      const lines = response.headers.getSetCookie();
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        expect(line).toMatch(/; HttpOnly/i);
        expect(line).toMatch(/; SameSite=Lax/i);
        expect(line).not.toMatch(/; Secure|^__Host-/i);
      }
    }
  });

  test('a second checkout keeps the claim of the first', async () => {
    const visitor = createPerson(app);
    await checkOut(visitor, link.id);
    const claim = Object.fromEntries(visitor.cookies);
    await checkOut(visitor, (await sellFile(seller)).id);
    expect(Object.fromEntries(visitor.cookies)).toEqual(claim);
  });

  test.each([
    ['/prod/checkout', () => ({ paywallId: link.id })],
    ['/graphql', () => ({ query: 'mutation { deletePaywallLink(input: { id: "1" }) { id } }' })],
    ['/api/auth/sign-out', () => ({})],
  ])('a post to %s from another site is refused', async (path, body) => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { origin: app.origin.replace('localhost', '127.0.0.1') },
    ] as Record<string, string>[]) {
      const answer = await postJson(seller, path, body(), headers);
      expect(answer.status, JSON.stringify(headers)).toBe(403);
    }
  });

  test('a form post of the same site is led to the checkout', async () => {
    const answer = await createPerson(app).fetch('/prod/checkout', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ paywallId: link.id }),
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain('/sandbox/checkout/');
  });

  test('pages say what may be loaded, framed and posted to', async () => {
    for (const path of ['/', '/login', '/explore', `/p/${link.id}`, '/success', '/failed']) {
      const { headers } = await createPerson(app).fetch(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, path).toMatch(/form-action 'self'/);
      expect(policy, path).toMatch(/frame-ancestors 'none'/);
      expect(policy, path).not.toMatch(/script-src[^;]*'unsafe-inline'/);
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      // Forms of such a page would be posted with `Origin: null`.
      expect(headers.get('referrer-policy') ?? '', path).not.toBe('no-referrer');
    }
  });

  test('a page asked for by another loopback name leads to the address of the product', async () => {
    const answer = await fetch(`${app.origin.replace('localhost', '127.0.0.1')}/explore`, {
      redirect: 'manual',
    });
    expect(answer.headers.get('location')).toBe(`${app.origin}/explore`);
  });

  test.each(['/mailbox', '/mailbox.json'])('%s answers only to this machine', async (path) => {
    expect((await fetch(app.origin + path)).status).toBe(200);
    for (const headers of [
      { 'x-forwarded-for': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { 'x-real-ip': '203.0.113.9' },
    ] as Record<string, string>[]) {
      const answer = await fetch(app.origin + path, { headers, redirect: 'manual' });
      expect([403, 404], JSON.stringify(headers)).toContain(answer.status);
    }
  });
});

describe('a checkout domain of the operator', () => {
  const app = useApp({ env: { CHECKOUT_DOMAIN: 'pay.example.com' } });

  test('is where forms may lead, besides the product and the provider', async () => {
    const { headers } = await createPerson(app).fetch('/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toContain(
      "form-action 'self' https://checkout.stripe.com https://pay.example.com",
    );
  });
});
