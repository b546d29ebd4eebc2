import { describe, expect, test } from 'vitest';
import { expectMails, expectRefusal } from '../../../tests/account-requests.ts';
import { readCode, signUp } from '../../../tests/factories.ts';
import { createPerson, postJson, readJson } from '../../../tests/person.ts';
import { useApp } from '../../../tests/use-app.ts';

describe('recovering an account that a stranger meddles with', () => {
  const app = useApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const from = (address: string) => (path: string, body: object) =>
    postJson(createPerson(app), `/api/auth/email-otp/${path}`, body, {
      'x-forwarded-for': address,
    });
  const stranger = from('203.0.113.9');
  const owner = from('198.51.100.1');
  const password = 'Another-horse-8';
  const otp = '000000';

  test('works although the stranger used up all guesses and codes of their own', async () => {
    const { email } = await signUp(app);
    for (let count = 0; count < 10; count++) {
      expect((await stranger('verify-email', { email, otp })).status).toBe(400);
      expect((await stranger('reset-password', { email, otp, password })).status).toBe(400);
    }
    await expectRefusal(await stranger('verify-email', { email, otp }), 429, 'RATE_LIMITED');
    for (let count = 0; count < 5; count++) {
      await readJson(await stranger('request-password-reset', { email }));
    }
    await expectRefusal(await stranger('request-password-reset', { email }), 429, 'RATE_LIMITED');
    await expectMails(app.origin, email, 6);
    await readJson(await owner('request-password-reset', { email }));
    await expectMails(app.origin, email, 7);
    const right = await readCode(app, email);
    await readJson(await owner('reset-password', { email, otp: right, password }));
  });

  test('codes to choose a new password count as such, whichever way strangers ask for them', async () => {
    const { email } = await signUp(app);
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      const ask = from(address);
      for (let count = 0; count < 5; count++) {
        await readJson(await ask('send-verification-otp', { email, type: 'forget-password' }));
      }
    }
    await expectRefusal(await owner('request-password-reset', { email }), 429, 'RATE_LIMITED');
    await readJson(await owner('send-verification-otp', { email, type: 'email-verification' }));
  });
});
