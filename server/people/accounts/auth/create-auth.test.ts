import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../ground/database/migrate.ts';
import { openSqlite } from '../../../ground/database/sqlite.ts';
import type { Database } from '../../../ground/database/tables.ts';
import { type Auth, createAuth } from './create-auth.ts';
import { hashSessionToken } from './hashed-sessions.ts';
import { migrateAuth } from './migrate-auth.ts';
import { sessionReader } from './read-session.ts';

const ORIGIN = 'https://pay.example.com';
const PASSWORD = 'Correct-horse-7';
const folder = mkdtempSync(join(tmpdir(), 'padlink-auth-'));
const mailed: { to: string; code: string }[] = [];
const notices: string[] = [];
const logged: string[] = [];
let db: Database;
let auth: Auth;

const write = (fields: object, message: string) => {
  const { err } = fields as { err?: Error };
  logged.push(`${message} ${err?.stack ?? ''} ${JSON.stringify(fields)}`);
};

beforeAll(async () => {
  db = openSqlite(join(folder, 'test.sqlite'));
  auth = createAuth({
    db,
    databaseKind: 'sqlite',
    publicUrl: ORIGIN,
    siteName: 'Padlink',
    secret: 'a secret of the tests '.repeat(2),
    async sendLetter({ to, facts }) {
      const code = 'code' in facts ? facts.code : null;
      if (code) {
        mailed.push({ to, code });
        throw new Error('421 try again');
      }
      notices.push(to);
    },
    mailAllowance: null,
    log: { debug: write, warn: write, error: write },
  });
  await migrateAuth(auth, db);
  await migrate(db);
});

