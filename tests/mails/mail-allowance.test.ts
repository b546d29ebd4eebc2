import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNPROVEN_MAILS_A_DAY } from '../../server/people/accounts/mail-allowance.ts';
import { UNCONFIRMED_DAYS } from '../../server/people/accounts/sweep-unconfirmed.ts';
import { auth, createEmail, refusal } from '../factories/account-requests.ts';
import { PASSWORD, sellFile } from '../factories/factories.ts';
import { eventually } from '../harness/eventually.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { stepOverMidnight } from '../harness/step-over-midnight.ts';
import { withDatabase } from '../harness/with-database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The day does not end meanwhile. */
const AHEAD_MS = stepOverMidnight();

describeOnSqliteFirst('mail to addresses that nobody has proven', (database) => {
  let app: App;
  let mail: MailServer;
  let clock = 0;
  const lines: string[] = [];

  beforeAll(async () => {
    mail = await startMailServer();
    app = await startApp({
      database,
      env: {
        SMTP_URL: mail.url,
        MAIL_FROM: 'pay@example.com',
        PAYMENTS: 'sandbox',
        LOG_LEVEL: 'warn',
      },
      overrides: {
        now: () => Date.now() + AHEAD_MS + clock,
        sweepEveryMs: 100,
        logTo: { write: (line) => lines.push(line) },
      },
    });
  });
  afterAll(async () => {
    await app?.stop();
    await mail?.stop();
  });

  const signUp = (email: string, { firstName = 'Ada', password = PASSWORD } = {}) =>
    auth(createPerson(app), 'sign-up/email', { email, password, firstName });
  async function signUpConfirmed(email: string): Promise<Person> {
    const person = createPerson(app);
    await readJson(await signUp(email));
    const otp = await mail.readCode(email);
    await readJson(await auth(person, 'email-otp/verify-email', { email, otp }));
    return person;
  }
  const counted = () =>
    withDatabase(app, async (db) => {
      const rows = await db.selectFrom('mails_of_day').select(['visitor', 'mails']).execute();
      const of = (isAll: boolean) => rows.find(({ visitor }) => (visitor === 'all') === isAll);
      return { ofVisitor: of(false)?.mails ?? 0, all: of(true)?.mails ?? 0 };
    });
  /** As if so many had been mailed today. */
  async function pretend({ ofVisitor, all }: { ofVisitor: number; all: number }) {
    await withDatabase(app, async (db) => {
      const set = (mails: number) => db.updateTable('mails_of_day').set({ mails });
      await set(ofVisitor).where('visitor', '<>', 'all').execute();
      await set(all).where('visitor', '=', 'all').execute();
    });
  }

  test('is counted, unless none left; parallel sign-ups pass no limit of the day', async () => {
    await readJson(await signUp(createEmail()));
    expect(await counted()).toEqual({ ofVisitor: 1, all: 1 });
    expect((await signUp(createEmail(), { password: 'weak' })).status).toBe(400);
    expect(await counted()).toEqual({ ofVisitor: 1, all: 1 });
    for (const counter of ['ofVisitor', 'all'] as const) {
      const most = UNPROVEN_MAILS_A_DAY[counter];
      await pretend({ ofVisitor: 1, all: 1, [counter]: most - 2 });
      const answers = await Promise.all(Array.from({ length: 4 }, () => signUp(createEmail())));
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses, counter).toEqual([200, 200, 429, 429]);
      expect(await counted()).toMatchObject({ [counter]: most });
    }
    await pretend({ ofVisitor: 0, all: 0 });
  });

  test('ends for the day without telling which addresses are known, and goes on tomorrow', async () => {
    const [known, pending, unknown] = [createEmail(), createEmail(), createEmail()];
    const owner = await signUpConfirmed(known);
    await readJson(await signUp(pending));
    await eventually(() => expect(mail.mailsTo(pending)).toHaveLength(1));
    const [before] = mail.mailsTo(known);
    await pretend({ ofVisitor: 0, all: UNPROVEN_MAILS_A_DAY.all });
    const answers: unknown[] = [];
    for (const email of [known, pending, unknown]) {
      const type = 'email-verification';
      for (const answer of [
        await signUp(email),
        await auth(createPerson(app), 'email-otp/send-verification-otp', { email, type }),
      ]) {
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        const { code, message } = await refusal(answer);
        answers.push({ status: answer.status, code, message });
      }
    }
    const message = 'No more codes can be sent today. Please try again tomorrow.';
    for (const answer of answers) {
      expect(answer).toEqual({ status: 429, code: 'RATE_LIMITED', message });
    }
    const newEmail = createEmail();
    const change = { newEmail, password: PASSWORD };
    expect((await auth(owner, 'email-otp/request-email-change', change)).status).toBe(429);
    const signIn = await auth(createPerson(app), 'sign-in/email', {
      email: pending,
      password: PASSWORD,
    });
    expect((await refusal(signIn)).code).toBe('EMAIL_NOT_VERIFIED');

    // Forgotten passwords are for their owners alone; whether one was mailed is told to nobody.
    for (const email of [pending, unknown, known]) {
      await readJson(await auth(createPerson(app), 'email-otp/request-password-reset', { email }));
    }
    await eventually(() => expect(mail.mailsTo(known)[0]).not.toBe(before));
    expect(mail.mailsTo(known)[0]).toContain('Hello, Ada');
    expect(mail.mailsTo(pending)).toHaveLength(1);
    for (const email of [unknown, newEmail]) expect(mail.mailsTo(email)).toEqual([]);

    const told = () => lines.filter((line) => line.includes('is used up')).length;
    expect(told()).toBe(1);

    clock = DAY_MS;
    await readJson(await signUp(unknown));
    await eventually(() => expect(mail.mailsTo(unknown)).toHaveLength(1));
    await eventually(async () => expect(await counted()).toEqual({ ofVisitor: 1, all: 1 }));
    await pretend({ ofVisitor: 0, all: UNPROVEN_MAILS_A_DAY.all });
    for (const _ of [1, 2]) expect((await signUp(createEmail())).status).toBe(429);
    expect(told()).toBe(2);
    clock = 0;
    await withDatabase(app, (db) => db.deleteFrom('mails_of_day').execute());
  });

  test('says nothing that whoever asked for it chose', async () => {
    const [email, newEmail] = [createEmail(), createEmail()];
    const firstName = 'Your parcel waits';
    await readJson(await signUp(email, { firstName }));
    await eventually(() => expect(mail.mailsTo(email)).toHaveLength(1));
    await readJson(await auth(createPerson(app), 'email-otp/request-password-reset', { email }));
    await eventually(() => expect(mail.mailsTo(email)).toHaveLength(2));
    const person = await signUpConfirmed(createEmail());
    await readJson(await auth(person, 'update-user', { firstName }));
    const change = { newEmail, password: PASSWORD };
    await readJson(await auth(person, 'email-otp/request-email-change', change));
    await eventually(() => expect(mail.mailsTo(newEmail)).toHaveLength(1));
    for (const source of [...mail.mailsTo(email), ...mail.mailsTo(newEmail)]) {
      expect(source).toMatch(/Welcome|Hello/);
      expect(source).not.toContain('parcel');
    }
  });

  test('leaves a sign-up for a week; an account that owns anything is not swept', async () => {
    const [old, fresh, owning, proven] = [
      createEmail(),
      createEmail(),
      createEmail(),
      createEmail(),
    ];
    const seller = await signUpConfirmed(owning);
    await sellFile(seller);
    await signUpConfirmed(proven);
    for (const email of [old, fresh]) await readJson(await signUp(email));
    const emails = () =>
      withDatabase(app, async (db) => {
        const users = await db.selectFrom('user').select('email').execute();
        return users.map(({ email }) => email);
      });
    await withDatabase(app, async (db) => {
      const age = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
      const set = (days: number) => db.updateTable('user').set({ createdAt: age(days) });
      await set(UNCONFIRMED_DAYS + 0.01)
        .where('email', 'in', [old, owning, proven])
        .execute();
      await set(UNCONFIRMED_DAYS - 0.01)
        .where('email', '=', fresh)
        .execute();
      await sql`update "user" set "emailVerified" = false where email = ${owning}`.execute(db);
      await sql`delete from session`.execute(db);
    });
    await eventually(async () => expect(await emails()).not.toContain(old));
    expect(await emails()).toEqual(expect.arrayContaining([fresh, owning, proven]));
    const passwords = await withDatabase(app, (db) =>
      sql`select 1 from account where "userId" not in (select id from "user")`.execute(db),
    );
    expect(passwords.rows).toEqual([]);
    await readJson(await signUp(old));
  });

  test('leaves no codes behind once they are too old', async () => {
    await readJson(await signUp(createEmail()));
    clock += 30 * 60_000;
    await eventually(async () => {
      const { rows } = await withDatabase(app, (db) => sql`select 1 from verification`.execute(db));
      expect(rows).toEqual([]);
    });
  });
});
