import { beforeEach, describe, expect, test } from 'vitest';
import { auth, expectRefusal } from '../../../../tests/factories/account-requests.ts';
import { PASSWORD, publishableKey, signUp } from '../../../../tests/factories/factories.ts';
import { showCode, wrongCode } from '../../../../tests/harness/authenticator-app.ts';
import { createPerson, type Person, postJson, readJson } from '../../../../tests/harness/person.ts';
import { stopClock } from '../../../../tests/harness/stop-clock.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';

const PENDING = 'padlink.two_factor';
/** The library trims the names of cookies. */
const PENDING_WITH_SPACE = `${PENDING} `;

describe('guesses that hide whose account they are about', () => {
  const app = useApp();
  beforeEach(stopClock);

  async function signUpWithSecondFactor() {
    const owner = await signUp(app);
    const made = await readJson<{ totpURI: string }>(
      await auth(owner, 'two-factor/enable', { password: PASSWORD }),
    );
    const key = new URL(made.totpURI).searchParams.get('secret') ?? '';
    await readJson(await auth(owner, 'two-factor/verify-totp', { code: showCode(key) }));
    return { email: owner.email, key };
  }

  async function givePassword(email: string): Promise<{ person: Person; cookie: string }> {
    const person = createPerson(app);
    await readJson(await auth(person, 'sign-in/email', { email, password: PASSWORD }));
    return { person, cookie: person.cookies.get(PENDING) ?? '' };
  }

  /** The statuses of three wrong codes in each of two sign-ins, the cookies laid by `disguise`. */
  async function guess(
    { email, key }: { email: string; key: string },
    disguise: (person: Person, cookie: string) => void,
    headers: Record<string, string> = {},
  ): Promise<number[]> {
    const statuses: number[] = [];
    for (const { person, cookie } of [await givePassword(email), await givePassword(email)]) {
      person.cookies.clear();
      disguise(person, cookie);
      const body = { code: wrongCode(key) };
      for (let count = 0; count < 3; count++) {
        const answer = await postJson(person, '/api/auth/two-factor/verify-totp', body, headers);
        statuses.push(answer.status);
      }
    }
    return statuses;
  }

  test('a cookie written with a space is counted like any other', async () => {
    const account = await signUpWithSecondFactor();
    const statuses = await guess(account, ({ cookies }, cookie) =>
      cookies.set(PENDING_WITH_SPACE, cookie),
    );
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('a second sign-in beside the one that is guessed at is not counted in its place', async () => {
    const [account, decoy] = [await signUpWithSecondFactor(), await signUpWithSecondFactor()];
    const other = await givePassword(decoy.email);
    const statuses = await guess(
      account,
      ({ cookies }, cookie) => {
        cookies.set(PENDING, other.cookie);
        cookies.set(PENDING_WITH_SPACE, cookie);
      },
      { authorization: 'Bearer wrong' },
    );
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test.each([
    ['change-password', { currentPassword: PASSWORD, newPassword: 'Another-horse-8' }],
    ['two-factor/enable', { password: PASSWORD }],
    ['two-factor/disable', { password: PASSWORD }],
    ['email-otp/request-email-change', { newEmail: 'new@example.com', password: PASSWORD }],
    ['update-user', { firstName: 'Grace' }],
    ['delete-user', { password: PASSWORD, confirmation: 'ada@example.com' }],
  ])('%s does nothing with the session beside a wrong key', async (path, body) => {
    const owner = await signUp(app);
    const answer = await postJson(owner, `/api/auth/${path}`, body, { 'x-api-key': 'x' });
    await expectRefusal(answer, 401, 'UNAUTHORIZED');
  });

  test('wrong passwords beside the publishable key are counted', async () => {
    const owner = await signUp(app);
    const passwords = { currentPassword: 'Wrong-horse-7', newPassword: 'Another-horse-8' };
    const key = await publishableKey(app);
    const change = () => postJson(owner, '/api/auth/change-password', passwords, key);
    for (let count = 0; count < 5; count++) expect((await change()).status).toBe(400);
    await expectRefusal(await change(), 429, 'RATE_LIMITED');
  });
});
