import { type Kysely, sql } from 'kysely';

/** Discount codes, and what a link cost when a purchase of it began. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table discount (
    id text primary key,
    owner_id text not null,
    code text not null,
    percent integer,
    amount_cents bigint,
    minimum_cents bigint,
    starts_at bigint,
    ends_at bigint,
    max_uses integer,
    max_uses_of_buyer integer,
    chosen_links integer not null,
    created_at bigint not null,
    ended_at bigint,
    constraint discount_kind check ((percent is null) <> (amount_cents is null)),
    constraint discount_percent check (percent between 1 and 99),
    constraint discount_amount check (amount_cents > 0)
  )`,
  'create unique index discount_code on discount (owner_id, code) where ended_at is null',
  'create index discount_of_owner on discount (owner_id, created_at, id)',
  `create table discount_link (
    discount_id text not null references discount (id) on delete cascade,
    link_id text not null,
    constraint discount_link_key primary key (discount_id, link_id)
  )`,
  `create table purchase_discount (
    purchase_id text primary key references purchase (id) on delete cascade,
    discount_id text not null references discount (id) on delete cascade
  )`,
  'create index purchase_of_discount on purchase_discount (discount_id)',
  // Null for those that began before.
  'alter table purchase add column list_cents bigint',
];
