import { expect, test } from 'vitest';
import {
  attributes,
  auth,
  countMails,
  createEmail,
  expectMails,
  expectRefusal,
} from '../../../../tests/factories/account-requests.ts';
import {
  PASSWORD,
  readCode,
  readMail,
  signIn,
  signUp,
} from '../../../../tests/factories/factories.ts';
import { describeOnSqliteFirst } from '../../../../tests/harness/on-both-databases.ts';
import { createPerson, readJson } from '../../../../tests/harness/person.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';

describeOnSqliteFirst('an account', (database) => {
  const app = useApp({ database });

  test('is made by sign-up and the mailed code, and not signed in before', async () => {
    const person = createPerson(app);
    const email = createEmail();
    const account = { email: ` ${email.toUpperCase()} `, password: PASSWORD, firstName: ' Ada ' };
    const made = await readJson<{ token: null }>(await auth(person, 'sign-up/email', account));
    expect(made.token).toBeNull();
    expect([...person.cookies.keys()]).toEqual(['padlink.sign_up']);

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
    const owner = await signUp(app, { firstName: 'Byronetta' });
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
      'custom:first_name': 'Byronetta',
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

  test('gets a new password by a mailed code, which a refused password does not use up', {
    tags: 'long',
  }, async () => {
    const owner = await signUp(app, { firstName: 'Byronetta-1' });
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
    await expectRefusal(await reset(otp, 'Byronetta-1'), 400, 'PASSWORD_TOO_PERSONAL');
    await expectRefusal(await reset(wrong, 'Byronetta-1'), 400, 'INVALID_OTP');
    await expectRefusal(await reset(wrong, 'Another-horse-8'), 400, 'INVALID_OTP');
    await readJson(await reset(otp, 'Another-horse-8'));
    await expectRefusal(await reset(otp, 'Third-horse-9'), 400, 'INVALID_OTP');

    expect((await attributes(owner)).status).toBe(401);
    const old = await auth(createPerson(app), 'sign-in/email', { email, password: PASSWORD });
    await expectRefusal(old, 401, 'INVALID_EMAIL_OR_PASSWORD');
    await signIn(createPerson(app), email, 'Another-horse-8');
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
    expect([...owner.cookies.keys()]).toEqual(['padlink_device']);
    for (const [name, value] of cookies) owner.cookies.set(name, value);
    expect((await attributes(owner)).status).toBe(401);
  });

  test('is not opened by a forged cookie', async () => {
    const owner = await signUp(app);
    for (const [name, value] of owner.cookies) owner.cookies.set(name, value.replace(/\..*/, '.x'));
    expect((await attributes(owner)).status).toBe(401);
  });
});
