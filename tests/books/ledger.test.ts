import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import type { Entry } from '../../server/books/ledger/post-entry.ts';
import { postEntry } from '../../server/books/ledger/post-entry.ts';
import { readConfig } from '../../server/ground/config/read-config.ts';
import { findMissingTriggers } from '../../server/ground/database/append-only-triggers.ts';
import { resetTestData } from '../../server/ground/database/reset-test-data.ts';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { readBalance, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

describeOnBothDatabases('the ledger', (database) => {
  const app = useApp({ database });

  async function sell(price: number): Promise<number> {
    const seller = await signUp(app);
    const { id } = await sellFile(seller, { price });
    const visitor = createPerson(app);
    await payFor(visitor, id);
    await waitUntilUnlocked(visitor, id);
    return readBalance(seller);
  }

  test.each([
    // gross, net after 5% rounded half up and 30 cents
    [100, 65],
    [110, 74],
    [499, 444],
    [99_999_999, 94_999_969],
  ])('books a sale of %i cents as %i to the creator', { tags: 'long' }, async (gross, net) => {
    expect(await sell(gross)).toBe(net);
    expect(await withDatabase(app, checkLedger)).toEqual([]);
  });

  test('cannot be changed after the fact, not even in the database', async () => {
    await sell(200);
    await withDatabase(app, async (db) => {
      const changes = [
        sql`update ledger_line set amount_cents = amount_cents + 1`,
        sql`delete from ledger_line`,
        sql`update ledger_entry set currency = 'eur'`,
        sql`delete from ledger_entry`,
        ...(database === 'postgres'
          ? [sql`truncate ledger_line`, sql`truncate ledger_entry cascade`]
          : []),
      ];
      for (const change of changes) {
        await expect(change.execute(db)).rejects.toThrow('append-only');
      }
    });
  });

  test('takes no line for an entry that is booked, however well the lines balance', async () => {
    await sell(300);
    await withDatabase(app, async (db) => {
      const columns = sql`(entry_id, position, account, amount_cents)`;
      const twoMore = (first: RawBuilder<unknown>) => sql`insert into ledger_line ${columns}
        select id, ${first}, 'bank', 5 from ledger_entry union all
        select id, ${first} + 1, 'platform_fee', -5 from ledger_entry`;
      const additions = [twoMore(sql`line_count`), twoMore(sql`-2`)];
      if (database === 'sqlite') {
        additions.push(
          twoMore(sql`0.5`),
          sql`insert or replace into ledger_line select * from ledger_line`,
          sql`insert or replace into ledger_entry select * from ledger_entry`,
        );
      }
      for (const addition of additions) {
        await expect(addition.execute(db)).rejects.toThrow('append-only: the entry is sealed');
      }
      await expect(twoMore(sql`0`).execute(db)).rejects.toThrow(/append-only|duplicate key/);
    });
  });

  test.each([
    ['do not sum to zero', [-1000, 999]],
    ['are no whole cents', [-0.5, 0.5]],
  ])('takes no entry whose lines %s', async (_title, [provider, bank]) => {
    const entry: Entry = {
      kind: 'payout',
      cause: `payout:${randomUUID()}`,
      mode: 'test',
      providerAccount: 'operator',
      currency: 'usd',
      purchaseId: null,
      linkId: null,
      soldAt: null,
      lines: [
        { account: 'provider', amountCents: provider ?? 0 },
        { account: 'bank', amountCents: bank ?? 0 },
      ],
    };
    await withDatabase(app, async (db) => {
      const posting = db
        .transaction()
        .execute((transaction) => postEntry(transaction, entry, Date.now()));
      await expect(posting).rejects.toThrow(RangeError);
      expect(await checkLedger(db)).toEqual([]);
    });
  });

  test('of test payments refuses a live key until it was reset', async () => {
    await sell(400);
    const live = {
      PORT: String(await findFreePort()),
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
    };
    const start = async () => {
      const product = createApp(readConfig({ ...app.env, ...live }));
      try {
        await product.start();
      } finally {
        await product.stop();
      }
    };
    await app.pause();
    await expect(start()).rejects.toThrow('reset-test-data');
    await withDatabase(app, async (db) => {
      const sold = await db
        .selectFrom('purchase')
        .select(['id as purchase_id', 'link_id'])
        .executeTakeFirstOrThrow();
      const given = { ...sold, created_at: 1, given_at: 2 };
      const listed = { ...given, id: 'a', key: 'of-the-list', lookup: 'of-the-list' };
      await db.insertInto('license_key').values(listed).execute();
      await db
        .insertInto('license_activation')
        .values({ key_id: 'a', device: 'Laptop', activated_at: 3 })
        .execute();
      expect((await resetTestData(db, Date.now())).purchases).toBeGreaterThan(0);
      const tables = ['purchase', 'ledger_entry', 'access_grant', 'user_balance'] as const;
      for (const table of tables) {
        expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
      }
      // What sellers brought along is for sale again.
      const unsold = { ...listed, purchase_id: null, given_at: null };
      expect(await db.selectFrom('license_key').selectAll().execute()).toEqual([unsold]);
      expect(await db.selectFrom('license_activation').selectAll().execute()).toEqual([]);
      // The books refuse changes again.
      expect(await findMissingTriggers(db)).toEqual([]);
      const change = db.transaction().execute(async (transaction) => {
        await sql`insert into ledger_entry
          (id, kind, cause, mode, provider_account, currency, created_at)
          values ('a', 'payout', 'payout:a', 'test', 'operator', 'usd', 0)`.execute(transaction);
        await sql`delete from ledger_entry`.execute(transaction);
      });
      await expect(change).rejects.toThrow('append-only');
    });
    await start();
    // What was removed on purpose is not taken for lost.
    const { stdout } = await runCli(app.env, 'reconcile');
    expect(stdout).toContain('Repaired: 0. Needing your attention: 0.');
    await app.restart();
  });

  test('of live payments refuses the sandbox and test keys, and says what to do', {
    tags: 'long',
  }, async () => {
    await sell(500);
    await withDatabase(app, (db) => db.updateTable('purchase').set({ mode: 'live' }).execute());
    await app.pause();
    const test = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
    for (const payments of [{}, test]) {
      const port = { PORT: String(await findFreePort()) };
      const product = createApp(readConfig({ ...app.env, ...port, ...payments }));
      const started = product.start().finally(() => product.stop());
      await expect(started).rejects.toThrow(
        /contains live purchases.*Start it with the live STRIPE_SECRET_KEY, or .*another database/,
      );
    }
  });
});
