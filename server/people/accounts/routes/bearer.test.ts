import { describe, expect, test } from 'vitest';
import {
  attributes,
  createEmail,
  expectRefusal,
} from '../../../../tests/factories/account-requests.ts';
import { PASSWORD, signUp } from '../../../../tests/factories/factories.ts';
import { showCode } from '../../../../tests/harness/authenticator-app.ts';
import { createPerson, postJson, readJson } from '../../../../tests/harness/person.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';

describe('a bearer token', () => {
  const app = useApp();

  async function signInForToken() {
    const owner = await signUp(app);
    const credentials = { email: owner.email, password: PASSWORD };
    const answer = await postJson(createPerson(app), '/api/auth/sign-in/email', credentials);
    const { token } = await readJson<{ token: string }>(answer);
    const headers = { authorization: `Bearer ${token}` };
    const post = (path: string, body: object) =>
      postJson(createPerson(app), `/api/auth/${path}`, body, headers);
    return { owner, headers, post };
  }

  test('neither changes the address nor deletes the account without what a cookie needs as well', async () => {
    const { owner, headers, post } = await signInForToken();
    const newEmail = createEmail();
    const change = (password: string) =>
      post('email-otp/request-email-change', { newEmail, password });
    await expectRefusal(await change('Wrong-horse-7'), 400, 'INVALID_PASSWORD');
    await expectRefusal(
      await post('delete-user', { confirmation: 'no', password: PASSWORD }),
      400,
      'NOT_CONFIRMED',
    );
    await expectRefusal(
      await post('delete-user', { confirmation: owner.email }),
      400,
      'INVALID_PASSWORD',
    );
    expect((await attributes(createPerson(app), headers)).status).toBe(200);
    expect((await change(PASSWORD)).status).toBe(200);
  });

  test('turns two-factor sign-in on, with a code that does not sign in afterwards', async () => {
    const { owner, post } = await signInForToken();
    const made = await post('two-factor/enable', { password: PASSWORD });
    const { totpURI } = await readJson<{ totpURI: string }>(made);
    const code = showCode(new URL(totpURI).searchParams.get('secret') ?? '');
    await readJson(await post('two-factor/verify-totp', { code }));
    const person = createPerson(app);
    const credentials = { email: owner.email, password: PASSWORD };
    await readJson(await postJson(person, '/api/auth/sign-in/email', credentials));
    const again = await postJson(person, '/api/auth/two-factor/verify-totp', { code });
    await expectRefusal(again, 401, 'INVALID_CODE');
  });

  test('that is wrong is not passed over for the cookie beside it', async () => {
    const { owner } = await signInForToken();
    for (const wrong of ['x', 'x y', 'x.y', '%', 'a.%E0%A4%A']) {
      const headers = { authorization: `Bearer ${wrong}` };
      const session = await owner.fetch('/api/auth/get-session', { headers });
      expect([wrong, await session.json()]).toEqual([wrong, null]);
    }
  });
});
