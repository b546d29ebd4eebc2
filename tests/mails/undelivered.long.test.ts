import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  listUndelivered,
  watchDeliveries,
} from '../../server/delivery/downloads/watch-deliveries.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { createMailJobs } from '../../server/notices/mails/jobs.ts';
import {
  graphql,
  sellFile,
  signUp,
  storageUrl,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { startApp } from '../harness/start-app.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const TWO_DAYS_MS = 2 * 24 * 60 * 60 * 1000;
const PAID_AT = Date.UTC(2026, 0, 1);
/** Real ones, of which one in fifty bounces, and the first; from 100 on, on PostgreSQL as well. */
const PURCHASES = Number(process.env.PADLINK_BOUNCE_PURCHASES ?? 10);

describeOnSqliteFirst('a thousand purchases of which one in fifty bounces', (database) => {
  const app = useApp({ database });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
    const { id, owner, key } = await sellFile(seller, { size: 1_000 });
    // 700 are delivered; of the others 200 opened the personal link, and of 100 nothing is heard.
    await withDatabase(app, async (db) => {
      await sql`
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
        insert into purchase (id, payment_id, line, link_id, content_version, seller_id, claim_hash, price_cents,
          fee_cents, currency, mode, provider_account, state, created_at, expires_at, settled_at,
          watch_at, buyer_email)
        select 'p' || i, 'y' || i, 1, ${id}, 1, ${owner}, 'claim' || i, 100, 35, 'usd', 'test', 'sandbox',
          'settled', 1, 1, ${sql.lit(PAID_AT)}, ${sql.lit(PAID_AT + TWO_DAYS_MS)},
          'buyer' || i || '@example.com' from n`.execute(db);
      await sql`insert into access_grant (id, purchase_id, link_id, state, created_at, updated_at,
          size_bytes)
        select 'g' || id, id, link_id, 'active', 1, 1, 1000 from purchase`.execute(db);
      const grants = (from: number, to: number) =>
        sql`select 'gp' || i as grant_id from (
          with recursive n(i) as (select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(to)})
          select i from n) as numbers`;
      await sql`insert into delivered_file (grant_id, file_key, ranges, bytes)
        select grant_id, ${key}, '[[0,1000]]', 1000 from (${grants(1, 700)}) as chosen`.execute(db);
      await sql`insert into delivered_file (grant_id, file_key, ranges, bytes)
        select grant_id, ${key}, '[[0,999]]', 999 from (${grants(701, 960)}) as chosen`.execute(db);
      await sql`insert into grant_claim (grant_id, claim_hash, claimed_at)
        select grant_id, 'hash', 5 from (${grants(701, 900)}) as chosen`.execute(db);
    });
    await withDatabase(app, (db) => refuseFrom(db, 981));
  });

  /** The mail server refuses the receipts of the purchases from this number on. */
  async function refuseFrom(db: Database, first: number): Promise<void> {
    const refusal = Object.assign(new Error('no such user'), {
      responseCode: 550,
      command: 'RCPT TO',
    });
    const jobs = createMailJobs({
      db,
      now: () => PAID_AT,
      sendLetter: () => Promise.reject(refusal),
      links: { personal: () => '', updates: () => '', gift: () => '', giveBack: () => '' },
    } as never);
    for (let number = first; number <= 1000; number++) {
      const sent = jobs['send-receipt']({ purchaseId: `p${number}` }, () => {});
      await expect(sent).rejects.toBe(refusal);
    }
  }

  test('are each delivered, or reminded of once and listed until they are', async () => {
    const watch = (at: number) => withDatabase(app, (db) => watchDeliveries({ db, now: () => at }));
    expect(await watch(PAID_AT + TWO_DAYS_MS - 1)).toBe(0);
    expect(await watch(PAID_AT + TWO_DAYS_MS)).toBe(100);
    expect(await watch(PAID_AT + 2 * TWO_DAYS_MS)).toBe(0);

    const mails = await eventually(async () => {
      const found = (await (await fetch(`${app.origin}/mailbox.json`)).json()) as {
        to: string;
        subject: string;
        text: string;
      }[];
      const reminders = found.filter(({ subject }) =>
        subject.startsWith('Your purchase is waiting'),
      );
      expect(reminders).toHaveLength(100);
      return reminders;
    });
    expect(new Set(mails.map(({ to }) => to)).size).toBe(100);
    expect(mails[0]?.text).toMatch(/https?:\/\/\S+\/access\/\S+/);

    // The reminders were taken, also by the addresses that had refused the receipt.
    const list = () => withDatabase(app, (db) => listUndelivered(db));
    const listRefused = async () => (await list()).filter(({ isRefused }) => isRefused);
    expect(await list()).toHaveLength(100);
    await eventually(async () => expect(await listRefused()).toHaveLength(0));
    await withDatabase(app, (db) => refuseFrom(db, 991));
    expect(await listRefused()).toHaveLength(10);
    const { stdout } = await runCli(app.env, 'undelivered');
    expect(stdout).toContain('Paid and not delivered: 100.');
    const query = `query { countUndeliveredSales
      listSales(undelivered: true) { items { delivery { state percent } mailable } } }`;
    expect(await graphql(seller, query)).toMatchObject({ countUndeliveredSales: 100 });
    expect(await (await seller.fetch('/dashboard')).text()).toMatch(
      /Not delivered yet: (<!-- -->)?100/,
    );
    const lacking = await (await seller.fetch('/dashboard/sales?show=undelivered')).text();
    expect(lacking).toContain('Partly delivered (99%)');
    expect(lacking).toContain('The buyer’s mail server refused the receipt.');
    expect(await graphql(await signUp(app), query)).toEqual({
      countUndeliveredSales: 0,
      listSales: { items: [] },
    });

    // One that opens the link leaves the list, and so does one that is delivered all the same.
    await withDatabase(app, async (db) => {
      const opened = { grant_id: 'gp901', claim_hash: 'other', claimed_at: 7 };
      await db.insertInto('grant_claim').values(opened).execute();
      const whole = { bytes: 1_000, ranges: '[[0,1000]]' };
      await db.updateTable('delivered_file').set(whole).where('grant_id', '=', 'gp902').execute();
    });
    expect(await graphql(seller, query)).toMatchObject({ countUndeliveredSales: 98 });

    // Nor do they take a place among the thousand that are read; what is disputed keeps its own.
    const setState = (state: 'suspended' | 'active') =>
      withDatabase(app, (db) =>
        db.updateTable('access_grant').set({ state }).where('id', '=', 'gp903').execute(),
      );
    await setState('suspended');
    await watch(PAID_AT + 3 * TWO_DAYS_MS);
    const kept = await withDatabase(app, (db) =>
      db.selectFrom('purchase').where('undelivered_at', 'is not', null).select('id').execute(),
    );
    expect(kept).toHaveLength(98);
    await setState('active');
  });
});

