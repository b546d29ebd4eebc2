import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { listUndelivered, watchDeliveries } from '../server/delivery/watch-deliveries.ts';
import { sendReceipt } from '../server/mails/receipts.ts';
import { graphql, sellFile, signUp } from './factories.ts';
import { eventually } from './harness/eventually.ts';
import { describeOnBothDatabases } from './on-both-databases.ts';
import type { Person } from './person.ts';
import { runCli } from './run-command.ts';
import { useApp } from './use-app.ts';
import { withDatabase } from './with-database.ts';

const TWO_DAYS_MS = 2 * 24 * 60 * 60 * 1000;
const PAID_AT = Date.UTC(2026, 0, 1);

describeOnBothDatabases('a thousand purchases of which one in fifty bounces', (database) => {
  const app = useApp({ database });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
    const { id, owner, key } = await sellFile(seller, { size: 1_000 });
    // 700 are delivered; of the others 200 opened the personal link, and of 100 nothing is heard.
    await withDatabase(app, async (db) => {
      await sql`
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
        insert into purchase (id, link_id, content_version, seller_id, claim_hash, price_cents,
          fee_cents, currency, mode, provider_account, state, created_at, expires_at, settled_at,
          watch_at, buyer_email)
        select 'p' || i, ${id}, 1, ${owner}, 'claim' || i, 100, 35, 'usd', 'test', 'sandbox',
          'settled', 1, 1, ${sql.lit(PAID_AT)}, ${sql.lit(PAID_AT + TWO_DAYS_MS)},
          'buyer' || i || '@example.com' from n`.execute(db);
      await sql`insert into access_grant (id, purchase_id, link_id, state, created_at, updated_at)
        select 'g' || id, id, link_id, 'active', 1, 1 from purchase`.execute(db);
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
    await withDatabase(app, async (db) => {
      for (let number = 981; number <= 1000; number++) {
        const refusal = Object.assign(new Error('no such user'), {
          ...{ responseCode: 550, command: 'RCPT TO' },
        });
        const sent = sendReceipt(
          {
            db,
            now: () => PAID_AT,
            sendMail: () => Promise.reject(refusal),
            writeReceipt: () => ({ subject: '', html: '', text: '' }),
            signer: { sign: () => '', read: () => null },
            updatesSigner: { sign: () => '', read: () => null },
          },
          `p${number}`,
        );
        await expect(sent).rejects.toBe(refusal);
      }
    });
  });

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

    const listed = await withDatabase(app, (db) => listUndelivered(db));
    expect(listed).toHaveLength(100);
    expect(listed.filter(({ isRefused }) => isRefused)).toHaveLength(20);
    const { stdout } = await runCli(app.env, 'undelivered');
    expect(stdout).toContain('Paid and not delivered: 100.');
    const query = `query { countUndeliveredSales
      listSales(undelivered: true) { items { delivery { state percent } mailable } } }`;
    expect(await graphql(seller, query)).toMatchObject({ countUndeliveredSales: 100 });
    expect(await (await seller.fetch('/dashboard')).text()).toMatch(
      /Not delivered yet: (<!-- -->)?100/,
    );
    expect(await (await seller.fetch('/dashboard/sales?show=undelivered')).text()).toContain(
      'Partly delivered (99%)',
    );
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
  });
});
