import { beforeEach, describe, expect, test } from 'vitest';
import { SAME_LINES_A_MINUTE } from '../server/log.ts';
import { takeTableAway } from './errors/take-table-away.ts';
import { PASSWORD, signUp } from './factories.ts';
import { createPerson, postJson } from './person.ts';
import { startSignIn } from './pool-sign-in.ts';
import { useApp } from './use-app.ts';

/** What is said of one line. */
type Line = { level: number; msg: string; err?: { stack?: string } };

const ERROR = 50;
const lines: Line[] = [];

describe('the log', () => {
  const app = useApp({
    env: {
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: '127.0.0.1',
      GITHUB_CLIENT_ID: 'a',
      GITHUB_CLIENT_SECRET: 'b',
    },
    overrides: { logTo: { write: (line) => lines.push(JSON.parse(line)) } },
  });
  beforeEach(() => {
    lines.length = 0;
  });

  test('tells of no fault where a stranger sent what is refused', async () => {
    const send = (path: string, init?: RequestInit) => createPerson(app).fetch(path, init);
    const sign = (signature: string) =>
      send('/webhooks/stripe', {
        method: 'POST',
        headers: { 'stripe-signature': signature },
        body: '{}',
      });
    const person = createPerson(app);
    const state = (await startSignIn(person, { provider: 'github' })).searchParams.get('state');
    const answers = await Promise.all([
      send('/oembed?format=x'),
      send('/nowhere'),
      send('/p/%zz'),
      send('/uploads', { method: 'POST' }),
      postJson(person, '/graphql', { query: '{' }),
      postJson(person, '/prod/checkout', '{'),
      postJson(person, '/api/auth/sign-in/social', {
        provider: 'github',
        callbackURL: 'https://evil.example.com',
      }),
      postJson(person, '/api/auth/sign-in/social', { provider: 'nobody' }),
      ...['x', 't=1', 't=1,v1', 't=1,v1=,v1', 't=,v1=00', `t=1,v1=${'é'.repeat(64)}`].map(sign),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual([501, 404, 400, 412, 400, 400, 403, 404, ...Array(6).fill(400)]);
    for (const query of [
      '',
      '?state=x&code=y',
      `?state=${state}x&code=y`,
      `?state=${state}`,
      '?error=x&state=y',
      '?code=y&code=z&state=x&user=%00',
    ]) {
      for (const visitor of [person, createPerson(app)]) {
        const back = await visitor.fetch(`/api/auth/callback/github${query}`);
        expect(back.headers.get('location')).toMatch(/error=/);
      }
    }
    expect(lines.filter(({ level, err }) => level >= ERROR || err)).toEqual([]);
    const refused = lines.filter(({ msg }) => msg.includes('STRIPE_WEBHOOK_SECRET'));
    expect(refused).toHaveLength(SAME_LINES_A_MINUTE);
  });

  test('shows a fault of ours with its stack, and counts it when it repeats', async () => {
    const bringBack = await takeTableAway(app, 'link');
    for (let time = 0; time < 20; time += 1) {
      expect((await fetch(`${app.origin}/p/abcdef12/content`)).status).toBe(500);
    }
    await bringBack();
    const faults = lines.filter(({ msg }) => msg === 'a link could not be delivered');
    expect(faults).toHaveLength(5);
    expect(faults[0]).toMatchObject({
      level: ERROR,
      err: { stack: expect.stringMatching(/no such table: link\n\s+at /) },
    });
  });

  test('tells of a failed sign-in from where it came, and not whose password was tried', async () => {
    const owner = await signUp(app);
    lines.length = 0;
    // Of one address only so many failures a minute are told, and other tests fail as well.
    const client = '203.0.113.7';
    const headers = { 'x-forwarded-for': client };
    const send = (path: string, body: object) =>
      postJson(createPerson(app), `/api/auth/${path}`, body, headers);
    const signIn = (password: string) => send('sign-in/email', { email: owner.email, password });
    expect((await signIn('Wrong-horse-7')).status).toBe(401);
    expect(lines).toEqual([
      {
        level: 40,
        time: expect.any(Number),
        reqId: expect.any(String),
        client,
        account: `${owner.email[0]}…@example.com`,
        reason: 'INVALID_EMAIL_OR_PASSWORD',
        msg: 'a sign-in failed',
      },
    ]);
    expect((await signIn(PASSWORD)).status).toBe(200);
    expect(lines).toHaveLength(1);
    await send('passkey/verify-authentication', { response: { id: 'a' } });
    await send('two-factor/verify-totp', { code: '123456' });
    await createPerson(app).fetch('/api/auth/callback/github?error=a%0Ab&state=x', { headers });
    expect(lines.slice(1)).toEqual(
      Array.from({ length: 3 }, () =>
        expect.objectContaining({ level: 40, client, msg: 'a sign-in failed' }),
      ),
    );
    expect(JSON.stringify(lines)).not.toContain(owner.email);
    expect(JSON.stringify(lines)).not.toContain('Wrong-horse');
  });
});
