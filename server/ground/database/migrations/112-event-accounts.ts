import { type Kysely, sql } from 'kysely';

/** Keeps with each event of the provider the connected account that it is about. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw('alter table webhook_event add column account text').execute(db);
}
