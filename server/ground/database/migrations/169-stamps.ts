import { type Kysely, sql } from 'kysely';

/** Whether PDFs carry their buyer, and that one of them cannot. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const column of ['stamp', 'stamp_failed']) {
    await sql`alter table link add column ${sql.ref(column)} integer not null default 0`.execute(
      db,
    );
  }
}
