import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auth } from '../factories/account-requests.ts';
import { PASSWORD, sellFile, storageUrl, waitUntilUnlocked } from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { createSecretKey } from '../factories/secret-key.ts';
import { enterCode, setUpTwoFactor } from '../factories/two-factor.ts';
import { showCode } from '../harness/authenticator-app.ts';
import { eventually } from '../harness/eventually.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { withDatabase } from '../harness/with-database.ts';

/** Every value of every column of every table, as text. */
function dump(app: App): Promise<string> {
  return withDatabase(app, async (db) => {
    const tables = await db.introspection.getTables();
    const texts: string[] = [];
    for (const { name } of tables) {
      // The full-text index keeps no text of its own.
      if (name.startsWith('link_text')) continue;
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
      texts.push(`${name}: ${JSON.stringify(rows)}`);
    }
    return texts.join('\n');
  });
}

/** What a cookie holds; of a signed one also the part before its signature. */
const secretsOf = ({ cookies }: Person) =>
  [...cookies.values()].map(decodeURIComponent).flatMap((value) => [value, value.split('.')[0]]);

const holds = (text: string, secret: string) =>
  new RegExp(`(?<![\\w-])${RegExp.escape(secret)}(?![\\w-])`).test(text);

describeOnSqliteFirst('a copy of the database', (database) => {
  let app: App;
  let mail: MailServer;

  beforeAll(async () => {
    mail = await startMailServer();
    app = await startApp({
      database,
      env: { SMTP_URL: mail.url, MAIL_FROM: 'pay@example.com', PAYMENTS: 'sandbox' },
    });
  });
  afterAll(async () => {
    await app?.stop();
    await mail?.stop();
  });

  test('holds nothing by which somebody could come in as another person', async () => {
    const held: [what: string, secret: string | undefined][] = [];
    const keep = (what: string, ...secrets: (string | undefined)[]) => {
      for (const secret of secrets) held.push([what, secret]);
    };
    const expectNoneStored = async () => {
      const stored = await dump(app);
      for (const [what, secret = ''] of held) {
        expect(secret.length, what).toBeGreaterThan(5);
        expect(holds(stored, secret), what).toBe(false);
      }
    };
    const [email, newEmail] = ['ada@example.com', 'countess@example.com'];
    const owner = createPerson(app);
    await readJson(
      await auth(owner, 'sign-up/email', { email, password: PASSWORD, firstName: 'Ada' }),
    );
    const otp = await mail.readCode(email);
    keep('the code of a sign-up', otp);
    keep('the cookie of a sign-up', ...secretsOf(owner));
    await expectNoneStored();

    const confirmed = await auth(owner, 'email-otp/verify-email', { email, otp });
    keep('a session', confirmed.headers.get('set-auth-token') ?? undefined, ...secretsOf(owner));
    keep('a bearer token', (await readJson<{ token: string }>(confirmed)).token);
    keep('a secret key', (await createSecretKey(owner)).secret);
    await readJson(
      await auth(owner, 'email-otp/request-email-change', { newEmail, password: PASSWORD }),
    );
    keep('the code of a new address', await mail.readCode(newEmail));
    const asked = mail.mailsTo(email).length;
    await readJson(await auth(owner, 'email-otp/request-password-reset', { email }));
    await eventually(() => expect(mail.mailsTo(email).length).toBeGreaterThan(asked));
    keep('the code of a new password', await mail.readCode(email));

    const guest = createPerson(app);
    await readJson(await auth(guest, 'passkey/generate-authenticate-options'));
    keep('the cookie of a passkey', ...secretsOf(guest));
    const { key, backupCodes } = await setUpTwoFactor(owner);
    keep('an authenticator', key, ...backupCodes);
    await readJson(await enterCode(owner, showCode(key)));
    keep('the session after the second factor', ...secretsOf(owner));
    const phone = createPerson(app);
    await readJson(await auth(phone, 'sign-in/email', { email, password: PASSWORD }));
    keep('a second factor that is owed', ...secretsOf(phone));
    keep('a password', PASSWORD);
    await expectNoneStored();

    const { id, key: file } = await sellFile(owner);
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    keep('a claim', ...secretsOf(buyer));
    keep('a download', new URL(await storageUrl(buyer, file ?? '')).pathname.split('/')[2]);
    const receipt = await eventually(() => {
      const [source = ''] = mail.mailsTo(BUYER_EMAIL);
      const plain = source.replace(/=\r\n/g, '').replace(/=3D/g, '=');
      const [, token] = /\/access\/([\w.-]+)/.exec(plain) ?? [];
      expect(token).toBeDefined();
      return token;
    });
    keep('a personal link', receipt);
    await buyer.fetch(`/access/${receipt}/code`, { method: 'POST' });
    await buyer.fetch('/purchases', {
      method: 'POST',
      body: new URLSearchParams({ email: BUYER_EMAIL }),
    });
    await eventually(() => {
      const plain = mail.mailsTo(BUYER_EMAIL).join('\n').replace(/=\r\n/g, '').replace(/=3D/g, '=');
      const [, code] = /^Subject: (\d{6}) is your/m.exec(plain) ?? [];
      const [, link] = /\/purchases\/open\/([\w.-]+)/.exec(plain) ?? [];
      expect(code && link).toBeDefined();
      keep('a code for one more browser', code);
      keep('a link to all purchases', link);
    });
    await expectNoneStored();
    expect(await dump(app)).toContain(email);
  });
});
