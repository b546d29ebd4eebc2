import { type Kysely, sql } from 'kysely';

/** The browsers that show their sellers each sale, by the sessions that they are signed in with. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table notified_browser (
    session_id text primary key,
    owner_id text not null,
    endpoint text not null,
    p256dh text not null,
    auth text not null,
    created_at bigint not null,
    failing_since bigint
  )`,
  'create index notified_browser_of_owner on notified_browser (owner_id)',
  'create unique index notified_browser_endpoint on notified_browser (endpoint)',
];
