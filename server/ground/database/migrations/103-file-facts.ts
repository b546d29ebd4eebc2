import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** What is known of a file's bytes. A migration never changes once it is released: decision 026. */
export async function up(db: Kysely<never>): Promise<void> {
  const now =
    db.getExecutor().adapter instanceof SqliteAdapter
      ? "cast((julianday('now') - 2440587.5) * 86400000 as integer)"
      : 'cast(extract(epoch from now()) * 1000 as bigint)';
  for (const statement of [...COLUMNS, CHECKED, checkOldFiles(now)]) {
    await sql.raw(statement).execute(db);
  }
}

const COLUMNS = ['sha256 text', 'checked_at bigint', 'refused_because text', 'facts text'].map(
  (column) => `alter table file add column ${column}`,
);

/** What is on sale stays on sale until it has been looked at. */
const CHECKED = 'update file set checked_at = finished_at where finished_at is not null';

const checkOldFiles = (now: string) => `insert into job
  (id, kind, payload, lane, run_at, attempts, unended, locked_until, created_at)
  select 'check-old-files', 'check-old-files', '{}', 'files', ${now}, 0, 0, 0, ${now}
  where exists (select 1 from file where finished_at is not null)`;
