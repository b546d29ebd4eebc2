import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { auth, expectRefusal } from '../../../../tests/factories/account-requests.ts';
import { PASSWORD, readMail, signUp } from '../../../../tests/factories/factories.ts';
import { showCode } from '../../../../tests/harness/authenticator-app.ts';
import { describeOnSqliteFirst } from '../../../../tests/harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../../../../tests/harness/person.ts';
import { createAuthenticator } from '../../../../tests/harness/software-authenticator.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';
import { withDatabase } from '../../../../tests/harness/with-database.ts';

interface Listed {
  id: string;
  name: string;
  createdAt: string;
  domain: string | null;
}

const read = async <Body>(person: Person, path: string) =>
  readJson<Body>(await person.fetch(`/api/auth/passkey/${path}`));
/** What the device is to answer; an account route that keeps a row. */
const askFor = async <Body>(person: Person, path: string) =>
  readJson<Body>(await auth(person, `passkey/${path}`));
const list = (person: Person) => read<Listed[]>(person, 'list-user-passkeys');
const remove = (person: Person, id: string) => auth(person, 'passkey/delete-passkey', { id });
const rename = (person: Person, id: string, name: unknown) =>
  auth(person, 'passkey/update-passkey', { id, name });
const statusOf = async (person: Person) => (await person.fetch('/api/user-attributes')).status;

type Device = ReturnType<typeof createAuthenticator>;

async function register(
  person: Person,
  device: Device,
  { name = 'Laptop', origin = person.origin, userVerified = true } = {},
) {
  const options = await askFor<Parameters<Device['create']>[0]>(
    person,
    'generate-register-options',
  );
  const response = device.create(options, { origin, userVerified });
  return auth(person, 'passkey/verify-registration', { name, response });
}

async function signInWith(
  person: Person,
  device: Device,
  { origin = person.origin, userVerified = true } = {},
) {
  const options = await askFor<Parameters<Device['get']>[0]>(
    person,
    'generate-authenticate-options',
  );
  const response = device.get(options, { origin, userVerified });
  return auth(person, 'passkey/verify-authentication', { response });
}

