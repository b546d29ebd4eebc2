import { beforeEach, describe, expect, test } from 'vitest';
import { SAME_LINES_A_MINUTE } from '../../server/running/log.ts';
import { takeTableAway } from '../errors/take-table-away.ts';
import {
  PASSWORD,
  readMail,
  sellFile,
  signUp,
  storageUrl,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, postJson } from '../harness/person.ts';
import { startSignIn } from '../harness/pool-sign-in.ts';
import { useApp } from '../harness/use-app.ts';

/** What is said of one line. */
type Line = { level: number; msg: string; client?: string; err?: { stack?: string } };

const WARN = 40;
const ERROR = 50;
const lines: Line[] = [];
/** What went well. */
const informed: Line[] = [];

describe('the log', () => {
  const app = useApp({
    env: {
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: '127.0.0.1',
      GITHUB_CLIENT_ID: 'a',
      GITHUB_CLIENT_SECRET: 'b',
    },
    overrides: {
      logTo: {
        write(text) {
          const line: Line = JSON.parse(text);
          (line.level < WARN ? informed : lines).push(line);
        },
      },
    },
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
    // What other tests repeated is counted up a minute later.
    const told = () => lines.filter((line) => line.client === client);
    expect((await signIn('Wrong-horse-7')).status).toBe(401);
    expect(told()).toEqual([
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
    expect(told()).toHaveLength(1);
    await send('passkey/verify-authentication', { response: { id: 'a' } });
    await send('two-factor/verify-totp', { code: '123456' });
    await createPerson(app).fetch('/api/auth/callback/github?error=a%0Ab&state=x', { headers });
    expect(told().slice(1)).toEqual(
      Array.from({ length: 3 }, () =>
        expect.objectContaining({ level: 40, client, msg: 'a sign-in failed' }),
      ),
    );
    expect(JSON.stringify(lines)).not.toContain(owner.email);
    expect(JSON.stringify(lines)).not.toContain('Wrong-horse');
  });

  test('has a line for each answer, sale and delivery, and in none of them what opens anything', async () => {
    const seller = await signUp(app);
    const { id, key } = await sellFile(seller, { size: 3_000 });
    const buyer = createPerson(app);
    informed.length = 0;
    const reads = [`/p/${id}`, `/p/${id}`, `/p/${id}?secret=1`, '/nowhere/secret', '/%zz'];
    const ids: (string | null)[] = [];
    for (const path of reads) {
      ids.push((await buyer.fetch(path)).headers.get('x-request-id'));
    }
    const proxied = { headers: { 'x-request-id': 'from:the-proxy.1' } };
    expect((await buyer.fetch('/', proxied)).headers.get('x-request-id')).toBe('from:the-proxy.1');
    const success = await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const download = await storageUrl(buyer, key ?? '');
    expect((await (await buyer.fetch(download)).bytes()).length).toBe(3_000);
    const { text } = await readMail(app, BUYER_EMAIL);
    const personal = /\/access\/\S+/.exec(text)?.[0] ?? '';
    await buyer.fetch(personal, { method: 'POST' });

    const saidOf = (msg: string) => informed.filter((line) => line.msg === msg);
    await eventually(async () => {
      expect(saidOf('answered')).toContainEqual(
        expect.objectContaining({ method: 'POST', route: '/access/:token', status: 303 }),
      );
      expect(saidOf('delivered')).toHaveLength(1);
    });
    const page = { method: 'GET', route: '/p/:id', status: 200 };
    const answered = saidOf('answered') as (Line & { reqId: string })[];
    const none = { method: 'GET', route: null };
    expect(ids.map((reqId) => answered.find((line) => line.reqId === reqId))).toEqual(
      [page, page, page, { ...none, status: 404 }, { ...none, status: 400 }].map((line, index) => ({
        level: 30,
        time: expect.any(Number),
        reqId: ids[index],
        ...line,
        ms: expect.any(Number),
        msg: 'answered',
      })),
    );
    const sales = (saidOf('booked') as (Line & { entry: string })[]).filter(
      ({ entry }) => entry === 'sale',
    );
    expect(sales).toEqual([
      expect.objectContaining({
        entry: 'sale',
        link: id,
        purchase: expect.any(String),
        mode: 'test',
        cents: expect.objectContaining({ provider: -500, creator: 445, platform_fee: 55 }),
      }),
    ]);
    expect(saidOf('delivered')).toEqual([
      expect.objectContaining({ link: id, outcome: 'delivered', bytes: 3_000 }),
    ]);
    const all = JSON.stringify(['answered', 'booked', 'delivered'].flatMap(saidOf));
    const opens = [download, personal, new URL(success).search.slice(1), seller.email];
    for (const secret of [...opens, BUYER_EMAIL, 'secret', 'notes.pdf', 'session_id', '?']) {
      expect(all).not.toContain(secret);
    }
  });
});
