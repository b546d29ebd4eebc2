import { type Kysely, sql } from 'kysely';

/** The pages of sellers: their addresses, what they say, and which links come first there. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Also those that were given up, until somebody else may have them.
  `create table seller_handle (
    handle text primary key,
    owner_id text not null,
    left_at bigint
  )`,
  `create unique index seller_handle_of_owner on seller_handle (owner_id) where left_at is null`,
  `create index seller_handle_left on seller_handle (left_at) where left_at is not null`,
  'create index seller_handle_left_by on seller_handle (owner_id) where left_at is not null',
  `create table seller_page (
    owner_id text primary key,
    about text,
    links text not null,
    picture text,
    picture_width integer,
    picture_height integer
  )`,
  'create unique index seller_page_picture on seller_page (picture) where picture is not null',
  `create table pinned_link (
    link_id text primary key references link (id),
    owner_id text not null,
    pinned_at bigint not null
  )`,
  'create index pinned_link_of_owner on pinned_link (owner_id, pinned_at)',
];