describeOnSqliteFirst('passkeys', (database) => {
  const app = useApp({ database });

  async function signUpWithPasskey() {
    const owner = await signUp(app);
    const device = createAuthenticator();
    const passkey = await readJson<Listed>(await register(owner, device));
    return { owner, device, passkey };
  }

  test('are added with a name, told by mail, listed without what is secret, and removed', {
    tags: 'long',
  }, async () => {
    const { owner, device, passkey } = await signUpWithPasskey();
    await readJson(await register(owner, createAuthenticator(), { name: ' Key ring ' }));
    const listed = await list(owner);
    const shown = (name: string) => ({
      id: expect.any(String),
      name,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      domain: 'localhost',
    });
    expect(listed).toEqual([shown('Laptop'), shown('Key ring')]);
    expect(passkey).toEqual(listed[0]);
    await readMail(app, owner.email, /A passkey was added to your account/);

    await readJson(await remove(owner, passkey.id));
    expect((await list(owner)).map(({ name }) => name)).toEqual(['Key ring']);
    const refused = await signInWith(createPerson(app), device);
    await expectRefusal(refused, 401, 'PASSKEY_NOT_FOUND');
  });

  test('are renamed by their owner alone, and sign in all the same', async () => {
    const { owner, device, passkey } = await signUpWithPasskey();
    const past = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await withDatabase(app, (db) => sql`update session set "createdAt" = ${past}`.execute(db));
    const renamed = await readJson(await rename(owner, passkey.id, ' Laptop at home '));
    expect(renamed).toEqual({ ...passkey, name: 'Laptop at home' });
    expect(await list(owner)).toEqual([renamed]);
    for (const [name, message] of [
      [' \u200b', 'Give the passkey a name.'],
      [7, 'Give the passkey a name.'],
      ['x'.repeat(65), 'The name can have at most 64 characters.'],
      ['a\u202eb', 'The name contains invisible control characters.'],
    ] as const) {
      const answer = await rename(owner, passkey.id, name);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ message });
    }
    const other = await signUp(app);
    await expectRefusal(await rename(other, passkey.id, 'Mine'), 404, 'PASSKEY_NOT_FOUND');
    await expectRefusal(await rename(createPerson(app), passkey.id, 'Mine'), 401, 'UNAUTHORIZED');
    expect(await list(owner)).toEqual([renamed]);
    await readJson(await signInWith(createPerson(app), device));
  });

  test('are marked on the account page where they were made for another host name', async () => {
    const { owner, passkey } = await signUpWithPasskey();
    const page = async () => (await owner.fetch('/account/security')).text();
    const mark = 'Created for old.example. It does not work here.';
    expect(passkey.domain).toBe('localhost');
    expect(await page()).not.toContain('Created for');
    const keep = (domain: string | null) =>
      withDatabase(app, (db) =>
        sql`update passkey set domain = ${domain} where id = ${passkey.id}`.execute(db),
      );
    await keep('old.example');
    expect(await page()).toContain(mark);
    expect(await list(owner)).toMatchObject([{ domain: 'old.example' }]);
    // Before Padlink kept it.
    await keep(null);
    expect(await page()).not.toContain('Created for');
    await keep('old.example');
    await readJson(await remove(owner, passkey.id));
    expect(await page()).not.toContain(mark);
  });

  test('sign in without a password, again and again', async () => {
    const { owner, device } = await signUpWithPasskey();
    for (const _visit of [1, 2]) {
      const person = createPerson(app);
      await readJson(await signInWith(person, device));
      const attributes = await readJson(await person.fetch('/api/user-attributes'));
      expect(attributes).toMatchObject({ email: owner.email });
    }
  });

  test('count as both factors', async () => {
    const { owner, device } = await signUpWithPasskey();
    const answer = await auth(owner, 'two-factor/enable', { password: PASSWORD });
    const { totpURI } = await readJson<{ totpURI: string }>(answer);
    const code = showCode(new URL(totpURI).searchParams.get('secret') ?? '');
    await readJson(await auth(owner, 'two-factor/verify-totp', { code }));
    const byPassword = createPerson(app);
    await auth(byPassword, 'sign-in/email', { email: owner.email, password: PASSWORD });
    expect(await statusOf(byPassword)).toBe(401);
    const byPasskey = createPerson(app);
    await readJson(await signInWith(byPasskey, device));
    expect(await statusOf(byPasskey)).toBe(200);
  });

  test('count only when the device has checked who uses it', async () => {
    const { owner, device } = await signUpWithPasskey();
    const unchecked = { userVerified: false };
    const added = await register(owner, createAuthenticator(), unchecked);
    await expectRefusal(added, 401, 'USER_NOT_VERIFIED');
    const person = createPerson(app);
    await expectRefusal(await signInWith(person, device, unchecked), 401, 'USER_NOT_VERIFIED');
    expect(await statusOf(person)).toBe(401);
    expect(await list(owner)).toHaveLength(1);
  });

  test('belong to one account, and nobody else removes them', async () => {
    const { owner, device, passkey } = await signUpWithPasskey();
    const other = await signUp(app);
    await expectRefusal(await remove(other, passkey.id), 404, 'PASSKEY_NOT_FOUND');
    const taken = await register(other, createAuthenticator(device.id));
    await expectRefusal(taken, 400, 'PREVIOUSLY_REGISTERED');
    expect(await list(owner)).toHaveLength(1);
    expect(await list(other)).toEqual([]);
  });

  test('are added and removed within a day of signing in only', { tags: 'long' }, async () => {
    const { owner, device, passkey } = await signUpWithPasskey();
    const past = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await withDatabase(app, (db) => sql`update session set "createdAt" = ${past}`.execute(db));
    const options = await auth(owner, 'passkey/generate-register-options');
    await expectRefusal(options, 403, 'SESSION_NOT_FRESH');
    await expectRefusal(await remove(owner, passkey.id), 403, 'SESSION_NOT_FRESH');
    await readJson(await signInWith(owner, device));
    await readJson(await remove(owner, passkey.id));
  });

  test('do not sign in to an account whose address is not confirmed', async () => {
    const { owner, device } = await signUpWithPasskey();
    await withDatabase(app, (db) =>
      sql`update "user" set "emailVerified" = ${database === 'postgres' ? 'false' : 0}
        where email = ${owner.email}`.execute(db),
    );
    const person = createPerson(app);
    await expectRefusal(await signInWith(person, device), 403, 'ADDRESS_NOT_CONFIRMED');
    expect(await statusOf(person)).toBe(401);
  });
});