/** What becomes of a purchase, by its number. */
const fateOf = (number: number) => {
  if (number % 50 === 0) return 'bounces';
  return number % 50 < 5 ? 'silent' : 'fetched';
};

const databases = ['sqlite', 'postgres'] as const;
/** Mails leave one after the other. */
const patience = { timeoutMs: 120_000 + PURCHASES * 500, intervalMs: 500 };

describe.each(databases.slice(0, PURCHASES < 100 ? 1 : 2))(
  'purchases through checkout and mail server on %s',
  (database) => {
    test(
      'are each fetched, or reminded of and listed',
      async () => {
        const mails = await startMailServer({ knows: (email) => !email.startsWith('bounces') });
        onTestFinished(mails.stop);
        let ahead = 0;
        const now = () => Date.now() + ahead;
        const sandbox = { PAYMENTS: 'sandbox', SANDBOX_PORT: String(await findFreePort()) };
        const env = { ...sandbox, TRUSTED_PROXIES: '127.0.0.1' };
        const app = await startApp({ database, env, overrides: { now } });
        onTestFinished(app.stop);
        const seller = await signUp(app);
        const { id, key } = await sellFile(seller);
        // The seller's code was read in the local mailbox; receipts go by SMTP.
        Object.assign(app.env, { SMTP_URL: mails.url, MAIL_FROM: 'shop@example.com' });
        await app.restart();

        async function buy(number: number): Promise<string> {
          const fate = fateOf(number);
          const email = `${fate}${number}@example.com`;
          const buyer = createPerson(app);
          // Each has an address of their own, because the checkouts of one are limited.
          const headers = { 'x-forwarded-for': `10.0.${number >> 8}.${number & 255}` };
          const { fetch } = buyer;
          buyer.fetch = (path, init) =>
            fetch(path, { ...init, headers: { ...headers, ...(init?.headers as object) } });
          await payAt(buyer, await checkOut(buyer, id), CARDS.pays, email);
          await waitUntilUnlocked(buyer, id);
          if (fate === 'fetched') await (await fetch(await storageUrl(buyer, key ?? ''))).bytes();
          return email;
        }
        const emails: string[] = [];
        for (let number = 0; number < PURCHASES; number += 10) {
          const numbers = Array.from({ length: 10 }, (_, index) => number + index);
          emails.push(...(await Promise.all(numbers.map(buy))));
        }
        const withFate = (...fates: string[]) =>
          emails.filter((_email, number) => fates.includes(fateOf(number))).sort();

        await withDatabase(app, async (db) => {
          const read = (column: 'receipt_refused_at' | 'undelivered_at') =>
            db.selectFrom('purchase').where(column, 'is not', null).select('buyer_email').execute();
          const emailsOf = (rows: { buyer_email: string | null }[]) =>
            rows.map(({ buyer_email }) => buyer_email).sort();
          await eventually(async () => {
            expect(emailsOf(await read('receipt_refused_at'))).toEqual(withFate('bounces'));
            for (const email of withFate('silent', 'fetched')) {
              expect(mails.mailsTo(email)).toHaveLength(1);
            }
          }, patience);
          ahead = TWO_DAYS_MS;
          await watchDeliveries({ db, now });
          expect(emailsOf(await read('undelivered_at'))).toEqual(withFate('bounces', 'silent'));
          expect(await listUndelivered(db)).toHaveLength(withFate('bounces', 'silent').length);
          await eventually(() => {
            for (const email of withFate('silent')) expect(mails.mailsTo(email)).toHaveLength(2);
          }, patience);
          for (const email of withFate('fetched')) expect(mails.mailsTo(email)).toHaveLength(1);
        });
      },
      300_000 + PURCHASES * 2_000,
    );
  },
);
