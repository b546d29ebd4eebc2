import { describe, expect, test } from 'vitest';
import { auth, createEmail } from '../../../../tests/factories/account-requests.ts';
import { PASSWORD, signUp } from '../../../../tests/factories/factories.ts';
import { later } from '../../../../tests/harness/later.ts';
import { createPerson, type Person, readJson } from '../../../../tests/harness/person.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';

const account = { password: PASSWORD, firstName: 'Ada' };

describe('who asks for an address', () => {
  const app = useApp();

  const addresses = {
    known: async () => (await signUp(app)).email,
    unknown: async () => createEmail(),
    async unconfirmed() {
      const email = createEmail();
      await readJson(await auth(createPerson(app), 'sign-up/email', { ...account, email }));
      return email;
    },
  };

  /** All that a stranger gets to see, without what differs from one answer to the next. */
  async function observe(person: Person, path: string, body: object, email: string) {
    const answer = await auth(person, path, body);
    const mask = (text: string) =>
      text
        .replaceAll(email, 'EMAIL')
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
        .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}\b/g, 'REQUEST')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replace(/^(padlink\.\w+=)[\w-]+/, '$1NONCE');
    const headers = [...answer.headers].filter(([name]) => name !== 'date');
    return {
      status: answer.status,
      headers: headers.map(([name, value]) => `${name}: ${mask(value)}`),
      body: mask(await answer.text()),
    };
  }

  test.each<[what: string, path: string, body: (email: string) => object, status: number]>([
    ['sign-up', 'sign-up/email', (email) => ({ ...account, email }), 200],
    [
      'sign-up with a weak password',
      'sign-up/email',
      (email) => ({ ...account, email, password: 'weak' }),
      400,
    ],
    [
      'sign-up with a name of which nothing is seen',
      'sign-up/email',
      (email) => ({ ...account, email, firstName: '\u3164' }),
      400,
    ],
    [
      'sign-in with a wrong password',
      'sign-in/email',
      (email) => ({ email, password: 'Wrong-horse-7' }),
      401,
    ],
    ['a password reset', 'email-otp/request-password-reset', (email) => ({ email }), 200],
    [
      'another confirmation code',
      'email-otp/send-verification-otp',
      (email) => ({ email, type: 'email-verification' }),
      200,
    ],
    [
      'another reset code',
      'email-otp/send-verification-otp',
      (email) => ({ email, type: 'forget-password' }),
      200,
    ],
    [
      'a wrong confirmation code',
      'email-otp/verify-email',
      (email) => ({ email, otp: 'abcdef' }),
      400,
    ],
    [
      'a wrong reset code',
      'email-otp/reset-password',
      (email) => ({ email, otp: 'abcdef', password: 'Another-horse-8' }),
      400,
    ],
  ])('is not told by %s whether it has an account', async (_what, path, body, status) => {
    const seen = [];
    for (const create of Object.values(addresses)) {
      const email = await create();
      seen.push(await observe(createPerson(app), path, body(email), email));
    }
    expect(seen[0]?.status).toBe(status);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });

  test('is not told by tries that are too many, or too late, whether it has an account', async () => {
    const seen = [];
    for (const create of Object.values(addresses)) {
      const email = await create();
      const person = createPerson(app);
      const reset = { email, otp: 'abcdef', password: 'Another-horse-8' };
      await auth(person, 'email-otp/request-password-reset', { email });
      const tries = [];
      for (let count = 0; count < 6; count++) {
        tries.push(await observe(person, 'email-otp/reset-password', reset, email));
      }
      await later(11 * 60 * 1_000, async () => {
        tries.push(await observe(person, 'email-otp/reset-password', reset, email));
        for (let count = 0; count < 6; count++) {
          const body = { email, password: 'Wrong-horse-7' };
          tries.push(await observe(person, 'sign-in/email', body, email));
        }
      });
      seen.push(tries.map(({ status, headers, body }) => ({ status, body, of: headers.length })));
    }
    const statuses = seen[0]?.map(({ status }) => status);
    expect(statuses).toEqual([...Array(7).fill(400), ...Array(5).fill(401), 429]);
    const withoutWait = (text: string) => text.replace(/\d+ seconds/g, 'WAIT');
    const [known, ...others] = seen.map((tries) => withoutWait(JSON.stringify(tries)));
    for (const other of others) expect(other).toBe(known);
  });

  test('is not told by a change of email whether it has an account', async () => {
    const person = await signUp(app);
    const seen = [];
    for (const create of Object.values(addresses)) {
      const newEmail = await create();
      const body = { newEmail, password: PASSWORD };
      const path = 'email-otp/request-email-change';
      const wrong = { newEmail, otp: 'abcdef' };
      const enter = () => observe(person, 'email-otp/change-email', wrong, newEmail);
      seen.push([
        await observe(person, path, body, newEmail),
        await enter(),
        await later(11 * 60 * 1_000, enter),
      ]);
    }
    expect(seen[0]?.map(({ status }) => status)).toEqual([200, 400, 400]);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });
});
