import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { createTestEnvironment } from '../../../../tests/harness/test-environment.ts';
import { describeOnBothDatabases } from '../../../../tests/on-both-databases.ts';
import { withDatabase } from '../../../../tests/with-database.ts';
import { migrate } from '../migrate.ts';
import { up as begin } from './001-begin.ts';

const link = (id: string, files: string[]) => [
  sql`insert into link_id values (${id}, 'ada', 0)`,
  sql`insert into link values (${id}, 'ada', 'file', null, ${files[0] ?? 'none'}, null, 500, 0, 0,
    1, 'a/b', 1, 0, 0, null, null)`,
  ...files.flatMap((key, position) => [
    sql`insert into file values (${key}, ${key}, 'ada', ${id}, 'a', 1, 'a/b', 0, 1)`,
    sql`insert into link_file values (${id}, ${position}, ${key})`,
  ]),
];

const purchase = (id: string, linkId: string, state: string) =>
  sql`insert into purchase values (${id}, ${linkId}, 'ada', null, ${id}, 500, 55, 'usd', 'test',
    'sandbox', ${id}, null, null, null, ${state}, 0, 0, null)`;

describeOnBothDatabases('purchases of an earlier version', (database) => {
  test('get the files that their links hold', async () => {
    const environment = await createTestEnvironment({ database });
    try {
      await withDatabase(environment, async (db) => {
        const provider = { getMigrations: async () => ({ '001-begin': { up: begin } }) };
        const { error } = await new Migrator({ db, provider }).migrateToLatest();
        expect(error).toBeUndefined();
        for (const statement of [
          ...link('aaaaaaaa', ['second', 'first']),
          ...link('bbbbbbbb', ['other']),
          purchase('settled', 'aaaaaaaa', 'settled'),
          purchase('open', 'bbbbbbbb', 'open'),
        ]) {
          await statement.execute(db);
        }
        await migrate(db);
        const rows = db.selectFrom('purchase_file').selectAll();
        expect(await rows.orderBy('purchase_id').orderBy('position').execute()).toEqual([
          { purchase_id: 'open', position: 0, file_key: 'other' },
          { purchase_id: 'settled', position: 0, file_key: 'second' },
          { purchase_id: 'settled', position: 1, file_key: 'first' },
        ]);
      });
    } finally {
      await environment.remove();
    }
  });
});
