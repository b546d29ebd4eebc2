import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { migrate } from '../server/database/migrate.ts';
import {
  createTestEnvironment,
  type Database,
  type TestEnvironment,
} from './harness/test-environment.ts';
import { withDatabase } from './with-database.ts';

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
      for (const statement of seed) await statement.execute(db);
      await sql`analyze`.execute(db);
    });
  }, timeoutMs);
  afterAll(() => environment.remove?.());
  return environment;
}
