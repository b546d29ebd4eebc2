import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Where the global set-up tells the tests' processes which PostgreSQL is theirs. */
export const POSTGRES_VARIABLE = 'PADLINK_TEST_POSTGRES';

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env[POSTGRES_VARIABLE] });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A fresh database in the run's PostgreSQL: an empty one, or a copy of another. */
export async function createDatabase({
  template = 'template1',
  name = `test_${randomBytes(8).toString('hex')}`,
} = {}): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env[POSTGRES_VARIABLE];
  if (!server) throw new Error(`${POSTGRES_VARIABLE} is not set: start tests by vitest`);
  // Copied as files: what goes through the log costs 40% more of a processor.
  await run(`create database ${name} template ${template} strategy file_copy`);
  return {
    url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    drop: () => run(`drop database ${name} with (force)`),
  };
}
