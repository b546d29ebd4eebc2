import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import { beforeEach, expect, test } from 'vitest';
import { createSigner } from '../../../ground/lib/signer.ts';
import {
  createKnownDevices,
  DEVICE_LIFETIME_S,
  DEVICE_TICKET,
  MAX_ACCOUNTS_OF_DEVICE,
} from './known-devices.ts';

let clock = 0;

beforeEach(() => {
  clock = Date.UTC(2026, 0, 1);
});

/** A server that remembers browsers, and says which of them it knows. */
async function serve(publicUrl = 'http://localhost:3000', secret = 'a secret') {
  const signer = createSigner(secret, 'known device', DEVICE_TICKET);
  const devices = createKnownDevices(signer, publicUrl, () => clock);
  const app = Fastify();
  await app.register(cookie);
  app.get<{ Params: { email: string } }>('/in/:email', (request, reply) => {
    devices.remember(request, reply, request.params.email);
    return reply.send();
  });
  app.get<{ Params: { email: string } }>('/known/:email', (request) => ({
    id: devices.find(request, request.params.email),
  }));
  return {
    /** Signs in, and returns the line that sets the cookie. */
    async signIn(email: string, held = ''): Promise<string> {
      const answer = await app.inject({ url: `/in/${email}`, headers: { cookie: held } });
      return String(answer.headers['set-cookie']);
    },
    async find(email: string, held: string): Promise<string | null> {
      const answer = await app.inject({ url: `/known/${email}`, headers: { cookie: held } });
      return answer.json().id;
    },
  };
}

const pairOf = (line: string) => line.split(';', 1)[0] ?? '';

test('a browser is known to the account that it signed in to, and to no other', async () => {
  const { signIn, find } = await serve();
  const held = pairOf(await signIn('ada'));
  expect(await find('ada', held)).toMatch(/^[\w-]{22}$/);
  expect(await find('eve', held)).toBeNull();
  expect(await find('ada', '')).toBeNull();
  expect(await find('ada', pairOf(await signIn('ada')))).not.toBe(await find('ada', held));
});

test('what another secret signed, or nobody, makes nobody known', async () => {
  const { signIn, find } = await serve();
  const forged = pairOf(await (await serve(undefined, 'another')).signIn('ada'));
  expect(await find('ada', forged)).toBeNull();
  const held = pairOf(await signIn('ada'));
  const [, body = ''] = /=(.+)\./.exec(held) ?? [];
  const ticket = JSON.parse(Buffer.from(body, 'base64url').toString());
  const longer = JSON.stringify({ ...ticket, accounts: [{ ...ticket.accounts[0], until: 9e15 }] });
  const changed = held.replace(body, Buffer.from(longer).toString('base64url'));
  expect(await find('ada', changed)).toBeNull();
});

test('a browser is known for 180 days after the last sign-in', async () => {
  expect(DEVICE_LIFETIME_S).toBe(180 * 86_400);
  const { signIn, find } = await serve();
  const held = pairOf(await signIn('ada'));
  clock += DEVICE_LIFETIME_S * 1_000 - 1;
  const id = await find('ada', held);
  expect(id).not.toBeNull();
  const renewed = pairOf(await signIn('ada', held));
  clock += 1;
  expect(await find('ada', held)).toBeNull();
  expect(await find('ada', renewed)).toBe(id);
});

test('a browser is known to the five accounts that signed in last', async () => {
  const { signIn, find } = await serve();
  let held = '';
  const people = Array.from({ length: MAX_ACCOUNTS_OF_DEVICE + 1 }, (_, number) => `p${number}`);
  for (const person of [...people, 'p1']) held = pairOf(await signIn(person, held));
  const known = await Promise.all(
    people.map(async (person) => (await find(person, held)) !== null),
  );
  expect(known).toEqual([false, true, true, true, true, true]);
  expect(held.length).toBeLessThan(700);
  expect(held).not.toContain(Buffer.from('p1"').toString('base64url'));
});

test('the cookie is for the server alone, and with https as strict as the others', async () => {
  const plain = (await (await serve()).signIn('ada')).split('; ');
  const strict = (await (await serve('https://pay.example.com')).signIn('ada')).split('; ');
  expect(plain[0]).toMatch(/^padlink_device=/);
  expect(strict[0]).toMatch(/^__Host-padlink_device=/);
  const attributes = ['Max-Age=15552000', 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  expect(plain.slice(1).toSorted()).toEqual(attributes.toSorted());
  expect(strict.slice(1).toSorted()).toEqual([...attributes, 'Secure'].toSorted());
});
