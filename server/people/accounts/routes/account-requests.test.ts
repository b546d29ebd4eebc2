import { describe, expect, test } from 'vitest';
import {
  attributes,
  auth,
  countMails,
  expectRefusal,
  refusal,
} from '../../../../tests/factories/account-requests.ts';
import { PASSWORD, signUp } from '../../../../tests/factories/factories.ts';
import { createPerson, postJson, readJson } from '../../../../tests/harness/person.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';

describe('account requests', () => {
  const app = useApp();

  test.each([
    ['sign-in/email-otp', 'POST'],
    ['email-otp/check-verification-otp', 'POST'],
    ['change-email', 'POST'],
    ['set-password', 'POST'],
    ['update-session', 'POST'],
    ['list-accounts', 'GET'],
    ['account-details', 'GET'],
    ['delete-user/callback', 'GET'],
    ['request-password-reset', 'POST'],
    ['verify-email', 'GET'],
    ['error', 'GET'],
    ['../auth/update-session', 'POST'],
    ['sign-in%2Fsocial', 'POST'],
  ])('%s is not reachable by %s', async (path, method) => {
    const answer = await createPerson(app).fetch(`/api/auth/${path}`, { method });
    await expectRefusal(answer, 404, 'NOT_FOUND');
  });

  test.each([
    ['sign-in/email', 'GET', 'POST'],
    ['passkey/generate-authenticate-options', 'GET', 'POST'],
    ['passkey/generate-register-options', 'GET', 'POST'],
    ['callback/google', 'POST', 'GET, HEAD'],
  ])('%s is not reachable by %s, but by %s', async (path, method, allow) => {
    const answer = await createPerson(app).fetch(`/api/auth/${path}`, { method });
    expect(answer.headers.get('allow')).toBe(allow);
    await expectRefusal(answer, 405, 'INVALID_INPUT');
  });

  test.each([
    ['no email', { password: PASSWORD, firstName: 'Ada' }, 'Enter an email address.'],
    ['no address', { email: 'ada', password: PASSWORD }, 'Enter a valid email address.'],
    ['two addresses', { email: 'a@b.co, c@d.co' }, 'Enter a valid email address.'],
    ['a list', { email: ['ada@example.com'] }, 'Enter an email address.'],
    ['no password', { email: 'ada@example.com', firstName: 'Ada' }, 'Enter a password.'],
    ['no name', { email: 'ada@example.com', password: PASSWORD }, 'First Name is required.'],
    [
      'a blank name',
      { email: 'ada@example.com', password: PASSWORD, firstName: ' ' },
      'First Name is required.',
    ],
    [
      'a name of which nothing is seen',
      { email: 'ada@example.com', password: PASSWORD, firstName: '\u3164\u0301\ufdd0' },
      'First Name is required.',
    ],
    [
      'six signs in eight units',
      { email: 'ada@example.com', password: 'Ab1!😀😀', firstName: 'Ada' },
      'The password needs at least 8 characters.',
    ],
    [
      'six signs in eight code points',
      { email: 'ada@example.com', password: 'Ab1!👍🏽👍🏽', firstName: 'Ada' },
      'The password needs at least 8 characters.',
    ],
    [
      'a weak password',
      { email: 'ada@example.com', password: 'correcthorse', firstName: 'Ada' },
      'The password needs an uppercase letter, a number, and a symbol.',
    ],
    [
      'an endless password',
      { email: 'ada@example.com', password: `Aa1!${'x'.repeat(200)}`, firstName: 'Ada' },
      'The password can have at most 128 characters.',
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
