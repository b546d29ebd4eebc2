import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { createTestEnvironment } from '../../../../tests/harness/test-environment.ts';
import { describeOnBothDatabases } from '../../../../tests/on-both-databases.ts';
import { withDatabase } from '../../../../tests/with-database.ts';
import { migrate } from '../migrate.ts';
import { up as begin } from './001-begin.ts';
import { up as appendOnlyLedger } from './002-append-only-ledger.ts';
import { up as secretKeys } from './003-secret-keys.ts';

const EARLIER = {
  '001-begin': { up: begin },
  '002-append-only-ledger': { up: appendOnlyLedger },
  '003-secret-keys': { up: secretKeys },
};

const purchase = (id: string, claim: string, buyer: string | null, state: string, at: number) =>
  sql`insert into purchase values (${id}, 'aaaaaaaa', 'ada', ${buyer}, ${claim}, 500, 55, 'usd',
    'test', 'sandbox', ${id}, null, null, null, ${state}, ${at}, 0, null)`;

describeOnBothDatabases('books of an earlier version', (database) => {
  test('are brought up: sales get their time, double checkouts end, waiting work goes on', async () => {
    const environment = await createTestEnvironment({ database });
    try {
      await withDatabase(environment, async (db) => {
        const provider = { getMigrations: async () => EARLIER };
        const { error } = await new Migrator({ db, provider }).migrateToLatest();
        expect(error).toBeUndefined();
        for (const statement of [
          sql`insert into link_id values ('aaaaaaaa', 'ada', 0)`,
          sql`insert into link values ('aaaaaaaa', 'ada', 'link', null, null, 'https://a.example/',
            500, 0, 0, null, null, 1, 0, 0, null, null)`,
          purchase('older', 'claim', null, 'open', 1),
          purchase('newer', 'claim', null, 'open', 2),
          purchase('same-time-a', 'claim-a', 'bob', 'open', 3),
          purchase('same-time-b', 'claim-b', 'bob', 'open', 3),
          purchase('settled', 'claim', 'bob', 'settled', 1),
          sql`insert into ledger_entry values
            ('entry', 'sale', 'sale:pi', 'test', 'sandbox', 'usd', 'settled', 77)`,
          sql`insert into ledger_line values ('entry', 0, 'provider', null, -500)`,
          sql`insert into ledger_line values ('entry', 1, 'creator', 'ada', 500)`,
          sql`insert into job values ('job', 'review-grant', '{}', 0, 0, 0, null, null, 0)`,
        ]) {
          await statement.execute(db);
        }

        await migrate(db);
        const states = await db.selectFrom('purchase').select(['id', 'state']).execute();
        expect(Object.fromEntries(states.map(({ id, state }) => [id, state]))).toEqual({
          older: 'expired',
          newer: 'open',
          'same-time-a': 'expired',
          'same-time-b': 'open',
          settled: 'settled',
        });
        const lines = await db.selectFrom('ledger_line').selectAll().orderBy('position').execute();
        expect(lines.map(({ sold_at }) => sold_at)).toEqual([null, 77]);
        const jobs = await db.selectFrom('job').select(['kind', 'lane', 'payload']).execute();
        expect(new Set(jobs)).toEqual(
          new Set([
            { kind: 'review-payment', lane: 'follow-ups', payload: '{}' },
            ...['newer', 'same-time-b'].map((purchaseId) => ({
              kind: 'follow-checkout',
              lane: 'follow-ups',
              payload: JSON.stringify({ purchaseId }),
            })),
          ]),
        );
        await expect(sql`update ledger_line set sold_at = 1`.execute(db)).rejects.toThrow(
          'append-only',
        );
        const again = purchase('again', 'claim', null, 'open', 4).execute(db);
        await expect(again).rejects.toThrow(/unique/i);
      });
    } finally {
      await environment.remove();
    }
  });
});
