import { type Kysely, sql } from 'kysely';

/** The short addresses of links, below those of their sellers' pages. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table link add column short_name text',
  // Also those that a link had before.
  `create table short_name (
    owner_id text not null,
    name text not null,
    link_id text not null references link (id) on delete cascade,
    constraint short_name_key primary key (owner_id, name)
  )`,
  'create index short_name_of_link on short_name (link_id)',
];
