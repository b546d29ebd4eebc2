import { type Kysely, sql } from 'kysely';

/** What a ZIP archive of files says of each of them. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = ['alter table file add column crc32 bigint'];
