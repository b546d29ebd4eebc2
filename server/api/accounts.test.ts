import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PASSWORD, readCode, readMail, signIn, signUp } from '../../tests/factories.ts';
import { describeOnBothDatabases } from '../../tests/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../../tests/person.ts';
import { useApp } from '../../tests/use-app.ts';

interface Refusal {
  code: string;
  message: string;
}

const createEmail = () => `${randomBytes(6).toString('hex')}@example.com`;
const auth = (person: Person, path: string, body: object = {}) =>
  postJson(person, `/api/auth/${path}`, body);
const refusal = async (response: Response) => (await response.json()) as Refusal;

async function expectRefusal(response: Response, status: number, code: string): Promise<void> {
  const { code: actual, message } = await refusal(response);
  expect({ status: response.status, code: actual }).toEqual({ status, code });
  expect(message).toMatch(/^[A-Z].+\.$/);
}

async function countMails(origin: string, to: string): Promise<number> {
  const mails = await readJson<{ to: string }[]>(await fetch(`${origin}/mailbox.json`));
  return mails.filter((mail) => mail.to === to).length;
}

/** Mails leave after the answer. */
async function expectMails(origin: string, to: string, count: number): Promise<void> {
  await expect.poll(() => countMails(origin, to), { timeout: 15_000 }).toBe(count);
}

const attributes = (person: Person, headers: Record<string, string> = {}) =>
  person.fetch('/api/user-attributes', { headers });

