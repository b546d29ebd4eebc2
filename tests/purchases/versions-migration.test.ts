import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { MIGRATIONS, migrate } from '../../server/ground/database/migrate.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createTestEnvironment } from '../harness/test-environment.ts';
import { withDatabase } from '../harness/with-database.ts';

const link = (id: string, rest: string) => [
  sql`insert into link_id values (${id}, 'ada', 0)`,
  sql`insert into link (id, owner_id, price_cents, unlocked, paused, version, created_at,
    updated_at, type, key, url) values (${id}, 'ada', 100, 0, 0, 1, 10, 90, ${sql.raw(rest)})`,
];

const files = (table: 'link_file' | 'purchase_file', id: string, ...keys: (string | null)[]) =>
  keys.flatMap((key, position) =>
    key === null ? [] : [sql`insert into ${sql.table(table)} values (${id}, ${position}, ${key})`],
  );

function purchase(id: string, linkId: string, createdAt: number, ...keys: (string | null)[]) {
  const settledAt = id.startsWith('unpaid') ? null : createdAt;
  return [
    sql`insert into purchase (id, link_id, seller_id, claim_hash, price_cents, fee_cents, currency,
      mode, provider_account, state, created_at, expires_at, settled_at) values (${id}, ${linkId},
      'ada', ${id}, 100, 0, 'usd', 'test', 'sandbox', 'settled', ${createdAt}, 1000, ${settledAt})`,
    ...files('purchase_file', id, ...keys),
  ];
}

/** As it was before links had versions: each purchase kept its own list of files. */
const BEFORE: RawBuilder<unknown>[] = [
  ...link('replaced', `'file', 'a', null`),
  ...['a', 'b', 'c', 'B'].map(
    (key, index) =>
      sql`insert into file values (${key}, ${key}, 'ada', 'replaced', 'n', ${2 ** index}, 't', 1, 1)`,
  ),
  ...files('link_file', 'replaced', 'a', 'b'),
  ...purchase('now', 'replaced', 20, 'a', 'b'),
  ...purchase('other', 'replaced', 40, 'b', 'a'),
  ...purchase('first', 'replaced', 30, 'c'),
  ...purchase('again', 'replaced', 50, 'c'),
  ...purchase('unpaid', 'replaced', 60),
  ...link('sold once', `'file', 'B', null`),
  ...files('link_file', 'sold once', 'B', 'c'),
  ...purchase('once', 'sold once', 20, 'B', 'c'),
  ...link('address', `'link', null, 'https://example.com/'`),
  ...purchase('of address', 'address', 20),
  // Their files were deleted, all or the first.
  ...link('emptied', `'file', 'gone', null`),
  ...purchase('of emptied', 'emptied', 20),
  ...link('damaged', `'file', 'gone', null`),
  ...files('link_file', 'damaged', null, 'c'),
  sql`insert into access_grant (id, purchase_id, link_id, state, created_at, updated_at)
    select id, id, link_id, 'active', 1, 1 from purchase where settled_at is not null`,
];

describeOnSqliteFirst('the migration to versions', (database) => {
  test('keeps what links sell and what was bought', async () => {
    const environment = await createTestEnvironment({ database, empty: true });
    try {
      const after = await withDatabase(environment, async (db) => {
        const begin = MIGRATIONS['101-begin'];
        await migrate(db, begin && { '101-begin': begin });
        for (const statement of BEFORE) await statement.execute(db);
        await migrate(db);
        const rows = async (query: string) =>
          (await sql.raw<object>(query).execute(db)).rows.map((row) => Object.values(row));
        return {
          links: await rows('select id, content_version from link order by id'),
          versions: await rows('select * from link_version order by link_id, number'),
          files: await rows('select * from link_file order by link_id, version, position'),
          purchases: await rows('select id, content_version from purchase order by id'),
          sizes: await rows(
            'select purchase_id, size_bytes from access_grant order by purchase_id',
          ),
        };
      });
      expect(after).toEqual({
        links: [
          ['address', 1],
          ['damaged', 1],
          ['emptied', 1],
          ['replaced', 3],
          ['sold once', 1],
        ],
        versions: [
          ['address', 1, 'https://example.com/', 10, null],
          ['damaged', 1, null, 10, 10],
          ['emptied', 1, null, 10, 10],
          ['replaced', 1, null, 10, null],
          ['replaced', 2, null, 40, null],
          ['replaced', 3, null, 90, null],
          ['sold once', 1, null, 10, null],
        ],
        files: [
          ['damaged', 1, 1, 'c'],
          ['replaced', 1, 0, 'c'],
          ['replaced', 2, 0, 'b'],
          ['replaced', 2, 1, 'a'],
          ['replaced', 3, 0, 'a'],
          ['replaced', 3, 1, 'b'],
          ['sold once', 1, 0, 'B'],
          ['sold once', 1, 1, 'c'],
        ],
        purchases: [
          ['again', 1],
          ['first', 1],
          ['now', 3],
          ['of address', 1],
          ['of emptied', 1],
          ['once', 1],
          ['other', 2],
          ['unpaid', 3],
        ],
        sizes: [
          ['again', 4],
          ['first', 4],
          ['now', 3],
          ['of address', null],
          ['of emptied', null],
          ['once', 12],
          ['other', 3],
        ],
      });
    } finally {
      await environment.remove();
    }
  });
});
