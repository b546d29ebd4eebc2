import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  auth,
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
import { createSecretKey, programWith } from '../../../../tests/factories/secret-key.ts';
import { signUpWithTwoFactor } from '../../../../tests/factories/two-factor.ts';
import { showCode, wrongCode } from '../../../../tests/harness/authenticator-app.ts';
import { createPerson, type Person, postJson, readJson } from '../../../../tests/harness/person.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';

describe('an account that strangers meddle with', () => {
  const app = useApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });

  // No try is forgotten while a busy machine is at it.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Posts to an account route from a network address of one's own. */
  const from =
    (address: string, person: Person = createPerson(app)) =>
    (path: string, body: object = {}) => {
      // The newest mail and code are known by their time.
      vi.setSystemTime(Date.now() + 1);
      return postJson(person, `/api/auth/${path}`, body, { 'x-forwarded-for': address });
    };
  const OWNER = '198.51.100.1';
  const stranger = from('203.0.113.9');
  const owner = from(OWNER);
  const password = 'Another-horse-8';
  const otp = '000000';
  const rejectAs = (code: string) => (answer: Response) =>
    expectRefusal(answer, code === 'RATE_LIMITED' ? 429 : 401, code);
  const isLimited = rejectAs('RATE_LIMITED');

  /** From so many addresses five wrong tries each. */
  async function guess(
    addresses: number,
    attempt: (post: ReturnType<typeof from>) => Promise<Response>,
  ) {
    for (let address = 1; address <= addresses; address++) {
      const post = from(`203.0.113.${address}`);
      for (let count = 0; count < 5; count++) expect((await attempt(post)).status).toBe(401);
    }
  }
  const guessPassword = (email: string) => (post: ReturnType<typeof from>) =>
    post('sign-in/email', { email, password: 'Wrong-horse-7' });

  async function askForReset(post: ReturnType<typeof from>, email: string): Promise<string> {
    await readJson(await post('email-otp/request-password-reset', { email }));
    await expect.poll(async () => (await readMail(app, email)).text).toContain('choose');
    return readCode(app, email);
  }

  test('is not shut by five wrong passwords of a stranger', async () => {
    const { email } = await signUp(app);
    await guess(1, guessPassword(email));
    await isLimited(await from('203.0.113.1')('sign-in/email', { email, password: PASSWORD }));
    await readJson(await owner('sign-in/email', { email, password: PASSWORD }));
  });

  test('lets in known browsers, sessions and who has the mailbox, when strangers have had their thirty', async () => {
    const known = await signUp(app);
    const { email } = known;
    const other = await signUp(app);
    await guess(6, guessPassword(email));
    const right = { email, password: PASSWORD };
    await isLimited(await owner('sign-in/email', right));
    await isLimited(await from(OWNER, other)('sign-in/email', right));

    const passwords = { currentPassword: PASSWORD, newPassword: 'New-horse-8' };
    const device = known.cookies.get('padlink_device') ?? '';
    known.cookies.delete('padlink_device');
    await readJson(await from(OWNER, known)('change-password', passwords));
    known.cookies.set('padlink_device', device);
    known.cookies.delete('padlink.session_token');
    await readJson(await from(OWNER, known)('sign-in/email', { email, password: 'New-horse-8' }));

    const recovering = createPerson(app);
    const post = from('198.51.100.2', recovering);
    const code = await askForReset(post, email);
    await readJson(await post('email-otp/reset-password', { email, otp: code, password }));
    await readJson(await post('sign-in/email', { email, password }));
    await isLimited(await owner('sign-in/email', { email, password }));
  });

  test('is not guessed at faster from a known browser or a session, whatever its address', async () => {
    const known = await signUp(app);
    const { email } = known;
    const passwords = { currentPassword: 'Wrong-horse-7', newPassword: 'New-horse-8' };
    for (let count = 1; count <= 5; count++) {
      const post = from(`198.51.100.${count}`, known);
      expect((await post('change-password', passwords)).status).toBe(400);
      expect((await guessPassword(email)(post)).status).toBe(401);
    }
    const post = from('198.51.100.6', known);
    await isLimited(await post('change-password', { ...passwords, currentPassword: PASSWORD }));
    await isLimited(await post('sign-in/email', { email, password: PASSWORD }));
    // Another session has tries of its own, and so have strangers.
    const elsewhere = createPerson(app);
    await signIn(elsewhere, email);
    await readJson(
      await auth(elsewhere, 'change-password', { ...passwords, currentPassword: PASSWORD }),
    );
  });

  test('lets its known browser enter the second factor, when strangers who know the password have had theirs', async () => {
    const { owner: known, key } = await signUpWithTwoFactor(app);
    const right = { email: known.email, password: PASSWORD };
    async function enter(post: ReturnType<typeof from>, code: string) {
      return post('two-factor/verify-totp', { code });
    }
    for (let address = 1; address <= 3; address++) {
      const thief = from(`203.0.113.${address}`, createPerson(app));
      await readJson(await thief('sign-in/email', right));
      for (let count = 0; count < 5; count++) {
        expect((await enter(thief, wrongCode(key))).status).toBe(401);
      }
    }
    const code = showCode(key, 1);
    const unknown = from(OWNER, createPerson(app));
    await readJson(await unknown('sign-in/email', right));
    await isLimited(await enter(unknown, code));
    known.cookies.delete('padlink.session_token');
    const post = from(OWNER, known);
    await readJson(await post('sign-in/email', right));
    await readJson(await enter(post, code));
  });

  test('has one allowance for all its known browsers: whoever got in once cannot multiply it', async () => {
    const { owner: known, key, backupCodes } = await signUpWithTwoFactor(app);
    const right = { email: known.email, password: PASSWORD };
    const browsers: Person[] = [];
    for (let number = 0; number < 4; number++) {
      const browser = createPerson(app);
      await readJson(await auth(browser, 'sign-in/email', right));
      const code = backupCodes[number];
      await readJson(await auth(browser, 'two-factor/verify-backup-code', { code }));
      browser.cookies.delete('padlink.session_token');
      await readJson(await auth(browser, 'sign-in/email', right));
      browsers.push(browser);
    }
    for (const browser of browsers.slice(1)) {
      for (let count = 0; count < 5; count++) {
        const answer = await auth(browser, 'two-factor/verify-totp', { code: wrongCode(key) });
        expect(answer.status).toBe(401);
      }
    }
    const [last] = browsers as [Person];
    await isLimited(await auth(last, 'two-factor/verify-totp', { code: showCode(key, 1) }));
  });

  test('is recovered by a code although strangers used up their guesses at it and all codes of their own', async () => {
    const { email } = await signUp(app);
    for (let count = 0; count < 10; count++) {
      expect((await stranger('email-otp/verify-email', { email, otp })).status).toBe(400);
    }
    await isLimited(await stranger('email-otp/verify-email', { email, otp }));
    for (let count = 0; count < 5; count++) {
      await readJson(await stranger('email-otp/request-password-reset', { email }));
    }
    await isLimited(await stranger('email-otp/request-password-reset', { email }));
    await expectMails(app.origin, email, 6);
    await readJson(await owner('email-otp/request-password-reset', { email }));
    await expectMails(app.origin, email, 7);
    const right = await readCode(app, email);
    for (const address of ['203.0.113.9', '203.0.113.10', '203.0.113.11']) {
      for (let count = 0; count < 10; count++) {
        const answer = await from(address)('email-otp/reset-password', { email, otp, password });
        expect(answer.status).toBe(400);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    }
    await isLimited(await stranger('email-otp/reset-password', { email, otp, password }));
    await readJson(await owner('email-otp/reset-password', { email, otp: right, password }));
  });

  test('is mailed codes to choose a new password fifteen times in ten minutes, whichever way strangers ask, and in a known browser after that', async () => {
    const known = await signUp(app);
    const { email } = known;
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      const ask = from(address);
      for (let count = 0; count < 5; count++) {
        const body = { email, type: 'forget-password' };
        await readJson(await ask('email-otp/send-verification-otp', body));
      }
    }
    await isLimited(await owner('email-otp/request-password-reset', { email }));
    const type = 'email-verification';
    await readJson(await owner('email-otp/send-verification-otp', { email, type }));
    const post = from(OWNER, known);
    await readJson(await post('email-otp/request-password-reset', { email }));
    for (const address of ['203.0.113.4', '203.0.113.5', '203.0.113.6', '203.0.113.7']) {
      for (let count = 0; count < 10; count++) {
        const answer = await from(address)('email-otp/reset-password', { email, otp, password });
        expect(answer.status).toBe(400);
      }
    }
    const right = { email, otp: await readCode(app, email), password };
    await isLimited(await owner('email-otp/reset-password', right));
    await readJson(await post('email-otp/reset-password', right));
  });

  test('is no tool to guess the code to another address by signing in again and again', async () => {
    const account = await signUp(app);
    const newEmail = createEmail();
    await readJson(
      await auth(account, 'email-otp/request-email-change', { newEmail, password: PASSWORD }),
    );
    for (let count = 0; count < 10; count++) {
      expect((await auth(account, 'email-otp/change-email', { newEmail, otp })).status).toBe(400);
    }
    await signIn(account, account.email);
    await isLimited(await auth(account, 'email-otp/change-email', { newEmail, otp }));
  });

  test('keeps none of the keys made before it was recovered, and its owner is told what stays', async () => {
    const thief = await signUp(app);
    const { email } = thief;
    const key = await createSecretKey(thief);
    const program = programWith(app, key.secret);
    const list = () => program.fetch('/storage/list');
    expect((await list()).status).toBe(200);
    const code = await askForReset(owner, email);
    await readJson(await owner('email-otp/reset-password', { email, otp: code, password }));
    expect((await list()).status).toBe(401);
    expect((await thief.fetch('/api/user-attributes')).status).toBe(401);
    const { text } = await readMail(app, email, /password was changed/);
    expect(text).toContain('All devices were signed out and all secret keys revoked.');
    expect(text).not.toContain('account page');
  });
});
