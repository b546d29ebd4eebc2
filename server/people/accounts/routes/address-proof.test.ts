import { expect, test } from 'vitest';
import {
  auth,
  createEmail,
  expectMails,
  expectRefusal,
} from '../../../../tests/factories/account-requests.ts';
import { PASSWORD, readCode, signIn } from '../../../../tests/factories/factories.ts';
import { describeOnSqliteFirst } from '../../../../tests/harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../../../../tests/harness/person.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';

describeOnSqliteFirst('a pending sign-up', (database) => {
  const app = useApp({ database });

  /** Signs up and waits for the mail, the `mails`th to the address. */
  async function signUpAs(
    person: Person,
    account: { email: string; password?: string },
    mails = 1,
  ) {
    const body = { password: PASSWORD, firstName: 'Ada', ...account };
    await readJson(await auth(person, 'sign-up/email', body));
    await expectMails(app.origin, account.email, mails);
    return readCode(app, account.email);
  }

  const verify = (person: Person, email: string, otp: string) =>
    auth(person, 'email-otp/verify-email', { email, otp });

  test('that somebody else made in between is not confirmed by the owner’s browser', async () => {
    const email = createEmail();
    const owner = createPerson(app);
    const attacker = createPerson(app);
    await signUpAs(owner, { email });
    const code = await signUpAs(attacker, { email, password: 'Attacking-horse-9' }, 2);
    await expectRefusal(await verify(owner, email, code), 409, 'SIGN_UP_REPLACED');
    const credentials = { email, password: 'Attacking-horse-9' };
    const stillPending = await auth(attacker, 'sign-in/email', credentials);
    await expectRefusal(stillPending, 403, 'EMAIL_NOT_VERIFIED');
    // It has mailed a code as well: the owner's next one is the newest only once that has come.
    await expectMails(app.origin, email, 3);

    const own = await signUpAs(owner, { email }, 4);
    await readJson(await verify(owner, email, own));
    await expectRefusal(
      await auth(attacker, 'sign-in/email', credentials),
      401,
      'INVALID_EMAIL_OR_PASSWORD',
    );
    await signIn(createPerson(app), email);
  });

  test('made twice in one browser is confirmed by the newest code', async () => {
    const email = createEmail();
    const person = createPerson(app);
    await signUpAs(person, { email, password: 'First-horse-7' });
    const code = await signUpAs(person, { email }, 2);
    await readJson(await verify(person, email, code));
    await signIn(createPerson(app), email);
  });

  test('of each of two addresses is confirmed in the browser that made both', async () => {
    const [first, second] = [createEmail(), createEmail()];
    const person = createPerson(app);
    const code = await signUpAs(person, { email: first });
    await readJson(await verify(person, second, await signUpAs(person, { email: second })));
    await readJson(await verify(person, first, code));
  });

  test('of a client without cookies is confirmed by the code alone', async () => {
    const email = createEmail();
    const code = await signUpAs(createPerson(app), { email });
    const { token } = await readJson<{ token: string }>(
      await verify(createPerson(app), email, code),
    );
    expect(token).toMatch(/.{20}/);
  });

  test('keeps its browser by a cookie that scripts cannot read, until it is confirmed', async () => {
    const email = createEmail();
    const person = createPerson(app);
    const answer = await auth(person, 'sign-up/email', {
      email,
      password: PASSWORD,
      firstName: 'Ada',
    });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^padlink\.sign_up=[\w-]{43};/);
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/']) {
      expect(cookie.split('; ')).toContain(attribute);
    }
    await readJson(await verify(person, email, await readCode(app, email)));
    expect([...person.cookies.keys()]).toEqual(['padlink.session_token', 'padlink_device']);
  });

  test.each([
    ['a weak password', { password: 'weak' }],
    ['a common password', { password: 'Password1!' }],
    ['a personal password', { password: 'Byronetta-1', firstName: 'Byronetta-1' }],
    ['an endless password', { password: `Aa1!${'x'.repeat(200)}` }],
    ['no first name', { firstName: undefined }],
    ['a blank first name', { firstName: ' ' }],
    ['a name of which nothing is seen', { firstName: '\u3164' }],
    ['no password', { password: undefined }],
  ])('outlasts another one that is refused for %s', { tags: 'long' }, async (_what, fault) => {
    const email = createEmail();
    const person = createPerson(app);
    const code = await signUpAs(person, { email });
    const account = { email, password: 'Another-horse-8', firstName: 'Eve', ...fault };
    const refused = await auth(createPerson(app), 'sign-up/email', account);
    expect(refused.status).toBe(400);
    expect(refused.headers.getSetCookie()).toEqual([]);
    await readJson(await verify(person, email, code));
    await signIn(createPerson(app), email);
  });
});
