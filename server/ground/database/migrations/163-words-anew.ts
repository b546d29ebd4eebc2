import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Texts are cut into words in another way than before: a job follows for those that are there. */
export async function up(db: Kysely<never>): Promise<void> {
  const now =
    db.getExecutor().adapter instanceof SqliteAdapter
      ? "cast((julianday('now') - 2440587.5) * 86400000 as integer)"
      : 'cast(extract(epoch from now()) * 1000 as bigint)';
  await sql
    .raw(
      `insert into job
        (id, kind, payload, lane, run_at, attempts, unended, locked_until, created_at)
        select 'index-old-words', 'index-old-words', '{"after":""}', 'files', ${now}, 0, 0, 0, ${now}
        where exists (select 1 from link)`,
    )
    .execute(db);
}
