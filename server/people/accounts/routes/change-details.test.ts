import { expect, test } from 'vitest';
import {
  attributes,
  auth,
  countMails,
  createEmail,
  expectMails,
  expectRefusal,
  refusal,
} from '../../../../tests/factories/account-requests.ts';
import {
  PASSWORD,
  readCode,
  readMail,
  signIn,
  signUp,
} from '../../../../tests/factories/factories.ts';
import { describeOnSqliteFirst } from '../../../../tests/harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../../../../tests/harness/person.ts';
import { stopClock } from '../../../../tests/harness/stop-clock.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';

describeOnSqliteFirst('the owner of an account', (database) => {
  const app = useApp({ database });

  const askForChange = (person: Person, newEmail: string, password = PASSWORD) =>
    auth(person, 'email-otp/request-email-change', { newEmail, password });
  const confirmChange = (person: Person, newEmail: string, otp: string) =>
    auth(person, 'email-otp/change-email', { newEmail, otp });

  test('changes the email address by password and mailed code, and the old one is told', async () => {
    const owner = await signUp(app);
    const newEmail = createEmail();
    await readJson(await askForChange(owner, newEmail));
    const code = await readCode(app, newEmail);
    expect(await readJson(await attributes(owner))).toMatchObject({ email: owner.email });
    await readJson(await confirmChange(owner, newEmail, code));

    expect(await readJson(await attributes(owner))).toMatchObject({ email: newEmail });
    await signIn(createPerson(app), newEmail);
    const credentials = { email: owner.email, password: PASSWORD };
    await expectRefusal(
      await auth(createPerson(app), 'sign-in/email', credentials),
      401,
      'INVALID_EMAIL_OR_PASSWORD',
    );
    const { text } = await readMail(app, owner.email, /address was changed/);
    expect(text).toContain(newEmail);
    await expectRefusal(await confirmChange(owner, newEmail, code), 400, 'SAME_EMAIL');
  });

  test('cannot change the email address without password, code or session', async () => {
    const owner = await signUp(app);
    const newEmail = createEmail();
    await expectRefusal(await askForChange(owner, newEmail, 'Wrong-1'), 400, 'INVALID_PASSWORD');
    const path = 'email-otp/request-email-change';
    await expectRefusal(await auth(owner, path, { newEmail }), 400, 'INVALID_PASSWORD');
    await expectRefusal(await askForChange(owner, owner.email), 400, 'SAME_EMAIL');
    await expectRefusal(await askForChange(createPerson(app), newEmail), 401, 'UNAUTHORIZED');
    expect(await countMails(app.origin, newEmail)).toBe(0);

    await readJson(await askForChange(owner, newEmail));
    const code = await readCode(app, newEmail);
    const wrong = code === '000000' ? '000001' : '000000';
    await expectRefusal(await confirmChange(owner, newEmail, wrong), 400, 'INVALID_OTP');
    const stranger = await signUp(app);
    await expectRefusal(await confirmChange(stranger, newEmail, code), 400, 'INVALID_OTP');
    await expectRefusal(await confirmChange(owner, createEmail(), code), 400, 'INVALID_OTP');
    expect(await readJson(await attributes(owner))).toMatchObject({ email: owner.email });
  });

  test('cannot take the email address of another account, which gets no code', async () => {
    const owner = await signUp(app);
    const other = await signUp(app);
    const mails = await countMails(app.origin, other.email);
    await readJson(await askForChange(owner, other.email));
    await expectRefusal(await confirmChange(owner, other.email, '123456'), 400, 'INVALID_OTP');
    expect(await countMails(app.origin, other.email)).toBe(mails);
    await signIn(createPerson(app), other.email);
  });

  test('may have an email address that a stranger signed up with and never confirmed', async () => {
    const newEmail = createEmail();
    const squatter = { email: newEmail, password: 'Squatting-horse-9', firstName: 'Eve' };
    await readJson(await auth(createPerson(app), 'sign-up/email', squatter));
    await expectMails(app.origin, newEmail, 1);
    const owner = await signUp(app);
    await readJson(await askForChange(owner, newEmail));
    await expectMails(app.origin, newEmail, 2);
    await readJson(await confirmChange(owner, newEmail, await readCode(app, newEmail)));
    expect(await readJson(await attributes(owner))).toMatchObject({ email: newEmail });
  });

  test('cannot end the sign-up of a stranger by asking for its address or guessing its code', async () => {
    const email = createEmail();
    const stranger = createPerson(app);
    const account = { email, password: PASSWORD, firstName: 'Ada' };
    await readJson(await auth(stranger, 'sign-up/email', account));
    await expectMails(app.origin, email, 1);
    const otp = await readCode(app, email);

    const owner = await signUp(app);
    await expectRefusal(await confirmChange(owner, email, '000000'), 400, 'INVALID_OTP');
    await readJson(await askForChange(owner, email));
    await expectMails(app.origin, email, 2);
    await expectRefusal(await confirmChange(owner, email, 'abcdef'), 400, 'INVALID_OTP');
    await readJson(await auth(stranger, 'email-otp/verify-email', { email, otp }));
    await signIn(createPerson(app), email);
  });

  test('is stopped from guessing the password and from flooding a mailbox by address changes', async () => {
    stopClock();
    const owner = await signUp(app);
    const newEmail = createEmail();
    for (let mail = 0; mail < 5; mail++) await readJson(await askForChange(owner, newEmail));
    await expectRefusal(await askForChange(owner, newEmail), 429, 'RATE_LIMITED');
    for (let guess = 0; guess < 5; guess++) {
      expect((await askForChange(owner, createEmail(), 'Wrong-1')).status).toBe(400);
    }
    await expectRefusal(await askForChange(owner, createEmail()), 429, 'RATE_LIMITED');
  });

  test('changes the first name, which the user attributes follow', async () => {
    const owner = await signUp(app, { firstName: 'Ada' });
    const stolen = { firstName: ' Grace ', email: createEmail(), emailVerified: false, id: 'x' };
    await readJson(await auth(owner, 'update-user', stolen));
    const after = await readJson(await attributes(owner));
    expect(after).toMatchObject({ 'custom:first_name': 'Grace', email: owner.email });
    await signIn(createPerson(app), owner.email);
    for (const [firstName, message] of [
      ['  ', 'First Name is required.'],
      ['\u0301\u2800', 'First Name is required.'],
      ['x'.repeat(61), 'First Name can have at most 60 characters.'],
    ]) {
      const refused = await auth(owner, 'update-user', { firstName });
      expect([refused.status, (await refusal(refused)).message]).toEqual([400, message]);
    }
    expect((await auth(createPerson(app), 'update-user', { firstName: 'Eve' })).status).toBe(401);
  });

  test.each(['St.John', 'M.Night', 'Dr.No', 'D.va', 'Anne/Marie', '<3', '👩‍👩‍👧‍👦'.repeat(60)])(
    'is called %s at sign-up and later',
    async (firstName) => {
      const owner = await signUp(app, { firstName });
      expect(await readJson(await attributes(owner))).toMatchObject({
        'custom:first_name': firstName,
      });
      await readJson(await auth(owner, 'update-user', { firstName: 'Ada' }));
      await readJson(await auth(owner, 'update-user', { firstName }));
      expect(await readJson(await attributes(owner))).toMatchObject({
        'custom:first_name': firstName,
      });
    },
  );

  test.each([
    ['Anne/Marie', 'Hello, Anne/Marie'],
    ['Win at evil.example', 'Hello'],
    ['http://evil', 'Hello'],
  ])(
    'is greeted by mails, but not by a name that they would make a link of: %s',
    async (firstName, greeting) => {
      const owner = await signUp(app, { firstName });
      const newEmail = createEmail();
      await readJson(await askForChange(owner, newEmail));
      await readJson(await confirmChange(owner, newEmail, await readCode(app, newEmail)));
      const { text, html } = await readMail(app, owner.email, /address was changed/);
      expect(text.split('\n')[0]).toBe(greeting);
      expect(html.includes('evil')).toBe(false);
    },
  );

  test('changes the password with the current one, and other sessions end if wanted', async () => {
    const owner = await signUp(app, { firstName: 'Byronetta-1' });
    const other = createPerson(app);
    await signIn(other, owner.email);
    const change = (currentPassword: string, newPassword: string, revokeOtherSessions: boolean) =>
      auth(owner, 'change-password', { currentPassword, newPassword, revokeOtherSessions });

    await expectRefusal(await change(PASSWORD, 'Byronetta-1', true), 400, 'PASSWORD_TOO_PERSONAL');
    await expectRefusal(await change('Wrong-1', 'New-horse-8', true), 400, 'INVALID_PASSWORD');
    await readJson(await change(PASSWORD, 'New-horse-8', false));
    expect((await attributes(other)).status).toBe(200);
    await readJson(await change('New-horse-8', 'Newer-horse-9', true));
    expect((await attributes(owner)).status).toBe(200);
    expect((await attributes(other)).status).toBe(401);
    await signIn(createPerson(app), owner.email, 'Newer-horse-9');
  });

  test('is told by mail of a changed password, also of one that was reset', async () => {
    const owner = await signUp(app);
    const { email } = owner;
    const passwords = { currentPassword: PASSWORD, newPassword: 'New-horse-8' };
    await readJson(await auth(owner, 'change-password', passwords));
    await expectMails(app.origin, email, 2);
    const { text } = await readMail(app, email, /password was changed/);
    expect(text).not.toContain('New-horse-8');

    await auth(owner, 'change-password', { ...passwords, newPassword: 'Newer-horse-9' });
    await readJson(await auth(owner, 'email-otp/request-password-reset', { email }));
    await expectMails(app.origin, email, 3);
    const otp = await readCode(app, email);
    const password = 'Newest-horse-1';
    await readJson(await auth(owner, 'email-otp/reset-password', { email, otp, password }));
    await expectMails(app.origin, email, 4);
    expect((await readMail(app, email)).subject).toMatch(/password was changed/);
  });
});
