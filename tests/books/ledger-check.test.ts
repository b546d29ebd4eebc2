import { type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../server/ground/database/tables.ts';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { signUp } from '../factories/factories.ts';
import { expectBooks, sellOnce } from '../factories/money.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const env = { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) };

/** An entry on the first purchase, with lines of [account, owner, cents]. */
function entry(
  kind: string,
  cause: string,
  lines: [string, string | null, number][],
  lineCount = lines.length,
) {
  return [
    sql`insert into ledger_entry
      (id, kind, cause, mode, provider_account, currency, purchase_id, line_count, created_at)
      select ${`planted-${cause}`}, ${kind}, ${cause}, 'test', 'sandbox', 'usd', id,
        cast(${lineCount} as integer), 0
      from purchase where price_cents = 1000`,
    ...lines.map(
      ([account, owner, cents], position) =>
        sql`insert into ledger_line (entry_id, position, account, owner_id, amount_cents) values
          (${`planted-${cause}`}, ${position}, ${account}, ${owner}, ${cents})`,
    ),
  ];
}

const grant = (state: string) => [
  sql`
  update access_grant set state = ${state}
  where purchase_id = (select id from purchase where price_cents = 1000)`,
];

const FAULTS: [string, RawBuilder<unknown>[], RegExp][] = [
  [
    'an entry that does not sum to zero',
    entry('payout', 'payout:a', [['provider', null, -5]]),
    /^Entry planted-payout:a sums to -5 cents instead of 0\.$/,
  ],
  [
    'an entry without lines',
    entry('payout', 'payout:b', []),
    /^Entry planted-payout:b does not consist of two or more lines in whole cents\.$/,
  ],
  [
    'an entry that lacks a line',
    entry(
      'payout',
      'payout:c',
      [
        ['provider', null, -5],
        ['bank', null, 5],
      ],
      3,
    ),
    /^Entry planted-payout:c has 2 of the 3 lines it was written with\.$/,
  ],
  [
    'an entry that mixes two currencies',
    [
      ...entry('payout', 'payout:d', [['provider', null, -5]], 2),
      sql`insert into ledger_line (entry_id, position, account, amount_cents, currency)
        values ('planted-payout:d', 1, 'bank', 5, 'eur')`,
    ],
    /^Entry planted-payout:d sums to -5 cents instead of 0\.$/,
  ],
  [
    'what a deleted account is owed',
    [sql`delete from "user"`],
    /^The deleted account \S+ \(test\) is owed \$9\.20: refund its buyers, or pay it /m,
  ],
  [
    'a balance that differs from its lines',
    [sql`update user_balance set balance_cents = balance_cents + 1`],
    /^Balance of \S+ \(test\) is 921, its lines sum to 920: run ledger rebuild\.$/m,
  ],
  [
    'a second sale of one purchase',
    entry('sale', 'sale:again', [
      ['provider', null, -1000],
      ['platform_fee', null, 1000],
    ]),
    /^Purchase \S+ has 2 sale entries, and 1 that match it\.$/,
  ],
  [
    'a sale that differs from what was offered',
    [sql`update purchase set fee_cents = 81 where price_cents = 1000`],
    /^Purchase \S+ has 1 sale entries, and 0 that match it\.$/,
  ],
  [
    'more refunded than was paid',
    entry('refund', 'refund:a', [
      ['provider', null, 1001],
      ['platform_fee', null, -1001],
    ]),
    /^Purchase \S+ has 1001 of 1000 cents refunded\.$/m,
  ],
  [
    'a refund with another part of the fee than its share',
    entry('refund', 'refund:b', [
      ['provider', null, 500],
      ['platform_fee', null, -39],
      ['processing_cost', null, -461],
    ]),
    /^Purchase \S+, with 500 of 1000 cents refunded, returned 39 of its fee and 0 of its tax\.$/m,
  ],
  [
    'a refund reversed that was never booked',
    entry('refund_reversal', 'refund_reversal:c', [
      ['provider', null, 0],
      ['platform_fee', null, 0],
    ]),
    /^Entry planted-refund_reversal:c reverses a refund that is not booked\.$/m,
  ],
  [
    'a refund that charges more than the provider kept',
    entry('refund_cost', 'refund_cost:c', [
      ['processing_cost', null, 60],
      ['creator', null, -60],
    ]),
    /^The creator of purchase \S+ bears 60 of 59 cents of processing_cost\.$/m,
  ],
  [
    'a cost charged without a refund',
    entry('refund_cost', 'refund_cost:d', [
      ['processing_cost', null, 1],
      ['creator', null, -1],
    ]),
    /^The creator of purchase \S+ bears 1 of 59 cents of processing_cost\.$/m,
  ],
  [
    'a dispute fee charged that the provider never took',
    entry('dispute_fee', 'dispute_fee:c:d', [
      ['dispute_fee', null, 1500],
      ['creator', null, -1500],
    ]),
    /^The creator of purchase \S+ bears 1500 of 0 cents of dispute_fee\.$/m,
  ],
  [
    'a dispute that brought more than it took',
    entry('dispute_reversal', 'dispute:d:e', [
      ['provider', null, -7],
      ['creator', null, 7],
    ]),
    /^Purchase \S+ gained 7 cents from disputes, which can only deduct\.$/,
  ],
  [
    'a dispute that left the grant active',
    entry('dispute', 'dispute:f:g', [
      ['provider', null, 7],
      ['creator', null, -7],
    ]),
    /is active, but it is not fully refunded and has a dispute that holds its money\.$/,
  ],
  [
    'a full refund that left the grant active',
    entry('refund', 'refund:h', [
      ['provider', null, 1000],
      ['platform_fee', null, -80],
      ['processing_cost', null, -920],
    ]),
    /^The grant of purchase \S+ is active, but it is fully refunded and has no dispute\.$/m,
  ],
  [
    'a reserve of more than its creator got',
    [
      sql`insert into reserve
        select id, seller_id, mode, 921, settled_at from purchase where price_cents = 1000`,
    ],
    /^Purchase \S+ has 921 cents in reserve, of the 920 that its creator got for it\.$/m,
  ],
  ['a grant ended without a reason', grant('ended'), /is ended, but it is not fully refunded and/],
  ['a grant suspended without a dispute', grant('suspended'), /is suspended, but .* no dispute\.$/],
  [
    'a settled purchase without its grant',
    [sql`delete from grant_claim`, sql`delete from access_grant`],
    /^Purchase \S+ has 0 grants and is settled\.$/m,
  ],
  [
    'a grant that brings no file',
    [sql`delete from link_file`],
    /^The grant of purchase \S+ of link \S+ is active, but includes nothing\.$/m,
  ],
  [
    'a grant of what was not paid',
    [sql`update purchase set settled_at = null where price_cents = 1000`],
    /^Purchase \S+ has 1 grants and is not settled\.$/m,
  ],
  [
    'a sale that a link does not count',
    [sql`update link_statistics set sales = 0 where refunds = 0`],
    /^Link \S+ counts 1 \/ 0 \/ 0 checkouts \/ sales \/ refunds; its purchases have 1 \/ 1 \/ 0: run ledger rebuild\.$/,
  ],
  [
    'a day that counts another amount',
    [sql`update seller_day set net_cents = net_cents - 1 where refunds = 0`],
    /^Day \d+ of \S+ counts 1 \/ 1 \/ 0 \/ 919 \/ 0 .*; its .* have 1 \/ 1 \/ 0 \/ 920 \/ 0: run ledger rebuild\.$/,
  ],
  [
    'a day that counts a checkout nobody began',
    [sql`update seller_day set checkouts = 2 where refunds = 0`],
    /^Day \d+ of \S+ counts 2 \/ 1 \/ 0 \/ 920 \/ 0 .*; its .* have 1 \/ 1 \/ 0 \/ 920 \/ 0: run ledger rebuild\.$/,
  ],
  [
    'a day that does not count a refund',
    [sql`update seller_day set refunds = 0 where refunds = 1`],
    /^Day \d+ of \S+ counts 1 \/ 1 \/ 0 \/ .*; its .* have 1 \/ 1 \/ 1 \/ .*: run ledger rebuild\.$/,
  ],
  [
    'five seconds that count another amount',
    [sql`update sales_in_time set cents = cents - 1 where length_ms = 5000 and cents = 920`],
    /^The time of 5000 ms from \S+ of \S+ counts 1 \/ 919 sales \/ cents; its lines and reserves have 1 \/ 920: run ledger rebuild\.$/,
  ],
  [
    'three hours that end before its last sale',
    [
      sql`update sales_in_time set last_sold_at = last_sold_at - 1 where length_ms = 10800000 and cents = 920`,
    ],
    /^The time of 10800000 ms from \S+ of \S+ counts 1 \/ 920 sales \/ cents; its lines and reserves have 1 \/ 920: run ledger rebuild\.$/,
  ],
];

describeOnSqliteFirst('ledger check', (database) => {
  const app = useApp({ database, env });

  beforeAll(async () => {
    const { id } = await sellOnce(await signUp(app), sandboxPort);
    const sold = { provider: -941, platform_fee: 80, creator: 920, processing_cost: -59 };
    await expectBooks(app, id, sold);
    // Books with a refund in them, which must not be taken for a fault.
    const other = await sellOnce(await signUp(app), sandboxPort, { price: 2000 });
    await stripeOf(sandboxPort).refunds.create({ payment_intent: other.payment });
    await expectBooks(app, other.id, {
      provider: 88,
      platform_fee: 0,
      creator: 0,
      processing_cost: -88,
    });
  });

  interface Step {
    execute(db: Database): Promise<unknown>;
  }

  class Undo extends Error {}

  /** What the check says while the fault is there; the fault is taken back. */
  async function findFaults(plant: Step[]): Promise<string[]> {
    let faults: string[] = [];
    const planting = (db: Database) =>
      db.transaction().execute(async (transaction) => {
        for (const statement of plant) await statement.execute(transaction);
        faults = await checkLedger(transaction);
        throw new Undo();
      });
    await expect(withDatabase(app, planting)).rejects.toThrow(Undo);
    return faults;
  }

  test.each(FAULTS)('names %s', async (_title, plant, named) => {
    expect((await findFaults(plant)).join('\n')).toMatch(named);
    expect(await findFaults([])).toEqual([]);
  });

  test('names the command that keeps wrong sums anew, of sellers and links, and nothing else', async () => {
    const rebuild = () => runCli(app.env, 'ledger', 'rebuild');
    const nothing = 'Every sum is right: nothing was changed.\n';
    expect(await rebuild()).toMatchObject({ status: 0, stdout: nothing });
    const read = () =>
      withDatabase(app, async (db) => ({
        balances: await db
          .selectFrom('user_balance')
          .select(['owner_id', 'balance_cents'])
          .execute(),
        times: await db
          .selectFrom('sales_in_time')
          .where('sales', '>', 0)
          .selectAll()
          .orderBy('owner_id')
          .orderBy('length_ms')
          .orderBy('number')
          .orderBy('available_on')
          .execute(),
        days: await db.selectFrom('seller_day').selectAll().orderBy('owner_id').execute(),
        files: await db.selectFrom('file_usage').selectAll().orderBy('owner_id').execute(),
        links: await db.selectFrom('link_statistics').selectAll().orderBy('link_id').execute(),
        sales: await db
          .selectFrom('purchase')
          .select(['id', 'available_on'])
          .orderBy('id')
          .execute(),
      }));
    const before = await read();
    await withDatabase(app, async (db) => {
      for (const drift of [
        sql`update user_balance set balance_cents = 7`,
        sql`update sales_in_time set cents = cents + 1 where length_ms = 60000`,
        sql`delete from sales_in_time where length_ms = 10800000`,
        sql`update seller_day set net_cents = 0, checkouts = checkouts + 2`,
        sql`update link_statistics set sales = sales + 1, refunds = 3`,
        sql`update purchase set available_on = 1 where settled_at is not null`,
        sql`update file_usage set used_bytes = used_bytes - 1, open_uploads = 3`,
      ]) {
        await drift.execute(db);
      }
    });
    const check = await runCli(app.env, 'ledger', 'check');
    const faults = check.stdout.trimEnd().split('\n');
    expect(faults.length).toBeGreaterThan(4);
    expect(faults.filter((fault) => !fault.endsWith(': run ledger rebuild.'))).toEqual([]);
    expect(await rebuild()).toMatchObject({
      status: 0,
      stdout: `Sums that were wrong and are kept anew: ${faults.length}.\n`,
    });
    expect(await read()).toEqual(before);
    expect(await rebuild()).toMatchObject({ status: 0, stdout: nothing });
  });

  test('as a command names each fault and ends with code 1, or says that all is in order', async () => {
    const run = () => runCli(app.env, 'ledger', 'check');
    expect(await run()).toMatchObject({ status: 0, stdout: 'The ledger is in order.\n' });
    const table = database === 'postgres' ? ' on ledger_line' : '';
    await withDatabase(app, async (db) => {
      await sql`update user_balance set balance_cents = balance_cents - 1`.execute(db);
      await sql.raw(`drop trigger ledger_line_no_update${table}`).execute(db);
    });
    const { status, stdout } = await run();
    expect(status).toBe(1);
    expect(stdout).toMatch(/^The trigger ledger_line_no_update is missing: .*\.$/m);
    expect(stdout).toMatch(
      /^Balance of \S+ \(test\) is 919, its lines sum to 920: run ledger rebuild\.$/m,
    );
  });
});
