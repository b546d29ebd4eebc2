import { beforeAll, expect, test } from 'vitest';
import { planWeeks } from '../../server/notices/notifications/plan-weeks.ts';
import { deleteAccount } from '../../server/people/accounts/delete-account.ts';
import { createLink, graphql, readUserId, signUp } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPersonAt, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

const CHOOSE = 'mutation ($weekly: Boolean) { setNotifications(weekly: $weekly, sales: "none") }';
const REFUND = 'mutation ($id: ID!) { refundSale(purchaseId: $id, reason: "As agreed.") { id } }';

/** The Monday before a time, at midnight in UTC, by the calendar. */
function mondayOf(time: number): number {
  const sinceMonday = (new Date(time).getUTCDay() + 6) % 7;
  return Math.floor(time / DAY_MS) * DAY_MS - sinceMonday * DAY_MS;
}

/** As it was written, without the lines' folding. */
const plain = (source: string) => source.replaceAll('=\r\n', '').replaceAll('=3D', '=');

describeOnSqliteFirst('the summary of a week', (database) => {
  let time = Date.now();
  const app = useApp({ database, overrides: { now: () => time } });
  let server: MailServer;
  let seller: Awaited<ReturnType<typeof signUp>>;
  let quiet: Awaited<ReturnType<typeof signUp>>;
  let ids: string[];
  let addresses = 0;

  beforeAll(async () => {
    seller = await signUp(app);
    quiet = await signUp(app);
    server = await startMailServer();
    const env = {
      SMTP_URL: server.url,
      MAIL_FROM: 'shop@example.com',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    Object.assign(app.env, env);
    await app.restart();
    ids = [];
    for (const title of ['Fish & chips', 'A second thing']) {
      const link = { type: 'link', url: 'https://example.com/secret', price: 1000, title };
      ids.push((await createLink(seller, link)).id);
    }
  });

  const mails = (person = seller) =>
    server
      .mailsTo(person.email)
      .map(plain)
      .filter((source) => /^Subject: Your week: /m.test(source));
  const choose = (weekly: boolean, person: Person = seller) => graphql(person, CHOOSE, { weekly });
  const plan = () => withDatabase(app, (db) => planWeeks(db, time));
  const untilSent = () =>
    withDatabase(app, (db) =>
      eventually(async () => {
        const jobs = db.selectFrom('job').where('kind', '=', 'send-week');
        expect(await jobs.selectAll().execute()).toEqual([]);
      }),
    );

  async function sell(paywallId = ''): Promise<void> {
    addresses += 1;
    const buyer = createPersonAt(app, `198.51.100.${addresses}`);
    await buyer.fetch(await payFor(buyer, paywallId));
  }

  /** What was sold so far, a week earlier. */
  const moveSalesBack = () =>
    withDatabase(app, async (db) => {
      await db
        .updateTable('purchase')
        .set(({ eb }) => ({ settled_at: eb('settled_at', '-', WEEK_MS) }))
        .execute();
      await db
        .updateTable('seller_day')
        .set(({ eb }) => ({ day: eb('day', '-', 7) }))
        .execute();
    });

  test('comes once to who chose it, on Monday, beside what the week before brought', async () => {
    await choose(true);
    await choose(true, quiet);
    await sell(ids[0]);
    await moveSalesBack();
    for (const id of [ids[0], ids[1], ids[1]]) await sell(id);
    const [sale] = await withDatabase(app, (db) =>
      db
        .selectFrom('purchase')
        .where('link_id', '=', ids[0] ?? '')
        .where('settled_at', 'is not', null)
        .orderBy('settled_at', 'desc')
        .select('id')
        .execute(),
    );
    await graphql(seller, REFUND, { id: sale?.id });
    await eventually(() =>
      withDatabase(app, async (db) => {
        const days = await db.selectFrom('seller_day').select('refunds').execute();
        expect(days.map(({ refunds }) => refunds)).toContain(1);
      }),
    );

    // It is not over on Sunday, and is told on Monday, however many processes look at once.
    const monday = mondayOf(time) + WEEK_MS;
    time = monday - 1;
    await plan();
    await withDatabase(app, async (db) => {
      const jobs = db.selectFrom('job').where('kind', '=', 'send-week').selectAll();
      expect(await jobs.execute()).toEqual([]);
    });
    time = monday;
    await withDatabase(app, (db) =>
      Promise.all([planWeeks(db, time), planWeeks(db, time), planWeeks(db, time)]),
    );
    await untilSent();
    await plan();
    await untilSent();
    expect(mails()).toHaveLength(1);
    const [mail = ''] = mails();
    const words = mail.replaceAll(/\s+/g, ' ');
    expect(/^Subject: (.*)\r$/m.exec(mail)?.[1]).toBe('Your week: 3 sales, $27.60');
    for (const said of [
      'A second thing (2 sales): $18.40',
      'Fish & chips (1 sale): $9.20',
      'Total (3 sales): $27.60',
      'The week before (1 sale): $9.20',
      // A minus sign, as a message spells it.
      'Returned (1 refund): =E2=88=92$9.20',
      'Available balance: $',
      'Choose what we email you',
    ]) {
      expect(words).toContain(said);
    }
    expect(words).not.toMatch(/visitor@example\.com|4242|198\.51/);
    // A week without anything is not worth an email.
    expect(mails(quiet)).toEqual([]);
    time += WEEK_MS;
    await plan();
    await untilSent();
    expect(mails()).toHaveLength(1);
  });

  test('begins with the week in which it is chosen, and what waits outlasts another choice', async () => {
    const told = async () => {
      const userId = await readUserId(seller);
      const choice = await withDatabase(app, (db) =>
        db
          .selectFrom('notification_choice')
          .where('owner_id', '=', userId)
          .select(['weekly', 'told_week'])
          .executeTakeFirstOrThrow(),
      );
      return choice;
    };
    const before = await told();
    time += WEEK_MS;
    await choose(true);
    expect(await told()).toEqual(before);
    await choose(false);
    await choose(true);
    expect(await told()).toEqual({ weekly: 1, told_week: before.told_week + 1 });
    await plan();
    await withDatabase(app, async (db) => {
      const jobs = await db.selectFrom('job').where('kind', '=', 'send-week').select('payload');
      const owners = (await jobs.execute()).map(({ payload }) => JSON.parse(payload).ownerId);
      expect(owners).not.toContain(await readUserId(seller));
    });
    await untilSent();
  });

  test('ends by one press in the mail program, and other emails go on', async () => {
    await graphql(seller, 'mutation { setNotifications(sales: "daily") }');
    const [mail = ''] = mails();
    expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    const end = /^List-Unsubscribe:\s*<(\S+)>/m.exec(mail)?.[1] ?? '';
    const userId = await readUserId(seller);
    const choice = () =>
      withDatabase(app, (db) =>
        db
          .selectFrom('notification_choice')
          .where('owner_id', '=', userId)
          .select(['sales', 'weekly'])
          .executeTakeFirst(),
      );
    const seen = await fetch(end);
    expect(await seen.text()).toContain('We send you a weekly summary on Mondays.');
    expect(await choice()).toEqual({ sales: 'daily', weekly: 1 });
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    const ended = await fetch(end, { method: 'POST', body });
    expect(await ended.text()).toContain('You no longer get weekly summaries.');
    expect(await choice()).toEqual({ sales: 'daily', weekly: 0 });
    // What was planned before is not sent.
    await withDatabase(app, async (db) => {
      await db.updateTable('notification_choice').set({ weekly: 1, told_week: 0 }).execute();
      await planWeeks(db, mondayOf(Date.now()) + WEEK_MS);
      await db.updateTable('notification_choice').set({ weekly: 0 }).execute();
    });
    const before = mails().length;
    await untilSent();
    expect(mails()).toHaveLength(before);
    await withDatabase(app, async (db) => {
      await db.deleteFrom('user_balance').execute();
      await deleteAccount({ db, now: () => time }, userId);
    });
    await fetch(end, { method: 'POST', body });
    expect(await choice()).toBeUndefined();
  });
});
