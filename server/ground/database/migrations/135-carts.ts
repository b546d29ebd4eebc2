import { type Kysely, sql } from 'kysely';

/** What browsers have in their carts, and payments that several purchases share. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table cart_item (
    claim_hash text not null,
    link_id text not null,
    named_cents bigint,
    code text,
    seen_cents bigint not null,
    source text not null,
    added_at bigint not null,
    constraint cart_item_key primary key (claim_hash, link_id)
  )`,
  'create index cart_item_added on cart_item (added_at)',
  // Null for what was bought alone.
  'alter table purchase add column cart_id text',
  'alter table purchase add column cart_line integer',
  'create unique index purchase_of_cart on purchase (cart_id, cart_line) where cart_id is not null',
  'alter table provider_transaction add column cart_id text',
  `create table payment_share (
    object_id text not null,
    purchase_id text not null references purchase (id) on delete cascade,
    amount_cents bigint not null,
    constraint payment_share_key primary key (object_id, purchase_id)
  )`,
  'create index payment_share_of_purchase on payment_share (purchase_id)',
];
