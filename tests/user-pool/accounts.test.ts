import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { expectRefusal } from '../factories/account-requests.ts';
import { PASSWORD, readCode, readMail, signIn, signUp } from '../factories/factories.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, postJson, readJson } from '../harness/person.ts';
import { createPoolAccount, readAttributes, signInByPool } from '../harness/pool-sign-in.ts';
import { useApp } from '../harness/use-app.ts';
import { startUserPool } from '../harness/user-pool.ts';
import { withDatabase } from '../harness/with-database.ts';

const pool = await startUserPool();
const otherPool = await startUserPool();
afterAll(async () => {
  await pool.stop();
  await otherPool.stop();
});

const NOT_VERIFIED = '/login?next=%2Fdashboard&error=email_not_verified';

describeOnSqliteFirst('an account of a user pool', (database) => {
  const app = useApp({ database, env: pool.env });
  const auth = (path: string, body: object) =>
    postJson(createPerson(app), `/api/auth/${path}`, body);

  test('brings its attributes, and is the same one at the next sign-in', async () => {
    const { login, email } = createPoolAccount(pool, {
      'custom:first_name': 'Ada',
      given_name: 'Augusta',
    });
    const person = createPerson(app);
    expect(await signInByPool(person, login)).toBe('/dashboard');
    const attributes = await readAttributes(person);
    expect(attributes).toEqual({
      email,
      'custom:first_name': 'Ada',
      sub: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await person.fetch('/logout', { method: 'POST' });
    expect((await person.fetch('/api/user-attributes')).status).toBe(401);
    await signInByPool(person, login);
    expect(await readAttributes(person)).toEqual(attributes);
  });

  test('joins the account that has proven the same address, which keeps its password', async () => {
    const owner = await signUp(app, { firstName: 'Augusta' });
    const { login } = createPoolAccount(pool, {
      email: owner.email.toUpperCase(),
      'custom:first_name': 'Ada',
    });
    const person = createPerson(app);
    await signInByPool(person, login);
    expect(await readAttributes(person)).toEqual(await readAttributes(owner));
    await signIn(createPerson(app), owner.email);
  });

  test.each([
    ['says nothing about', undefined],
    ['states as unverified', false],
  ])(
    'neither joins nor makes an account by an address that the pool %s',
    { tags: 'long' },
    async (_how, verified) => {
      const owner = await signUp(app);
      const stranger = createPoolAccount(pool, { email_verified: verified });
      const squatter = createPoolAccount(pool, { email: owner.email, email_verified: verified });
      for (const { login } of [stranger, squatter]) {
        const person = createPerson(app);
        // The same answer for both: it does not tell which addresses have an account.
        expect(await signInByPool(person, login)).toMatch(NOT_VERIFIED);
        expect((await person.fetch('/api/user-attributes')).status).toBe(401);
      }
    },
  );

  test('ends an unconfirmed sign-up of its address, password and code included', async () => {
    const { login, email } = createPoolAccount(pool, { 'custom:first_name': 'Ada' });
    const squatter = { email, password: PASSWORD, firstName: 'Eve' };
    await readJson(await auth('sign-up/email', squatter));
    const otp = await readCode(app, email);

    const owner = createPerson(app);
    expect(await signInByPool(owner, login)).toBe('/dashboard');
    expect(await readAttributes(owner)).toMatchObject({ email, 'custom:first_name': 'Ada' });
    expect((await auth('sign-in/email', squatter)).status).toBe(401);
    expect((await auth('email-otp/verify-email', { email, otp })).status).toBe(400);
  });

  test('is known by its subject, and keeps its address until the pool has verified another', async () => {
    const { login, email } = createPoolAccount(pool, { 'custom:first_name': 'Ada' });
    const person = createPerson(app);
    await signInByPool(person, login);
    const attributes = await readAttributes(person);
    pool.accounts.set(login, { email: `new-${email}`, email_verified: false });
    const later = createPerson(app);
    expect(await signInByPool(later, login)).toBe('/dashboard');
    expect(await readAttributes(later)).toEqual(attributes);
  });

  test('may come without a first name, and cannot be used before it is given', async () => {
    const { login } = createPoolAccount(pool, { given_name: '\u3164' });
    const person = createPerson(app);
    await signInByPool(person, login);
    expect((await readAttributes(person))['custom:first_name']).toBe('');
    const dashboard = () => person.fetch('/dashboard');
    expect((await dashboard()).headers.get('location')).toBe('/login?next=%2Fdashboard');
    const give = (firstName: string) => postJson(person, '/api/auth/update-user', { firstName });
    expect((await give(' ')).status).toBe(400);
    expect((await give(' Grace ')).status).toBe(200);
    expect((await readAttributes(person))['custom:first_name']).toBe('Grace');
    expect((await dashboard()).status).toBe(200);
  });

  test('follows the address that the pool has verified, and tells the old one', async () => {
    const { login, email } = createPoolAccount(pool, { 'custom:first_name': 'Ada' });
    const person = createPerson(app);
    await signInByPool(person, login);
    const attributes = await readAttributes(person);
    const newEmail = `new-${email}`;
    pool.accounts.set(login, { email: newEmail, email_verified: true });
    await signInByPool(createPerson(app), login);
    expect(await readAttributes(person)).toEqual({ ...attributes, email: newEmail });
    expect((await readMail(app, email)).text).toContain(newEmail);

    const other = await signUp(app);
    pool.accounts.set(login, { email: other.email, email_verified: true });
    await signInByPool(createPerson(app), login);
    expect((await readAttributes(person)).email).toBe(newEmail);
  });

  test('is the account of its mailbox, however the pool writes the address', async () => {
    const name = randomBytes(6).toString('hex');
    const canonical = `${name}@xn--bcher-kva.example`;
    const { login } = createPoolAccount(pool, {
      email: `${name.toUpperCase()}@BU\u0308CHER.example`,
      email_verified: true,
      'custom:first_name': 'Ada',
    });
    const person = createPerson(app);
    expect(await signInByPool(person, login)).toBe('/dashboard');
    const attributes = await readAttributes(person);
    expect(attributes.email).toBe(canonical);
    // It is no other address that the pool writes in another way.
    pool.accounts.set(login, { email: `${name}@b\u00fccher.example`, email_verified: true });
    await signInByPool(createPerson(app), login);
    expect(await readAttributes(person)).toEqual(attributes);
    const second = createPoolAccount(pool, {
      email: `${name}@b\u00fccher.example`,
      email_verified: true,
    });
    await signInByPool(createPerson(app), second.login);
    const mails = await readJson<{ to: string }[]>(await fetch(`${app.origin}/mailbox.json`));
    expect(mails.filter(({ to }) => to === canonical)).toEqual([]);
    const accounts = await withDatabase(app, (db) =>
      db.selectFrom('user').where('email', 'like', `${name}%`).select('email').execute(),
    );
    expect(accounts).toEqual([{ email: canonical }]);
  });

  test('without a password has its address changed at the pool alone', async () => {
    const { login, email } = createPoolAccount(pool, { 'custom:first_name': 'Ada' });
    const person = createPerson(app);
    await signInByPool(person, login);
    const request = { newEmail: `other-${email}` };
    const refused = await postJson(person, '/api/auth/email-otp/request-email-change', request);
    await expectRefusal(refused, 403, 'ADDRESS_OF_PROVIDER');
    expect((await readAttributes(person)).email).toBe(email);
  });

  test('keeps its address as long as it has a password', async () => {
    const owner = await signUp(app);
    const { login } = createPoolAccount(pool, { email: owner.email });
    await signInByPool(createPerson(app), login);
    pool.accounts.set(login, { email: `new-${owner.email}`, email_verified: true });
    const person = createPerson(app);
    await signInByPool(person, login);
    expect(await readAttributes(person)).toEqual(await readAttributes(owner));
    expect((await readAttributes(owner)).email).toBe(owner.email);
  });

  test('without an email address cannot be used', async () => {
    const { login } = createPoolAccount(pool, { email: undefined });
    expect(await signInByPool(createPerson(app), login)).toBe(
      '/login?next=%2Fdashboard&error=email_not_found',
    );
  });

  test('is another one when the product turns to another pool with the same subject', {
    tags: 'long',
  }, async () => {
    const { login } = createPoolAccount(pool, { 'custom:first_name': 'Ada' });
    const first = createPerson(app);
    await signInByPool(first, login);
    const { sub } = await readAttributes(first);
    otherPool.accounts.set(login, { email: 'eve@example.com', email_verified: true });
    Object.assign(app.env, otherPool.env);
    await app.restart();
    const second = createPerson(app);
    await signInByPool(second, login);
    expect((await readAttributes(second)).sub).not.toBe(sub);
    Object.assign(app.env, pool.env);
    await app.restart();
  });
});
