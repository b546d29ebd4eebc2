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
  Object.entries(MIGRATIONS).filter(([name]) => name < '165-payments'),
);
const COMPOSED = 'V@B\u00dcCHER.example';
const DECOMPOSED = 'v@bu\u0308cher.example';
const CANONICAL = 'v@xn--bcher-kva.example';

/** As the version before wrote a paid purchase: no mailbox is no more than lower case. */
async function write(
  db: Database,
  id: string,
  buyer: [typed: string, mailbox: string | null],
  recipient: [typed: string | null, mailbox: string | null] = [null, null],
) {
  await sql`insert into purchase (id, link_id, seller_id, claim_hash, price_cents, fee_cents,
    currency, mode, provider_account, state, created_at, expires_at, settled_at, buyer_email,
    buyer_mailbox, gift_email, gift_mailbox) values (${id}, 'l', 'ada', ${id}, 100, 0, 'usd', 'test',
    'sandbox', 'settled', 1, 1000, 10, ${sql.join([...buyer, ...recipient])})`.execute(db);
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
        await write(db, 'plain', ['Ada@Example.com', null]);
        await write(db, 'composed', [COMPOSED, CANONICAL]);
        await write(db, 'decomposed', [DECOMPOSED, CANONICAL]);
        await write(db, 'gift', ['Ada@Example.com', null], [COMPOSED, CANONICAL]);
        const recipient: [string, string] = ['M\u00dcLLER@example.com', 'm\u00fcller@example.com'];
        await write(db, 'given', [COMPOSED, CANONICAL], recipient);
        await sql`insert into awaited_purchase values ('plain', ${CANONICAL})`.execute(db);
        await migrate(db);
        // With no mailbox, as of old.
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
