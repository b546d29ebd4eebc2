import { type Kysely, sql } from 'kysely';

/** From where visitors and buyers of links came. Of checkouts before it, nobody knows. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table purchase add column source text',
  `create table link_source (
    link_id text not null,
    day integer not null,
    source text not null,
    owner_id text not null,
    views integer not null,
    checkouts integer not null,
    swept_checkouts integer not null,
    sales integer not null,
    net_cents bigint not null,
    constraint link_source_key primary key (link_id, day, source)
  )`,
  'create index link_source_of_owner on link_source (owner_id, day, link_id, source)',
];
