import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { auth, expectRefusal } from '../../../../tests/factories/account-requests.ts';
import { PASSWORD, readCode, readMail, signUp } from '../../../../tests/factories/factories.ts';
import {
  enterCode,
  setUpTwoFactor,
  signUpWithTwoFactor,
} from '../../../../tests/factories/two-factor.ts';
import { decodeBase32, showCode, wrongCode } from '../../../../tests/harness/authenticator-app.ts';
import { describeOnSqliteFirst } from '../../../../tests/harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../../../../tests/harness/person.ts';
import { stopClock } from '../../../../tests/harness/stop-clock.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';
import { withDatabase } from '../../../../tests/harness/with-database.ts';

const enterBackupCode = (person: Person, code: string) =>
  auth(person, 'two-factor/verify-backup-code', { code });
const statusOf = async (person: Person, headers = {}) =>
  (await person.fetch('/api/user-attributes', { headers })).status;

/** A browser that has given the password. */
async function givePassword({ origin, email }: Person & { email: string }, password = PASSWORD) {
  const person = createPerson({ origin });
  const answer = await auth(person, 'sign-in/email', { email, password });
  return { person, answer };
}

describeOnSqliteFirst('two-factor sign-in', (database) => {
  const app = useApp({ database });

  test('is not asked for while it is off or not confirmed by a code', async () => {
    const owner = await signUp(app);
    expect(await statusOf((await givePassword(owner)).person)).toBe(200);
    const { key } = await setUpTwoFactor(owner);
    await expectRefusal(await enterCode(owner, wrongCode(key)), 401, 'INVALID_CODE');
    expect(await statusOf((await givePassword(owner)).person)).toBe(200);
  });

  test('is set up with the current password only', async () => {
    const owner = await signUp(app);
    const wrong = await auth(owner, 'two-factor/enable', { password: 'Wrong-horse-7' });
    await expectRefusal(wrong, 400, 'INVALID_PASSWORD');
    const guest = await auth(createPerson(app), 'two-factor/enable', { password: PASSWORD });
    await expectRefusal(guest, 401, 'UNAUTHORIZED');
    const { totpURI, qrCode, backupCodes } = await setUpTwoFactor(owner);
    expect(totpURI).toMatch(/^otpauth:\/\/totp\/Padlink:/);
    expect(qrCode).toMatch(/^<svg /);
    expect(new Set(backupCodes).size).toBe(10);
  });

  test('gives no session before the second step', async () => {
    const { owner, key } = await signUpWithTwoFactor(app);
    const { person, answer } = await givePassword(owner);
    expect(answer.headers.get('set-auth-token')).toBeNull();
    expect(await readJson(answer)).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
    expect([...person.cookies.keys()]).toEqual(['padlink.two_factor']);
    expect(await statusOf(person)).toBe(401);
    await expectRefusal(await enterCode(person, wrongCode(key)), 401, 'INVALID_CODE');
    expect(await statusOf(person)).toBe(401);
    const { token } = await readJson<{ token: string }>(await enterCode(person, showCode(key, 1)));
    expect(await statusOf(person)).toBe(200);
    expect(await statusOf(createPerson(app), { authorization: `Bearer ${token}` })).toBe(200);
  });

  test('takes a code once', async () => {
    const { owner, key, spent } = await signUpWithTwoFactor(app);
    const [first, second] = [await givePassword(owner), await givePassword(owner)];
    await expectRefusal(await enterCode(first.person, spent), 401, 'INVALID_CODE');
    const code = showCode(key, 1);
    await readJson(await enterCode(first.person, code));
    await expectRefusal(await enterCode(second.person, code), 401, 'INVALID_CODE');
    expect(await statusOf(second.person)).toBe(401);
  });

  test('takes each backup code once, however it is typed', async () => {
    const { owner, backupCodes } = await signUpWithTwoFactor(app);
    const code = backupCodes[3] ?? '';
    const first = await givePassword(owner);
    await readJson(await enterBackupCode(first.person, ` ${code.toUpperCase().replace('-', ' ')}`));
    expect(await statusOf(first.person)).toBe(200);
    const second = await givePassword(owner);
    await expectRefusal(await enterBackupCode(second.person, code), 401, 'INVALID_BACKUP_CODE');
    await readJson(await enterBackupCode(second.person, backupCodes[4] ?? ''));
    expect(await statusOf(second.person)).toBe(200);
  });

  test('is turned off with the current password only, and a mail tells', async () => {
    const { owner } = await signUpWithTwoFactor(app);
    const wrong = await auth(owner, 'two-factor/disable', { password: 'Wrong-horse-7' });
    await expectRefusal(wrong, 400, 'INVALID_PASSWORD');
    expect(await statusOf((await givePassword(owner)).person)).toBe(401);
    await readJson(await auth(owner, 'two-factor/disable', { password: PASSWORD }));
    expect(await statusOf((await givePassword(owner)).person)).toBe(200);
    const { text } = await readMail(app, owner.email, /Two-factor sign-in was turned off/);
    expect(text).toContain('If this was not you');
  });

  test('is asked for after a password reset, which a mailed code does not replace', async () => {
    const { owner, backupCodes } = await signUpWithTwoFactor(app);
    const { email } = owner;
    const first = await readCode(app, email);
    await readJson(await auth(createPerson(app), 'email-otp/request-password-reset', { email }));
    await expect.poll(() => readCode(app, email)).not.toBe(first);
    const otp = await readCode(app, email);
    const thief = createPerson(app);
    const password = 'Another-horse-8';
    const verified = await auth(thief, 'email-otp/verify-email', { email, otp });
    await expectRefusal(verified, 400, 'INVALID_OTP');
    await readJson(await auth(thief, 'email-otp/reset-password', { email, otp, password }));
    expect(await statusOf(thief)).toBe(401);
    const { person } = await givePassword(owner, password);
    expect(await statusOf(person)).toBe(401);
    await readJson(await enterBackupCode(person, backupCodes[0] ?? ''));
    expect(await statusOf(person)).toBe(200);
  });

  test('shows neither key nor backup codes after it was set up', async () => {
    const { owner, key, backupCodes } = await signUpWithTwoFactor(app);
    await expectRefusal(
      await auth(owner, 'two-factor/enable', { password: PASSWORD }),
      400,
      'TOTP_ALREADY_ENABLED',
    );
    const unreachable = ['get-totp-uri', 'generate-backup-codes', 'view-backup-codes', 'send-otp'];
    for (const path of unreachable) {
      const answer = await auth(owner, `two-factor/${path}`, { password: PASSWORD });
      await expectRefusal(answer, 404, 'NOT_FOUND');
    }
    const { person } = await givePassword(owner);
    const answers = [
      await enterCode(person, showCode(key, 1)),
      await owner.fetch('/api/auth/get-session'),
      await owner.fetch('/account'),
    ];
    for (const answer of answers) {
      const text = await answer.text();
      for (const secret of [key, ...backupCodes]) expect(text).not.toContain(secret);
    }
  });

  test('keeps neither key nor backup codes readable in the database', async () => {
    const { key, backupCodes } = await signUpWithTwoFactor(app);
    const { rows } = await withDatabase(app, (db) =>
      sql<{ secret: string }>`select * from "twoFactor"`.execute(db),
    );
    const stored = JSON.stringify(rows);
    const secret = Buffer.from(decodeBase32(key));
    for (const text of [key, secret.toString(), secret.toString('hex'), ...backupCodes]) {
      expect(stored).not.toContain(text);
    }
    expect(rows.length).toBeGreaterThan(0);
  });

  test('is not told by the refusal of a wrong password', async () => {
    const [guarded, plain] = [(await signUpWithTwoFactor(app)).owner, await signUp(app)];
    const answers = await Promise.all(
      [guarded, plain].map(async (account) => {
        const { answer, person } = await givePassword(account, 'Wrong-horse-7');
        const { requestId: _, ...refusal } = (await answer.json()) as Record<string, unknown>;
        return [answer.status, person.cookies.size, refusal];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test('refuses a second step that nobody began', async () => {
    const person = createPerson(app);
    await expectRefusal(await enterCode(person, '123456'), 401, 'INVALID_TWO_FACTOR_COOKIE');
    person.cookies.set('padlink.two_factor', '2fa-forged.c2lnbmF0dXJl');
    await expectRefusal(await enterCode(person, '123456'), 401, 'INVALID_TWO_FACTOR_COOKIE');
  });
});

describe('guessing a second factor', () => {
  const app = useApp();
  beforeEach(stopClock);

  test('allows five wrong codes a minute, of either kind and in any browser', async () => {
    const { owner, key, backupCodes } = await signUpWithTwoFactor(app);
    const wrong = wrongCode(key);
    for (const browser of [1, 2]) {
      const { person } = await givePassword(owner);
      await expectRefusal(await enterCode(person, wrong), 401, 'INVALID_CODE');
      await expectRefusal(await enterBackupCode(person, 'abcde-12345'), 401, 'INVALID_BACKUP_CODE');
      if (browser === 2) {
        await expectRefusal(await enterCode(person, wrong), 401, 'INVALID_CODE');
      }
    }
    const { person } = await givePassword(owner);
    for (const refused of [
      await enterCode(person, showCode(key, 1)),
      await enterBackupCode(person, backupCodes[0] ?? ''),
    ]) {
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      await expectRefusal(refused, 429, 'RATE_LIMITED');
    }
    const other = await signUpWithTwoFactor(app);
    const { person: unconcerned } = await givePassword(other.owner);
    expect((await enterCode(unconcerned, showCode(other.key, 1))).status).toBe(200);
  });

  test('counts parallel guesses one by one', async () => {
    const { owner, key } = await signUpWithTwoFactor(app);
    const { person } = await givePassword(owner);
    const guesses = Array.from({ length: 12 }, () => enterCode(person, wrongCode(key)));
    const answers = await Promise.all(guesses);
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(401),
      ...Array(7).fill(429),
    ]);
  });
});
