import { type Kysely, sql } from 'kysely';

/** What each secret key may do, separated by spaces: earlier ones may do what they always could. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw("alter table secret_key add column scopes text default 'sell' not null")
    .execute(db);
}
