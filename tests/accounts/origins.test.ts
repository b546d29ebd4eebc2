import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { seeLink, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { checkOut, payFor } from '../factories/payment.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

describe('cookies and origins', () => {
  const app = useApp();
  let seller: Person;
  let link: { id: string };

  beforeAll(async () => {
    seller = await signUp(app);
    link = await sellFile(seller);
  });

  test('a visitor without an account owns what was paid for by the claim of the checkout alone', async () => {
    const visitor = createPerson(app);
    await payFor(visitor, link.id);
    expect([...visitor.cookies.keys()]).toEqual(['padlink_claim']);
    const { key } = await waitUntilUnlocked(visitor, link.id);
    expect(key).toBe(`public/${link.id}-notes.pdf`);
    const another = createPerson(app);
    await checkOut(another, link.id);
    expect(await seeLink(another, link.id)).toMatchObject({ unlocked: false, key: null });
    another.cookies.set('padlink_claim', visitor.cookies.get('padlink_claim') ?? '');
    expect(await seeLink(another, link.id)).toMatchObject({ unlocked: true, key });
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

  test('a page asked for by another loopback name leads to the address of the product', async () => {
    const answer = await fetch(`${app.origin.replace('localhost', '127.0.0.1')}/explore`, {
      redirect: 'manual',
    });
    expect(answer.headers.get('location')).toBe(`${app.origin}/explore`);
  });

  test('a request that names two hosts, or none, is refused', async () => {
    const send = (...names: string[]): Promise<string> => {
      const socket = connect(app.port, '127.0.0.1');
      socket.write(['GET /explore HTTP/1.1', ...names, '', ''].join('\r\n'));
      return text(socket);
    };
    const { host } = new URL(app.origin);
    for (const names of [
      [`Host: ${host}`, 'host: evil.example.com'],
      ['Host: evil.example.com', `HOST: ${host}`],
      [`Host: ${host}`, `Host: ${host}`],
    ]) {
      const answer = await send(...names);
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\n(.*\r\n)*connection: close\r\n/i);
      expect(answer).toContain('The request has more than one Host header.');
    }
    expect(await send()).toMatch(/^HTTP\/1\.1 400 /);
    expect(await send(`Host: ${host}`, 'Connection: close')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each(['/mailbox', '/mailbox.json'])('%s answers only to this machine', async (path) => {
    expect((await fetch(app.origin + path)).status).toBe(200);
    for (const headers of [
      { 'x-forwarded-for': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { 'x-real-ip': '203.0.113.9' },
    ] as Record<string, string>[]) {
      const answer = await fetch(app.origin + path, { headers, redirect: 'manual' });
      expect(answer.status, JSON.stringify(headers)).toBe(404);
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