afterAll(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

function post(path: string, body: object, headers: Record<string, string> = {}) {
  return auth.handler(
    new Request(`${ORIGIN}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN, ...headers },
      body: JSON.stringify(body),
    }),
  );
}

/** The newest code mailed to the address; refused mails are tried again in between. */
const codeFor = (email: string) => mailed.findLast(({ to }) => to === email)?.code ?? '';

const signUp = (email: string) =>
  post('sign-up/email', { email, password: PASSWORD, name: 'Ada', firstName: 'Ada' });

async function signUpVerified(email: string): Promise<{ cookie: string; token: string }> {
  await signUp(email);
  const answer = await post('email-otp/verify-email', { email, otp: codeFor(email) });
  const [cookie = ''] = answer.headers.getSetCookie();
  return { cookie, token: ((await answer.json()) as { token: string }).token };
}

test('with https the session cookie is Secure and bound to the host', async () => {
  const { cookie } = await signUpVerified('cookie@example.com');
  expect(cookie).toMatch(/^__Host-padlink\.session_token=/);
  for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=2592000']) {
    expect(cookie.split('; ')).toContain(attribute);
  }
  expect(cookie).not.toMatch(/domain=/i);
  const [pair = ''] = cookie.split('; ');
  expect(await sessionReader(auth, db, [])({ cookie: pair })).toMatchObject({ firstName: 'Ada' });
});

test('with https the cookie of a pending sign-up is Secure and bound to the host as well', async () => {
  const [cookie = ''] = (await signUp('pending@example.com')).headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-padlink\.sign_up=/);
  for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=86400']) {
    expect(cookie.split('; ')).toContain(attribute);
  }
  const [pair = ''] = cookie.split('; ');
  await signUp('pending@example.com');
  const body = { email: 'pending@example.com', otp: codeFor('pending@example.com') };
  expect((await post('email-otp/verify-email', body, { cookie: pair })).status).toBe(409);
});

test('a request of another origin is refused by the library as well', async () => {
  const cookie = 'a=b';
  const answer = await post('sign-out', {}, { origin: 'https://evil.example', cookie });
  expect(answer.status).toBe(403);
});

test('nothing is read from the database for headers without credentials', async () => {
  const asked: unknown[] = [];
  const recorded = openSqlite(join(folder, 'test.sqlite'), { log: (event) => asked.push(event) });
  const read = sessionReader(auth, recorded, []);
  expect(await read({})).toBeNull();
  expect(await read({ cookie: 'padlink_claim=x', authorization: 'Basic eDp5' })).toBeNull();
  expect(await read(new Headers({ cookie: 'theme=dark' }))).toBeNull();
  expect(await read({ cookie: '__Host-padlink.session_token=made-up.signature' })).toBeNull();
  expect(asked).toEqual([]);
  expect(await read({ authorization: 'Bearer made-up' })).toBeNull();
  expect(asked).toHaveLength(1);
  await recorded.destroy();
});

const toBase64url = (base64: string) => Buffer.from(base64, 'base64').toString('base64url');

test('a session of more than thirty days is over', async () => {
  const { token, cookie } = await signUpVerified('old@example.com');
  const [pair = ''] = cookie.split('; ');
  const read = sessionReader(auth, db, []);
  const headers = { authorization: `Bearer ${token}` };
  expect(await read(headers)).not.toBeNull();
  // A cookie is believed for its signature, by which no token can be tried that was not given out.
  const forged = encodeURIComponent(`${token}.${'A'.repeat(43)}=`);
  expect(await read({ cookie: `__Host-padlink.session_token=${forged}` })).toBeNull();
  const [, signature = ''] = decodeURIComponent(pair.split('=')[1] ?? '').split('.');
  for (const spelling of [signature.replace('=', ''), `${signature}!`, toBase64url(signature)]) {
    const other = encodeURIComponent(`${token}.${spelling}`);
    expect(await read({ cookie: `__Host-padlink.session_token=${other}` })).toBeNull();
  }
  expect(await read({ cookie: pair })).not.toBeNull();
  const past = new Date(Date.now() - 1_000).toISOString();
  await sql`
    update session set "expiresAt" = ${past}
    where token = ${hashSessionToken(token)}`.execute(db);
  expect(await read(headers)).toBeNull();
});

test('whichever way the library finds a session by its token, the table holds its hash', async () => {
  const { token } = await signUpVerified('adapter@example.com');
  const { adapter } = await auth.$context;
  const call = { model: 'session', where: [{ field: 'token', value: token }] };
  const found = expect.objectContaining({ token });
  expect(await adapter.findOne(call)).toEqual(found);
  expect(
    await adapter.incrementOne({ ...call, increment: {}, set: { userAgent: 'a browser' } }),
  ).toEqual(found);
  expect(await adapter.findOne(call)).toMatchObject({ userAgent: 'a browser' });
  expect(await adapter.consumeOne(call)).toEqual(found);
  expect(await adapter.findOne(call)).toBeNull();
});

test('the table does not tell codes or passwords', async () => {
  await signUp('stored@example.com');
  const code = codeFor('stored@example.com');
  const { rows } = await sql<Record<string, string>>`
    select value from verification union all select password from account`.execute(db);
  const stored = JSON.stringify(rows);
  expect(stored).not.toContain(`"${code}:`);
  expect(stored).not.toContain(PASSWORD);
  // A plain hash of six digits is found by trying all of them.
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code));
  expect(stored).not.toContain(Buffer.from(hash).toString('base64url'));
  expect(stored).toContain('$argon2id$');
});

test('the log tells that a mail failed, but no password, code or token', async () => {
  const { token } = await signUpVerified('log@example.com');
  await post('sign-in/email', { email: 'log@example.com', password: 'Wrong-horse-7' });
  await post('sign-up/email', { email: 'log@example.com', password: 'weak' });
  const all = logged.join('\n');
  expect(all).toContain('an email was not accepted');
  for (const secret of [PASSWORD, 'Wrong-horse-7', token, ...mailed.map(({ code }) => code)]) {
    expect(all).not.toContain(secret);
  }
});

test('the owner of an account is told of another sign-up, and gets no code', async () => {
  await signUpVerified('told@example.com');
  const code = codeFor('told@example.com');
  await signUp('told@example.com');
  await expect.poll(() => notices).toEqual(['told@example.com']);
  expect(codeFor('told@example.com')).toBe(code);
});
