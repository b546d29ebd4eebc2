import { type Kysely, sql } from 'kysely';

/** Accounts that came from another installation, and how their buyers are known again. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table account_import (
    owner_id text primary key,
    manifest_sha256 text not null,
    installation text not null,
    owed_cents bigint not null,
    lines_done bigint not null,
    imported_at bigint not null,
    finished_at bigint
  )`,
  `create table imported_day (
    owner_id text not null,
    day integer not null,
    views bigint not null,
    checkouts bigint not null,
    swept_checkouts bigint not null,
    sales bigint not null,
    refunds bigint not null,
    net_cents bigint not null,
    returned_cents bigint not null,
    constraint imported_day_key primary key (owner_id, day)
  )`,
  `create table awaited_purchase (
    purchase_id text primary key references purchase (id),
    email text not null
  )`,
  'create index awaited_purchase_of_email on awaited_purchase (email)',
  `create table earlier_personal_link (
    hash text primary key,
    grant_id text not null references access_grant (id)
  )`,
  'create index earlier_personal_link_of_grant on earlier_personal_link (grant_id)',
];
