import { describe, expect, test } from 'vitest';
import {
  auth,
  createEmail,
  expectMails,
  expectRefusal,
} from '../../../../tests/factories/account-requests.ts';
import { PASSWORD, readCode, signUp } from '../../../../tests/factories/factories.ts';
import { later } from '../../../../tests/harness/later.ts';
import { createPerson, readJson } from '../../../../tests/harness/person.ts';
import { stopClock } from '../../../../tests/harness/stop-clock.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';

/** Milliseconds. */
const TEN_MINUTES = 10 * 60 * 1_000;

describe('codes and passwords', () => {
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

  test('a code that is sent anew replaces the one before', async () => {
    const { email, code, verify, person } = await signUpOnly();
    const type = 'email-verification';
    await readJson(await auth(person, 'email-otp/send-verification-otp', { email, type }));
    await expectMails(app.origin, email, 2);
    const newest = await readCode(app, email);
    // One time in a million both are the same.
    if (newest !== code) await expectRefusal(await verify(code), 400, 'INVALID_OTP');
    await readJson(await verify(newest));
  });

  test('a code is worth nothing once it was used', async () => {
    const { code, verify } = await signUpOnly();
    await readJson(await verify(code));
    await expectRefusal(await verify(code), 400, 'INVALID_OTP');
  });

  test('a code is over after ten minutes, and a new one works', async () => {
    const { email, code, verify, person } = await signUpOnly();
    await later(TEN_MINUTES + 1, async () => expectRefusal(await verify(code), 400, 'INVALID_OTP'));
    const type = 'email-verification';
    await readJson(await auth(person, 'email-otp/send-verification-otp', { email, type }));
    await expectMails(app.origin, email, 2);
    await readJson(await verify(await readCode(app, email)));
  });

  test('a code to reset a password is over after ten minutes', async () => {
    const { email, person } = await signUpOnly();
    await readJson(await auth(person, 'email-otp/request-password-reset', { email }));
    await expectMails(app.origin, email, 2);
    const reset = { email, otp: await readCode(app, email), password: 'Another-horse-8' };
    await later(TEN_MINUTES + 1, async () => {
      const late = await auth(person, 'email-otp/reset-password', reset);
      await expectRefusal(late, 400, 'INVALID_OTP');
    });
  });

  test('ten wrong guesses are all for now, whichever code they are about', async () => {
    const { email, wrong, verify, person } = await signUpOnly();
    for (let guess = 0; guess < 6; guess++) {
      await expectRefusal(await verify(wrong), 400, 'INVALID_OTP');
    }
    const type = 'email-verification';
    await readJson(await auth(person, 'email-otp/send-verification-otp', { email, type }));
    for (let guess = 0; guess < 4; guess++) expect((await verify(wrong)).status).toBe(400);
    await expectMails(app.origin, email, 2);
    const refused = await verify(await readCode(app, email));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectRefusal(refused, 429, 'RATE_LIMITED');
  });

  test('parallel guesses are counted one by one', async () => {
    const { wrong, verify } = await signUpOnly();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(wrong)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
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
    stopClock();
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
