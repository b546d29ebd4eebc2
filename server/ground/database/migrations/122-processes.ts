import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * What the processes on one server of PostgreSQL have in common: who may do what of which one is
 * enough, and how often something was done. A file has one process, which needs neither.
 */
export async function up(db: Kysely<never>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table lease (
    name text primary key,
    holder text not null,
    place text,
    wanted boolean default false not null,
    expires_at timestamptz not null
  )`,
  // Written without a log, because a crash may forget counts, and they change all the time.
  `create unlogged table shared_count (
    name text primary key,
    taken integer not null,
    ends_at bigint not null
  )`,
  'create index shared_count_ended on shared_count (ends_at)',
];
