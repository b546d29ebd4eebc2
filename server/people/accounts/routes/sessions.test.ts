import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { SessionDetails } from '../../../../contract/account-details.ts';
import { attributes, auth, createEmail } from '../../../../tests/factories/account-requests.ts';
import { PASSWORD, signUp } from '../../../../tests/factories/factories.ts';
import { enterCode, signUpWithTwoFactor } from '../../../../tests/factories/two-factor.ts';
import { showCode } from '../../../../tests/harness/authenticator-app.ts';
import { later } from '../../../../tests/harness/later.ts';
import { describeOnSqliteFirst } from '../../../../tests/harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../../../../tests/harness/person.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';
import { withDatabase } from '../../../../tests/harness/with-database.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';

type CurrentSession = { user: object; session: { expiresAt: string } };

describeOnSqliteFirst('the sessions of an account', (database) => {
  const app = useApp({ database });

  async function signInWith(email: string, userAgent: string): Promise<Person & { token: string }> {
    const person = createPerson(app);
    const credentials = { email, password: PASSWORD };
    const { token } = await readJson<{ token: string }>(
      await postJson(person, '/api/auth/sign-in/email', credentials, { 'user-agent': userAgent }),
    );
    return Object.assign(person, { token });
  }

  /** As by a clock that ran ahead. */
  const addLaterSessions = (email: string, count: number) =>
    withDatabase(app, async (db) => {
      const user = sql`(select id from "user" where email = ${email})`;
      const later = Array.from(
        { length: count },
        (_, number) => sql`(${`${email}${number}`},
        ${`${email}${number}`}, ${user}, ${'2999-01-01T00:00:00.000Z'},
        ${'2998-01-01T00:00:00.000Z'}, ${'2998-01-01T00:00:00.000Z'})`,
      );
      await sql`insert into session (id, token, "userId", "expiresAt", "createdAt", "updatedAt")
        values ${sql.join(later)}`.execute(db);
    });

  const list = async (person: Person) =>
    readJson<SessionDetails[]>(await person.fetch('/api/auth/list-sessions'));
  const isSignedIn = async (person: Person) => (await attributes(person)).status === 200;

  test('are told one at a time: who is signed in gets the current one, a guest none', async () => {
    const { email } = await signUp(app);
    const [desk, phone] = [await signInWith(email, FIREFOX), await signInWith(email, 'Phone')];
    const current = async (person: Person) =>
      readJson<CurrentSession>(await person.fetch('/api/auth/get-session'));
    const { sub } = await readJson<{ sub: string }>(await attributes(desk));
    const user = { id: sub, email, firstName: 'Ada', emailVerified: true };
    expect(await current(desk)).toMatchObject({
      user,
      session: { userId: sub, userAgent: FIREFOX },
    });
    expect(await current(phone)).toMatchObject({ user, session: { userAgent: 'Phone' } });
    const { expiresAt } = (await current(desk)).session;
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(await current(createPerson(app))).toBeNull();
    await readJson(await auth(desk, 'sign-out', {}));
    expect(await current(desk)).toBeNull();
    expect(await current(phone)).toMatchObject({ user });
  });

  test('are listed with device and time, this one first, and without any token', async () => {
    const began = Date.now();
    const { email } = await signUp(app);
    const desk = await signInWith(email, FIREFOX);
    const phone = await signInWith(email, 'Mozilla/5.0 (Linux; Android 16) Chrome/149.0 Safari/1');
    const answer = await desk.fetch('/api/auth/list-sessions');
    const text = await answer.text();
    for (const secret of [desk.token, phone.token, 'token']) expect(text).not.toContain(secret);

    const sessions = JSON.parse(text) as SessionDetails[];
    expect(sessions.map(({ device, current }) => [device, current])).toEqual([
      ['Firefox on Windows', true],
      ['Chrome on Android', false],
      ['Unknown device', false],
    ]);
    for (const { signedInAt } of sessions) {
      // PostgreSQL and SQLite keep it to the millisecond.
      expect(Date.parse(signedInAt)).toBeGreaterThanOrEqual(began - 1);
      expect(Date.parse(signedInAt)).toBeLessThanOrEqual(Date.now());
    }
  });

  test('are listed to who signed in days ago as well', async () => {
    const person = await signUp(app);
    expect(await later(5 * 24 * 60 * 60 * 1_000, () => list(person))).toHaveLength(1);
  });

  test('are a hundred at the most: one more sign-in ends the one that began longest ago', async () => {
    const owner = await signUp(app);
    const second = await signInWith(owner.email, FIREFOX);
    await addLaterSessions(owner.email, 98);
    expect(await isSignedIn(owner)).toBe(true);
    expect(await list(second)).toHaveLength(100);
    const newest = await signInWith(owner.email, FIREFOX);
    expect([await isSignedIn(owner), await isSignedIn(second)]).toEqual([false, true]);
    expect(await isSignedIn(newest)).toBe(true);
    expect(await list(newest)).toHaveLength(100);
  });

  test('stay when they were just made, though the clock ran ahead when the others were', async () => {
    const owner = await signUp(app);
    await addLaterSessions(owner.email, 100);
    const newest = await signInWith(owner.email, FIREFOX);
    expect(await isSignedIn(newest)).toBe(true);
    expect(await list(newest)).toHaveLength(100);
    expect(await isSignedIn(owner)).toBe(false);
  });

  test('are ended by no sign-in that still owes its second factor', async () => {
    const { owner, key } = await signUpWithTwoFactor(app);
    await addLaterSessions(owner.email, 99);
    const password = async () => {
      const person = createPerson(app);
      const credentials = { email: owner.email, password: PASSWORD };
      await readJson(await auth(person, 'sign-in/email', credentials));
      return person;
    };
    const [pending] = await Promise.all([password(), password(), password()]);
    expect(await list(owner)).toHaveLength(100);
    await readJson(await enterCode(pending, showCode(key, 1)));
    expect(await isSignedIn(owner)).toBe(false);
    expect(await list(pending)).toHaveLength(100);
  });

  test('end one by one by their ids', { tags: 'long' }, async () => {
    const owner = await signUp(app);
    const other = await signInWith(owner.email, FIREFOX);
    const kept = await signInWith(owner.email, 'curl/8.14.1');
    const meant = (await list(owner)).find(({ device }) => device === 'Firefox on Windows');
    await readJson(await auth(owner, 'revoke-session', { id: meant?.id }));
    expect(await isSignedIn(other)).toBe(false);
    expect(await isSignedIn(kept)).toBe(true);
    expect(await isSignedIn(owner)).toBe(true);
  });

  test('of somebody else are neither listed nor ended', async () => {
    const owner = await signUp(app);
    const stranger = await signUp(app);
    const [session] = await list(owner);
    expect((await list(stranger)).map(({ id }) => id)).not.toContain(session?.id);
    await auth(stranger, 'revoke-session', { id: session?.id });
    expect(await isSignedIn(owner)).toBe(true);
  });

  test('all but this one end at once', async () => {
    const owner = await signUp(app);
    const others = [await signInWith(owner.email, FIREFOX), await signInWith(owner.email, '')];
    await readJson(await auth(owner, 'revoke-other-sessions'));
    for (const other of others) expect(await isSignedIn(other)).toBe(false);
    expect((await list(owner)).map(({ current }) => current)).toEqual([true]);
  });

  test('are nobody’s business without a session', async () => {
    const guest = createPerson(app);
    expect((await guest.fetch('/api/auth/list-sessions')).status).toBe(401);
    expect((await auth(guest, 'revoke-session', { id: createEmail() })).status).toBe(401);
  });
});
