import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { MIGRATIONS, migrate } from '../../server/ground/database/migrate.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { findWrongEntries, findWrongRefunds } from '../../server/money/payments/check-ledger.ts';
import { findPaid, findPurchasesBySession } from '../../server/selling/purchases/queries.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createTestEnvironment } from '../harness/test-environment.ts';
import { withDatabase } from '../harness/with-database.ts';

const BEFORE = Object.fromEntries(
  Object.entries(MIGRATIONS).filter(([name]) => name < '165-payments'),
);

interface Before {
  id: string;
  session?: string;
  intent?: string;
  cart?: [id: string, line: number];
}

/** As the version before wrote a purchase: a line of a cart has names of its own for what it shares. */
function purchase({ id, session, intent, cart }: Before): RawBuilder<unknown> {
  const settledAt = intent === undefined ? null : 10;
  const state = intent === undefined ? 'open' : 'settled';
  return sql`insert into purchase (id, link_id, seller_id, claim_hash, price_cents, fee_cents,
    currency, mode, provider_account, session_id, checkout_url, payment_intent_id, state, created_at,
    expires_at, settled_at, cart_id, cart_line)
    values (${id}, ${id}, 'ada', ${id}, 100, 0, 'usd', 'test', 'sandbox', ${session ?? null},
      ${session === undefined ? null : `https://pay.example/${session}`}, ${intent ?? null},
      ${state}, 1, 1000, ${settledAt}, ${cart?.[0] ?? null}, ${cart?.[1] ?? null})`;
}

const entry = (id: string, kind: string, cause: string, purchaseId: string, cents: number) => [
  sql`insert into ledger_entry (id, kind, cause, mode, provider_account, currency, purchase_id,
    created_at, line_count) values (${id}, ${kind}, ${cause}, 'test', 'sandbox', 'usd',
    ${purchaseId}, 1, 2)`,
  ...[-cents, cents].map(
    (amount, position) =>
      sql`insert into ledger_line (entry_id, position, account, amount_cents, currency)
        values (${id}, ${position}, ${position === 0 ? 'provider' : 'suspense'}, ${amount}, 'usd')`,
  ),
];

const job = (id: string, kind: string, payload: object) =>
  sql`insert into job (id, kind, payload, lane, run_at, attempts, unended, locked_until, created_at)
    values (${id}, ${kind}, ${JSON.stringify(payload)}, 'mail', 1, 0, 0, 0, 1)`;

const returned = (table: 'refund' | 'dispute', id: string, purchaseId: string) =>
  table === 'refund'
    ? sql`insert into refund (id, purchase_id, amount_cents, state, created_at)
        values (${id}, ${purchaseId}, 50, 'succeeded', 1)`
    : sql`insert into dispute (id, purchase_id, amount_cents, stage, awaits_answer, evidence,
        evidence_state, created_at) values (${id}, ${purchaseId}, 50, 'open', 1, '{}', 'none', 1)`;

const PURCHASES: Before[] = [
  { id: 'alone', session: 'cs_a', intent: 'pi_a' },
  { id: 'first', session: 'cs_b:1', intent: 'pi_b:1', cart: ['cart', 1] },
  { id: 'second', session: 'cs_b:2', intent: 'pi_b:2', cart: ['cart', 2] },
  { id: 'open', session: 'cs_c:1', cart: ['begun', 1] },
  { id: 'beside', session: 'cs_c:2', cart: ['begun', 2] },
  { id: 'asked' },
  // The first of them ended while its session was opened.
  { id: 'ended', cart: ['half', 1] },
  { id: 'kept', session: 'cs_d:2', cart: ['half', 2] },
];

const ROWS: RawBuilder<unknown>[] = [
  ...PURCHASES.flatMap((one) => [
    sql`insert into link_id values (${one.id}, 'ada', 0)`,
    sql`insert into link (id, owner_id, price_cents, unlocked, paused, version, created_at, updated_at,
      type, url) values (${one.id}, 'ada', 100, 0, 0, 1, 10, 90, 'link', 'https://example.com/')`,
    purchase(one),
  ]),
  ...entry('e1', 'sale', 'sale:pi_a', 'alone', 100),
  ...entry('e2', 'sale', 'sale:pi_b:1', 'first', 100),
  ...entry('e3', 'sale', 'sale:pi_b:2', 'second', 100),
  ...entry('e4', 'refund', 'refund:re_b:1', 'first', -50),
  ...entry('e5', 'refund', 'refund:re_b:2', 'second', -50),
  ...entry('e6', 'dispute', 'dispute:du_b:txn_b:2', 'second', -50),
  returned('refund', 're_b:1', 'first'),
  returned('refund', 're_b:2', 'second'),
  returned('refund', 'ours', 'second'),
  returned('dispute', 'du_b:1', 'first'),
  returned('dispute', 'du_b:2', 'second'),
  job('j1', 'expire-checkout', { sessionId: 'cs_c:2' }),
  job('j2', 'attach-evidence', { disputeId: 'du_b:1' }),
  job('j3', 'send-refund-failed', { refundId: 're_b:2' }),
  job('j4', 'send-refund', { refundId: 'ours' }),
  job('j5', 'send-receipt', { purchaseId: 'alone' }),
  job('j6', 'expire-checkout', { sessionId: 'cs_d:2' }),
  sql`insert into provider_transaction (id, mode, provider_account, type, amount_cents, fee_cents,
    net_cents, currency, subject, cause, matched, state, entry_id, available_on, created_at,
    imported_at, cart_id) values ('txn', 'test', 'sandbox', 'charge', 200, 0, 200, 'usd', 'sale',
    'sale:pi_b', 1, 'explained', 'e2', 1, 1, 1, 'cart')`,
];

async function read(db: Database, query: RawBuilder<unknown>): Promise<unknown[]> {
  const { rows } = await query.execute(db);
  return rows.map((row) => Object.values(row as object).join(' '));
}

describeOnBothDatabases('the migration that gives payments a row', (database) => {
  test('takes the names with a colon apart, and leaves what was bought alone', async () => {
    const environment = await createTestEnvironment({ database, empty: true });
    try {
      await withDatabase(environment, async (db) => {
        await migrate(db, BEFORE);
        for (const row of ROWS) await row.execute(db);
        await migrate(db);

        const namesOf = (lines: { id: string; payment_id: string; line: number }[]) =>
          lines.map(({ id, payment_id, line }) => `${id} ${payment_id} ${line}`);
        expect(namesOf(await findPaid(db, 'pi_a'))).toEqual(['alone alone 1']);
        expect(namesOf(await findPaid(db, 'pi_b'))).toEqual(['first cart 1', 'second cart 2']);
        const begun = await findPurchasesBySession(db, 'cs_c');
        expect(namesOf(begun)).toEqual(['open begun 1', 'beside begun 2']);
        expect(begun[1]?.checkout_url).toBe('https://pay.example/cs_c:1');
        expect(
          await read(db, sql`select payment_id, line from purchase where id = 'asked'`),
        ).toEqual(['asked 1']);
        expect(await read(db, sql`select id from payment order by id`)).toEqual([
          ...['alone', 'begun', 'cart', 'half'],
        ]);
        expect(await read(db, sql`select id, cause from ledger_entry order by id`)).toEqual([
          ...['e1 sale:pi_a', 'e2 sale:pi_b', 'e3 sale:pi_b', 'e4 refund:re_b', 'e5 refund:re_b'],
          'e6 dispute:du_b:txn_b',
        ]);
        expect(
          await read(db, sql`select purchase_id, id from refund order by purchase_id, id`),
        ).toEqual(['first re_b', 'second ours', 'second re_b']);
        expect(
          await read(db, sql`select purchase_id, id from dispute order by purchase_id`),
        ).toEqual(['first du_b', 'second du_b']);
        expect(await read(db, sql`select payload from job order by id`)).toEqual(
          [
            { sessionId: 'cs_c' },
            { disputeId: 'du_b' },
            { refundId: 're_b', purchaseId: 'second' },
            { refundId: 'ours' },
            { purchaseId: 'alone' },
            { sessionId: 'cs_d' },
          ].map((payload) => JSON.stringify(payload)),
        );
        expect(await findWrongEntries(db)).toEqual([]);
        expect(await findWrongRefunds(db)).toEqual([]);
        // What holds the tables to each other, and the books to what was written, is there again.
        await expect(
          sql`update ledger_entry set cause = 'other' where id = 'e1'`.execute(db),
        ).rejects.toThrow('append-only');
        await expect(
          sql`insert into refund (id, purchase_id, amount_cents, state, created_at)
            values ('stray', 'nobody', 1, 'failed', 1)`.execute(db),
        ).rejects.toThrow(/foreign key/i);
        await expect(
          sql`insert into payment (id, session_id) values ('other', 'cs_a')`.execute(db),
        ).rejects.toThrow(/unique/i);
      });
    } finally {
      await environment.remove();
    }
  });
});
