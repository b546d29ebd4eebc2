import { type Kysely, sql } from 'kysely';

/** Links whose buyers name the price. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw('alter table link add column least_cents bigint').execute(db);
}
