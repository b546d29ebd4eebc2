import { type Kysely, sql } from 'kysely';

/** How many copies of a link are sold, and until when. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw('alter table link add column copies integer').execute(db);
  await sql.raw('alter table link add column sold_until bigint').execute(db);
}
