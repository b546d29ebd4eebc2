import { type Kysely, sql } from 'kysely';

/** The language in which a buyer is written to. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw("alter table purchase add column language text not null default 'en'").execute(db);
}