describe('passkey requests', () => {
  const app = useApp();

  test('nothing tells which accounts exist when a passkey is asked for', async () => {
    const { email } = await signUp(app);
    const person = createPerson(app);
    const [plain, named] = await Promise.all(
      ['', `?email=${email}`].map((query) =>
        askFor<{ challenge: string }>(person, `generate-authenticate-options${query}`),
      ),
    );
    expect({ ...plain, challenge: '' }).toEqual({ ...named, challenge: '' });
    expect(plain).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(plain).not.toHaveProperty('allowCredentials');
  });

  test('an answer made for another site is refused', async () => {
    const owner = await signUp(app);
    const device = createAuthenticator();
    const origin = 'https://evil.example';
    const added = await register(owner, device, { origin });
    await expectRefusal(added, 400, 'FAILED_TO_VERIFY_REGISTRATION');
    await readJson(await register(owner, device));
    const refused = await signInWith(createPerson(app), device, { origin });
    await expectRefusal(refused, 400, 'AUTHENTICATION_FAILED');
  });

  test('an answer counts once, and only in the browser that was asked', async () => {
    const owner = await signUp(app);
    const device = createAuthenticator();
    await readJson(await register(owner, device));
    const person = createPerson(app);
    const options = await askFor<Parameters<Device['get']>[0]>(
      person,
      'generate-authenticate-options',
    );
    const response = device.get(options, { origin: app.origin });
    const asked = new Map(person.cookies);
    const elsewhere = await auth(createPerson(app), 'passkey/verify-authentication', { response });
    await expectRefusal(elsewhere, 400, 'CHALLENGE_NOT_FOUND');
    await readJson(await auth(person, 'passkey/verify-authentication', { response }));
    const again = Object.assign(createPerson(app), { cookies: asked });
    const replayed = await auth(again, 'passkey/verify-authentication', { response });
    await expectRefusal(replayed, 400, 'CHALLENGE_NOT_FOUND');
  });

  test('a passkey is named, in at most 64 characters', async () => {
    const owner = await signUp(app);
    for (const [name, message] of [
      [' ', 'Give the passkey a name.'],
      ['\u200b\u0301', 'Give the passkey a name.'],
      ['x'.repeat(65), 'The name can have at most 64 characters.'],
      ['a\u0007b', 'The name contains invisible control characters.'],
    ] as const) {
      const answer = await register(owner, createAuthenticator(), { name });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ message });
    }
    expect(await list(owner)).toEqual([]);
  });

  test('what is no answer of an authenticator is refused as bad input', async () => {
    const owner = await signUp(app);
    await askFor(owner, 'generate-register-options');
    const answers = [
      await auth(owner, 'passkey/verify-registration', { name: 'A', response: 'x' }),
      await auth(owner, 'passkey/verify-registration', { name: 'A', response: { id: 'x' } }),
      await auth(owner, 'passkey/verify-authentication', { response: { id: [] } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  test('only who is signed in adds, lists and removes passkeys', async () => {
    const person = createPerson(app);
    const listed = await person.fetch('/api/auth/passkey/list-user-passkeys');
    await expectRefusal(listed, 401, 'UNAUTHORIZED');
    const added = await auth(person, 'passkey/generate-register-options');
    await expectRefusal(added, 401, 'UNAUTHORIZED');
    await expectRefusal(await remove(person, 'x'), 401, 'UNAUTHORIZED');
  });
});
