import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { findBalance, recordPayout } from '../../server/books/ledger/balance.ts';
import { moveToAvailability, sweepSalesInTime } from '../../server/books/ledger/sales-in-time.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { transaction } from '../../server/ground/database/transaction.ts';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { readUserId, sellFile, signUp } from '../factories/factories.ts';
import { buyOnce, waitUntilIdle } from '../factories/money.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LENGTHS = [DAY_MS, DAY_MS / 8, 900_000, 60_000, 5_000];
const sandboxPort = await findFreePort();

describeOnSqliteFirst('sums of sales in short times', (database) => {
  const app = useApp({
    database,
    env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) },
    overrides: { sweepEveryMs: 100 },
  });
  /** When everything was sold, and long after it; UTC milliseconds. */
  let soldAt: number;
  let later: number;
  let ownerId: string;
  let payment: string;
  let late: string;

  beforeAll(async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller, { price: 1000 });
    ({ payment } = await buyOnce(seller, sandboxPort, id));
    ({ payment: late } = await buyOnce(seller, sandboxPort, id));
    ownerId = await readUserId(seller);
    await withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
    soldAt = Date.now();
    later = soldAt + 100 * DAY_MS;
  });

  const read = <Result>(work: (db: Database) => Promise<Result>) => withDatabase(app, work);
  /** The lengths of the sums, by whether the provider makes their sales available later. */
  const lengths = (db: Database, isLater: boolean) =>
    db
      .selectFrom('sales_in_time')
      .where('available_on', isLater ? '>' : '=', 0)
      .where('sales', '>', 0)
      .orderBy('length_ms', 'desc')
      .select('length_ms')
      .distinct()
      .execute()
      .then((rows) => rows.map(({ length_ms }) => length_ms));
  const held = (db: Database) =>
    findBalance(db, { ownerId, mode: 'test', holdMs: 90 * DAY_MS }, later);

  test('are swept by the schedule, however many there are', async () => {
    await read(async (db) => {
      const old = Array.from({ length: 1_200 }, (_, number) => ({
        owner_id: ownerId,
        mode: 'test' as const,
        length_ms: 5_000,
        number,
        available_on: 0,
        cents: 1,
        sales: 1,
        last_sold_at: number * 5_000,
      }));
      await db.insertInto('sales_in_time').values(old).execute();
      await eventually(async () => {
        const left = db.selectFrom('sales_in_time').where('last_sold_at', '<', soldAt - DAY_MS);
        expect(await left.select('number').execute()).toEqual([]);
      });
      expect(await lengths(db, false)).toEqual(LENGTHS);
    });
  });

  test('are swept once no hold reaches them, and neither missed nor brought back', async () => {
    await read(async (db) => {
      // Where nothing was booked since, and where the clock was ahead once, all of them stay.
      await sweepSalesInTime(db, later);
      expect(await lengths(db, false)).toEqual(LENGTHS);
      const payout = { ownerId, mode: 'test', amountCents: 1, reference: 'sent' } as const;
      await recordPayout({ db, holdMs: 0, now: () => later }, payout);
      await sweepSalesInTime(db, soldAt);
      expect(await lengths(db, false)).toEqual(LENGTHS);

      await transaction(db, (trx) => moveToAvailability(trx, `sale:${late}`, later + 10 * DAY_MS));
      await db
        .updateTable('provider_transaction')
        .set({ available_on: later + 10 * DAY_MS })
        .where('cause', '=', `sale:${late}`)
        .execute();
      const before = await held(db);
      expect(before).toMatchObject({ pendingCents: 920, releases: [{ sales: 1 }] });
      await sweepSalesInTime(db, later);
      expect(await lengths(db, false)).toEqual([DAY_MS]);
      expect(await lengths(db, true)).toEqual(LENGTHS);
      expect(await held(db)).toEqual(before);
      expect(await checkLedger(db)).toEqual([]);

      // A refund of a sale of long ago.
      await stripeOf(sandboxPort).refunds.create({ payment_intent: payment, amount: 500 });
      await eventually(async () =>
        expect(await db.selectFrom('refund').select('state').execute()).toEqual([
          { state: 'succeeded' },
        ]),
      );
      await waitUntilIdle(db, sandboxPort);
      expect(await checkLedger(db)).toEqual([]);
      expect(await held(db)).toMatchObject({ pendingCents: 920 });

      await sql`update sales_in_time set cents = cents + 1
        where length_ms = ${DAY_MS} and available_on = 0`.execute(db);
      expect(await checkLedger(db)).toHaveLength(1);
      expect(await runCli(app.env, 'ledger', 'rebuild')).toMatchObject({ status: 0 });
      expect(await checkLedger(db)).toEqual([]);
      expect(await lengths(db, false)).toEqual([DAY_MS]);
      expect(await lengths(db, true)).toEqual(LENGTHS);
    });
  });

  test('are compared as long as they can be read', async () => {
    await read(async (db) => {
      await sql`delete from sales_in_time where length_ms = 900000 and available_on > 0`.execute(
        db,
      );
      expect(await checkLedger(db)).toEqual([
        expect.stringMatching(/^The time of 900000 ms .* counts 0 \/ 0 .* 1 \/ 920: run/),
      ]);
    });
  });
});
