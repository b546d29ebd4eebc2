import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MIGRATIONS, migrate } from '../../server/ground/database/migrate.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { findPurchases } from '../../server/office/back-office/find-purchases.ts';
import { migrateAll } from '../../server/running/migrate-all.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createTestEnvironment } from '../harness/test-environment.ts';
import { withDatabase } from '../harness/with-database.ts';

const BEFORE = Object.fromEntries(
  Object.entries(MIGRATIONS).filter(([name]) => name < '164-canonical-addresses'),
);
const COMPOSED = 'V@B\u00dcCHER.example';
const DECOMPOSED = 'v@bu\u0308cher.example';
const CANONICAL = 'v@xn--bcher-kva.example';

/** As the version before wrote a paid purchase. */
async function write(db: Database, id: string, buyer: string | null, recipient: string | null) {
  await sql`insert into purchase (id, link_id, seller_id, claim_hash, price_cents, fee_cents,
    currency, mode, provider_account, state, created_at, expires_at, settled_at, buyer_email,
    gift_email) values (${id}, 'l', 'ada', ${id}, 100, 0, 'usd', 'test', 'sandbox', 'settled', 1,
    1000, 10, ${buyer}, ${recipient})`.execute(db);
}

describeOnBothDatabases('the migration of addresses', (database) => {
  test('keeps them as they were typed, and lets each spelling find what was bought', async () => {
    const environment = await createTestEnvironment({ database, empty: true });
    try {
      await withDatabase(environment, async (db) => {
        await migrate(db, BEFORE);
        await sql`insert into link_id values ('l', 'ada', 0)`.execute(db);
        await sql`insert into link (id, owner_id, price_cents, unlocked, paused, version,
          created_at, updated_at, type, url) values ('l', 'ada', 100, 0, 0, 1, 10, 90, 'link',
          'https://example.com/')`.execute(db);
        await write(db, 'plain', 'Ada@Example.com', null);
        await write(db, 'composed', COMPOSED, null);
        await write(db, 'decomposed', DECOMPOSED, null);
        await write(db, 'gift', 'Ada@Example.com', COMPOSED);
        await write(db, 'given', COMPOSED, 'M\u00dcLLER@example.com');
        // More than are read at once.
        await sql`insert into purchase (id, link_id, seller_id, claim_hash, price_cents, fee_cents,
          currency, mode, provider_account, state, created_at, expires_at, settled_at, buyer_email)
          with recursive n (i) as (select 0 union all select i + 1 from n where i < 500)
          select 'many' || i, 'l', 'ada', 'many' || i, 100, 0, 'usd', 'test', 'sandbox', 'settled',
            1, 1000, 10, '\u00c4' || (i % 2) || '@example.com' from n`.execute(db);
        await sql`insert into awaited_purchase values ('plain', ${DECOMPOSED})`.execute(db);
        await migrate(db);
        // As processes of versions without the column write.
        await sql`insert into purchase (id, payment_id, line, link_id, seller_id, claim_hash,
          price_cents, fee_cents, currency, mode, provider_account, state, created_at, expires_at,
          settled_at, buyer_email) values ('later', 'later', 1, 'l', 'ada', 'later', 100, 0, 'usd',
          'test', 'sandbox', 'settled', 1, 1000, 10, 'ADA@example.com')`.execute(db);

        const find = async (search: string) =>
          (await findPurchases(db, search)).map(({ id }) => id).sort();
        for (const spelling of [CANONICAL, COMPOSED, DECOMPOSED]) {
          expect(await find(spelling)).toEqual(['composed', 'decomposed', 'gift', 'given']);
        }
        expect(await find('ada@EXAMPLE.com')).toEqual(['gift', 'later', 'plain']);
        expect(await find('mu\u0308ller@example.com')).toEqual(['given']);
        const { rows } = await sql`select buyer_email, count(*) as count from purchase
          where buyer_mailbox in ('\u00e40@example.com', '\u00e41@example.com')
          group by buyer_email order by buyer_email`.execute(db);
        expect(rows.map((row) => Object.values(row as object).map(String))).toEqual([
          ['\u00c40@example.com', '251'],
          ['\u00c41@example.com', '250'],
        ]);
        const typed = await db
          .selectFrom('purchase')
          .where('id', 'in', ['composed', 'decomposed', 'given'])
          .orderBy('id')
          .select(['buyer_email', 'gift_email'])
          .execute();
        expect(typed).toEqual([
          { buyer_email: COMPOSED, gift_email: null },
          { buyer_email: DECOMPOSED, gift_email: null },
          { buyer_email: COMPOSED, gift_email: 'M\u00dcLLER@example.com' },
        ]);
        const awaited = await db.selectFrom('awaited_purchase').select('email').execute();
        expect(awaited).toEqual([{ email: CANONICAL }]);
      });
    } finally {
      await environment.remove();
    }
  });

  test('gives each account the form that is compared, and takes none from another', async () => {
    const environment = await createTestEnvironment({ database, empty: true });
    try {
      await withDatabase(environment, async (db) => {
        await migrateAll(db);
        // Sign-in services state addresses in any form.
        const accounts = [
          ['has it', CANONICAL],
          ['comes late', DECOMPOSED.normalize('NFC')],
          ['older', 'o@b\u00fccher.example'],
          ['younger', 'o@bu\u0308cher.example'],
          ['alone', 'mu\u0308ller@example.com'],
          ['plain', 'ada@example.com'],
        ] as const;
        for (const [index, [id, email]] of accounts.entries()) {
          const at = new Date(index * 1000).toISOString();
          await sql`insert into "user" (id, name, "firstName", email, "emailVerified", language,
            "createdAt", "updatedAt")
            values (${id}, 'Ada', 'Ada', ${email}, true, 'en', ${at}, ${at})`.execute(db);
        }
        // At every start: the second finds nothing to do.
        for (let start = 0; start < 2; start += 1) {
          await migrateAll(db);
          const kept = await db
            .selectFrom('user')
            .orderBy('createdAt')
            .select(['id', 'email'])
            .execute();
          expect(kept.map(({ id, email }) => [id, email])).toEqual([
            ['has it', CANONICAL],
            ['comes late', 'v@b\u00fccher.example'],
            ['older', 'o@xn--bcher-kva.example'],
            ['younger', 'o@bu\u0308cher.example'],
            ['alone', 'm\u00fcller@example.com'],
            ['plain', 'ada@example.com'],
          ]);
        }
      });
    } finally {
      await environment.remove();
    }
  });
});