describeOnBothDatabases('an account', (database) => {
  const app = useApp({ database });

  test('is made by sign-up and the mailed code, and not signed in before', async () => {
    const person = createPerson(app);
    const email = createEmail();
    const account = { email: ` ${email.toUpperCase()} `, password: PASSWORD, firstName: ' Ada ' };
    const made = await readJson<{ token: null }>(await auth(person, 'sign-up/email', account));
    expect(made.token).toBeNull();
    expect(person.cookies.size).toBe(0);

    const first = await readCode(app, email);
    await expectRefusal(
      await auth(person, 'sign-in/email', { email, password: PASSWORD }),
      403,
      'EMAIL_NOT_VERIFIED',
    );
    await expectMails(app.origin, email, 2);
    const second = await readCode(app, email);
    if (first !== second) {
      await expectRefusal(
        await auth(person, 'email-otp/verify-email', { email, otp: first }),
        400,
        'INVALID_OTP',
      );
    }
    expect((await attributes(person)).status).toBe(401);
    const spaced = `${second.slice(0, 3)} ${second.slice(3)}`;
    await readJson(await auth(person, 'email-otp/verify-email', { email, otp: spaced }));
    expect(await readJson(await attributes(person))).toEqual({
      email,
      'custom:first_name': 'Ada',
      sub: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('that exists is not told by a second sign-up, nor changed by it', async () => {
    const owner = await signUp(app, { firstName: 'Augusta' });
    const mails = await countMails(app.origin, owner.email);
    const stranger = { password: 'Another-horse-8', firstName: 'Eve' };
    const [known, unknown] = await Promise.all(
      [owner.email, createEmail()].map(async (email) => {
        const answer = await auth(createPerson(app), 'sign-up/email', { ...stranger, email });
        return { answer, body: (await answer.json()) as { user: Record<string, unknown> } };
      }),
    );
    expect(known?.answer.status).toBe(unknown?.answer.status);
    const shape = ({ user }: { user: Record<string, unknown> } = { user: {} }) =>
      Object.entries(user).map(([name, value]) => `${name}: ${typeof value}`);
    expect(shape(known?.body)).toEqual(shape(unknown?.body));
    expect(known?.body.user).toMatchObject({ firstName: 'Eve', name: 'Eve', emailVerified: false });

    await signIn(createPerson(app), owner.email);
    expect(await readJson(await attributes(owner))).toMatchObject({
      'custom:first_name': 'Augusta',
    });
    // Only the owner of the address learns of it.
    await expectMails(app.origin, owner.email, mails + 1);
    const { text } = await readMail(app, owner.email, /already have/);
    expect(text).toContain(`${app.origin}/login`);
    expect(text).not.toMatch(/\b\d{6}\b/);
  });

  test('belongs to the newest sign-up of an address that nobody has proven', async () => {
    const email = createEmail();
    const squatter = { email, password: 'Squatting-horse-9', firstName: 'Eve' };
    await readJson(await auth(createPerson(app), 'sign-up/email', squatter));
    const owner = createPerson(app);
    await readJson(
      await auth(owner, 'sign-up/email', { email, password: PASSWORD, firstName: 'Ada' }),
    );
    await expectMails(app.origin, email, 2);
    const otp = await readCode(app, email);
    await readJson(await auth(owner, 'email-otp/verify-email', { email, otp }));
    await expectRefusal(
      await auth(createPerson(app), 'sign-in/email', squatter),
      401,
      'INVALID_EMAIL_OR_PASSWORD',
    );
    await signIn(createPerson(app), email);
  });

  test('that is proven cannot be signed in to by a mailed code', async () => {
    const { email } = await signUp(app);
    const mails = await countMails(app.origin, email);
    const person = createPerson(app);
    const type = 'email-verification';
    await readJson(await auth(person, 'email-otp/send-verification-otp', { email, type }));
    await readJson(await auth(person, 'email-otp/request-password-reset', { email }));
    // The code to reset the password, and the word that there is an account already.
    await expectMails(app.origin, email, mails + 2);
    const otp = await readCode(app, email);
    const answer = await auth(person, 'email-otp/verify-email', { email, otp });
    await expectRefusal(answer, 400, 'INVALID_OTP');
  });

  test('gets a new password by a mailed code, which a refused password does not use up', async () => {
    const owner = await signUp(app, { firstName: 'Augusta' });
    const { email } = owner;
    const person = createPerson(app);
    const reset = (otp: string, password: string) =>
      auth(person, 'email-otp/reset-password', { email, otp, password });
    await readJson(await auth(person, 'email-otp/request-password-reset', { email }));
    await expectMails(app.origin, email, 2);
    const otp = await readCode(app, email);
    const wrong = otp === '000000' ? '000001' : '000000';

    await expectRefusal(await reset(otp, 'weak'), 400, 'PASSWORD_TOO_SHORT');
    await expectRefusal(await reset(otp, 'Password1!'), 400, 'PASSWORD_TOO_COMMON');
    await expectRefusal(await reset(otp, 'Augusta1!'), 400, 'PASSWORD_TOO_PERSONAL');
    await expectRefusal(await reset(wrong, 'Augusta1!'), 400, 'INVALID_OTP');
    await expectRefusal(await reset(wrong, 'Another-horse-8'), 400, 'INVALID_OTP');
    await readJson(await reset(otp, 'Another-horse-8'));
    await expectRefusal(await reset(otp, 'Third-horse-9'), 400, 'INVALID_OTP');

    expect((await attributes(owner)).status).toBe(401);
    const old = await auth(createPerson(app), 'sign-in/email', { email, password: PASSWORD });
    await expectRefusal(old, 401, 'INVALID_EMAIL_OR_PASSWORD');
    await signIn(createPerson(app), email, 'Another-horse-8');
  });

  test('changes its password with the current one, and other sessions end if wanted', async () => {
    const owner = await signUp(app, { firstName: 'Augusta' });
    const other = createPerson(app);
    await signIn(other, owner.email);
    const change = (currentPassword: string, newPassword: string) =>
      auth(owner, 'change-password', { currentPassword, newPassword, revokeOtherSessions: true });

    await expectRefusal(await change(PASSWORD, 'Augusta1!'), 400, 'PASSWORD_TOO_PERSONAL');
    await expectRefusal(await change('Wrong-horse-7', 'New-horse-8'), 400, 'INVALID_PASSWORD');
    await readJson(await change(PASSWORD, 'New-horse-8'));
    expect((await attributes(owner)).status).toBe(200);
    expect((await attributes(other)).status).toBe(401);
    await signIn(createPerson(app), owner.email, 'New-horse-8');
  });

  test('is reached by a bearer token, and a wrong one is not passed over', async () => {
    const owner = await signUp(app);
    const credentials = { email: owner.email, password: PASSWORD };
    const { token } = await readJson<{ token: string }>(
      await auth(createPerson(app), 'sign-in/email', credentials),
    );
    const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
    const answer = await attributes(createPerson(app), bearer(token));
    expect(await readJson(answer)).toMatchObject({ email: owner.email });
    expect((await attributes(owner, bearer(`${token}x`))).status).toBe(401);
    expect((await attributes(owner, bearer(`${token}.forged`))).status).toBe(401);
  });

  test('is left by a plain form post, also on the server', async () => {
    const owner = await signUp(app);
    const cookies = new Map(owner.cookies);
    const body = new URLSearchParams();
    const answer = await owner.fetch('/logout', { method: 'POST', body });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/');
    expect(owner.cookies.size).toBe(0);
    for (const [name, value] of cookies) owner.cookies.set(name, value);
    expect((await attributes(owner)).status).toBe(401);
  });

  test('is not opened by a forged cookie', async () => {
    const owner = await signUp(app);
    for (const [name, value] of owner.cookies) owner.cookies.set(name, value.replace(/\..*/, '.x'));
    expect((await attributes(owner)).status).toBe(401);
  });
});

describe('account requests', () => {
  const app = useApp();

  test.each([
    ['sign-in/email-otp', 'POST'],
    ['email-otp/check-verification-otp', 'POST'],
    ['email-otp/change-email', 'POST'],
    ['change-email', 'POST'],
    ['delete-user', 'POST'],
    ['request-password-reset', 'POST'],
    ['verify-email', 'GET'],
    ['error', 'GET'],
    ['sign-in/email', 'GET'],
    ['../auth/delete-user', 'POST'],
    ['sign-in%2Fsocial', 'POST'],
  ])('%s is not reachable by %s', async (path, method) => {
    const answer = await createPerson(app).fetch(`/api/auth/${path}`, { method });
    await expectRefusal(answer, 404, 'NOT_FOUND');
  });

  test.each([
    ['no e-mail', { password: PASSWORD, firstName: 'Ada' }, 'Enter an e-mail address.'],
    ['no address', { email: 'ada', password: PASSWORD }, 'Enter a valid e-mail address.'],
    ['two addresses', { email: 'a@b.co, c@d.co' }, 'Enter a valid e-mail address.'],
    ['a list', { email: ['ada@example.com'] }, 'Enter an e-mail address.'],
    ['no password', { email: 'ada@example.com', firstName: 'Ada' }, 'Enter a password.'],
    ['no name', { email: 'ada@example.com', password: PASSWORD }, 'First Name is required.'],
    [
      'a blank name',
      { email: 'ada@example.com', password: PASSWORD, firstName: ' ' },
      'First Name is required.',
    ],
    [
      'an address for a name',
      { email: 'ada@example.com', password: PASSWORD, firstName: 'Win at http://evil.example' },
      'First Name may not contain a web or e-mail address.',
    ],
    [
      'a weak password',
      { email: 'ada@example.com', password: 'correcthorse', firstName: 'Ada' },
      'The password needs an uppercase letter, a number, and a symbol.',
    ],
    [
      'an endless password',
      { email: 'ada@example.com', password: `Aa1!${'x'.repeat(200)}`, firstName: 'Ada' },
      'The password may have at most 128 characters.',
    ],
  ])('sign-up with %s says so', async (_what, body, message) => {
    const answer = await auth(createPerson(app), 'sign-up/email', body);
    expect(answer.status).toBe(400);
    expect((await refusal(answer)).message).toBe(message);
    expect(await countMails(app.origin, 'ada@example.com')).toBe(0);
  });

  test.each([
    ['malformed JSON', 'application/json', '{"email"', 400, 'INVALID_INPUT'],
    ['a body that is no object', 'application/json', '[1]', 400, 'INVALID_INPUT'],
    ['another kind of body', 'text/plain', '{}', 415, 'INVALID_INPUT'],
    ['more than 16 KiB', 'application/json', `"${'x'.repeat(16_384)}"`, 413, 'BODY_TOO_LARGE'],
  ])('%s is refused', async (_what, type, body, status, code) => {
    const headers = { 'content-type': type };
    const init = { method: 'POST', headers, body };
    await expectRefusal(
      await createPerson(app).fetch('/api/auth/sign-in/email', init),
      status,
      code,
    );
  });

  test('an unknown address and a wrong password are refused alike', async () => {
    const { email } = await signUp(app);
    const answers = await Promise.all(
      [email, createEmail()].map(async (address) => {
        const credentials = { email: address, password: 'weak' };
        const answer = await auth(createPerson(app), 'sign-in/email', credentials);
        return [answer.status, await answer.text()];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test('an unknown address is answered like a known one when it asks for a code', async () => {
    const { email } = await signUp(app);
    for (const path of ['email-otp/request-password-reset', 'email-otp/send-verification-otp']) {
      const answers = await Promise.all(
        [email, createEmail()].map(async (address) => {
          const body = { email: address, type: 'forget-password' };
          const answer = await auth(createPerson(app), path, body);
          return [answer.status, await answer.text()];
        }),
      );
      expect(answers[0], path).toEqual(answers[1]);
    }
  });

  test('the own word of a client on its address is not believed', async () => {
    const owner = await signUp(app);
    await postJson(
      owner,
      '/api/auth/sign-in/email',
      { email: owner.email, password: PASSWORD },
      { 'x-padlink-client-address': '203.0.113.9', 'x-forwarded-for': '203.0.113.9' },
    );
    const { session } = await readJson<{ session: { ipAddress: string } }>(
      await owner.fetch('/api/auth/get-session'),
    );
    expect(session.ipAddress).toBe('127.0.0.1');
  });

  test('a script with cookies and without Origin is served', async () => {
    const owner = await signUp(app);
    const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(`${app.origin}/api/auth/sign-out`, {
      method: 'POST',
      headers: { cookie },
    });
    expect(answer.status).toBe(200);
    expect((await attributes(owner)).status).toBe(401);
  });

  test('answers with credentials are not kept by anyone', async () => {
    const owner = await signUp(app);
    for (const path of ['/api/auth/get-session', '/api/user-attributes']) {
      expect((await owner.fetch(path)).headers.get('cache-control'), path).toBe('no-store');
    }
  });
});

describe('guessing', () => {
  const app = useApp();

  async function signUpOnly() {
    const email = createEmail();
    const person = createPerson(app);
    const account = { email, password: PASSWORD, firstName: 'Ada' };
    await readJson(await auth(person, 'sign-up/email', account));
    const code = await readCode(app, email);
    const wrong = code === '000000' ? '000001' : '000000';
    const verify = (otp: string) => auth(person, 'email-otp/verify-email', { email, otp });
    return { person, email, code, wrong, verify };
  }

  test('a code does not survive five wrong guesses, and ten are all for now', async () => {
    const { email, code, wrong, verify, person } = await signUpOnly();
    for (let guess = 0; guess < 5; guess++) {
      await expectRefusal(await verify(wrong), 400, 'INVALID_OTP');
    }
    await expectRefusal(await verify(code), 403, 'TOO_MANY_ATTEMPTS');
    const type = 'email-verification';
    await readJson(await auth(person, 'email-otp/send-verification-otp', { email, type }));
    for (let guess = 0; guess < 4; guess++) expect((await verify(wrong)).status).toBe(400);
    const refused = await verify(wrong);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectRefusal(refused, 429, 'RATE_LIMITED');
  });

  test('parallel guesses are counted one by one', async () => {
    const { wrong, verify } = await signUpOnly();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(wrong)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10);
  });

  test('a mailbox gets five codes in ten minutes, whichever way they are asked for', async () => {
    const { email, person } = await signUpOnly();
    const account = { email, password: PASSWORD, firstName: 'Ada' };
    await auth(person, 'sign-in/email', account);
    await auth(person, 'sign-up/email', account);
    await auth(person, 'email-otp/request-password-reset', { email });
    const type = 'email-verification';
    await auth(person, 'email-otp/send-verification-otp', { email, type });
    for (const path of ['send-verification-otp', 'request-password-reset']) {
      await expectRefusal(
        await auth(person, `email-otp/${path}`, { email, type }),
        429,
        'RATE_LIMITED',
      );
    }
    await expectRefusal(await auth(person, 'sign-in/email', account), 403, 'EMAIL_NOT_VERIFIED');
    await expectMails(app.origin, email, 5);
  });

  test('wrong current passwords of a change are counted as well', async () => {
    const owner = await signUp(app);
    const change = () => {
      const passwords = { currentPassword: 'Wrong-horse-7', newPassword: 'New-horse-8' };
      return auth(owner, 'change-password', passwords);
    };
    for (let guess = 0; guess < 5; guess++) expect((await change()).status).toBe(400);
    await expectRefusal(await change(), 429, 'RATE_LIMITED');
  });

  test('refused sign-ups do not use up the codes', async () => {
    const account = { email: createEmail(), firstName: 'Ada' };
    for (let attempt = 0; attempt < 7; attempt++) {
      const answer = await auth(createPerson(app), 'sign-up/email', {
        ...account,
        password: 'weak',
      });
      expect(answer.status).toBe(400);
    }
    const answer = await auth(createPerson(app), 'sign-up/email', {
      ...account,
      password: PASSWORD,
    });
    expect(answer.status).toBe(200);
  });
});

describe('behind a trusted proxy', () => {
  const app = useApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });

  test('a session keeps the address that the proxy saw', async () => {
    const owner = await signUp(app);
    const credentials = { email: owner.email, password: PASSWORD };
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' };
    await postJson(owner, '/api/auth/sign-in/email', credentials, headers);
    const { session } = await readJson<{ session: { ipAddress: string } }>(
      await owner.fetch('/api/auth/get-session'),
    );
    expect(session.ipAddress).toBe('203.0.113.9');
  });
});
