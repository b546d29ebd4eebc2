import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createEmail } from '../../../tests/account-requests.ts';
import { PASSWORD } from '../../../tests/factories.ts';
import { createPerson, postJson } from '../../../tests/person.ts';
import { useApp } from '../../../tests/use-app.ts';
import { withDatabase } from '../../../tests/with-database.ts';
import { LIMITS } from '../rate-limits.ts';
import { ACCOUNT_ROUTES } from './account-routes.ts';

describe('a stranger at the account routes', () => {
  const google = { GOOGLE_CLIENT_ID: 'shop', GOOGLE_CLIENT_SECRET: 'secret' };
  const app = useApp({ env: { TRUSTED_PROXIES: '127.0.0.1', ...google } });

  /** How many rows each table holds. */
  const countRows = () =>
    withDatabase(app, async (db) => {
      const counts: Record<string, number> = {};
      for (const { name } of await db.introspection.getTables()) {
        if (name.startsWith('link_text') || name === 'mailbox_message') continue;
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from ${sql.table(name)}`.execute(db);
        counts[name] = rows[0]?.n ?? 0;
      }
      return counts;
    });

  /** A try that goes as far as one gets who knows nothing. */
  function tryRoute(path: string, address: string) {
    const { method } = ACCOUNT_ROUTES[path] ?? { method: 'GET' };
    const headers = { 'x-forwarded-for': address };
    const stranger = createPerson(app);
    if (method === 'GET') return stranger.fetch(`/api/auth/${path}`, { headers });
    const body = {
      ...{ email: createEmail(), password: PASSWORD, firstName: 'Ada', otp: '123456' },
      ...{ newEmail: createEmail(), newPassword: PASSWORD, currentPassword: PASSWORD },
      ...{ type: 'email-verification', provider: 'google', code: '123456', confirmation: 'x' },
      ...{ id: 'x', name: 'x', response: { id: randomBytes(16).toString('base64url') } },
    };
    return postJson(stranger, `/api/auth/${path}`, body, headers);
  }

  test('leaves rows by signing up and by asking for a passkey, and by no other route', async () => {
    const writers: Record<string, string[]> = {};
    let before = await countRows();
    for (const [index, path] of [...Object.keys(ACCOUNT_ROUTES), 'callback/google'].entries()) {
      for (let times = 0; times < 2; times += 1) await tryRoute(path, `198.51.100.${index}`);
      const after = await countRows();
      const grown = Object.keys(after).filter((name) => (after[name] ?? 0) > (before[name] ?? 0));
      if (grown.length > 0) writers[path] = grown.sort();
      before = after;
    }
    expect(writers).toEqual({
      // Bounded by the mails of a day, and swept after a week.
      'sign-up/email': ['account', 'user', 'verification'],
      'passkey/generate-authenticate-options': ['verification'],
    });
  });

  test('asks for so many passkeys and no more, also by way of another browser', async () => {
    const most = LIMITS.passkeysAsked[0]?.[0] ?? 0;
    const path = 'passkey/generate-authenticate-options';
    const before = await countRows();
    const answers = await Promise.all(
      Array.from({ length: most + 3 }, () => tryRoute(path, '203.0.113.7')),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    expect((await countRows()).verification).toBe((before.verification ?? 0) + most);
    expect((await tryRoute(path, '203.0.113.8')).status).toBe(200);
  });
});
