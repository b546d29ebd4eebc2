import { type Kysely, type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { migrate } from '../../server/ground/database/migrate.ts';
import type { Tables } from '../../server/ground/database/tables.ts';
import {
  createTestEnvironment,
  type Database,
  type TestEnvironment,
} from '../harness/test-environment.ts';
import { withDatabase } from '../harness/with-database.ts';

/**
 * A database of these rows alone, without the product. Its fields are there within tests.
 * @param timeoutMs how long it may take; milliseconds
 */
export function useSeed(
  database: Database,
  seed: RawBuilder<unknown>[],
  timeoutMs?: number,
): TestEnvironment {
  const environment = {} as TestEnvironment;
  beforeAll(async () => {
    Object.assign(environment, await createTestEnvironment({ database }));
    await withDatabase(environment, async (db) => {
      await migrate(db);
      // What is set holds for a connection.
      await db.connection().execute(async (connection) => {
        const indexes = await dropIndexes(connection, database);
        for (const statement of seed) await statement.execute(connection);
        for (const index of indexes) await sql.raw(index).execute(connection);
        await sql`analyze`.execute(connection);
      });
    });
  }, timeoutMs);
  afterAll(() => environment.remove?.());
  return environment;
}

/** An index of rows that are there is made in a fraction of the time. @returns how to make them */
async function dropIndexes(db: Kysely<Tables>, database: Database): Promise<string[]> {
  const { rows } = await (database === 'sqlite'
    ? sql<Index>`select name, sql as definition from sqlite_master
        where type = 'index' and sql not like 'create unique%'`
    : sql<Index>`select relname as name, pg_get_indexdef(indexrelid) as definition
        from pg_index inner join pg_class on oid = indexrelid
        where not indisunique and relnamespace = current_schema()::regnamespace`
  ).execute(db);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db);
  return rows.map(({ definition }) => definition);
}

interface Index {
  name: string;
  definition: string;
}
