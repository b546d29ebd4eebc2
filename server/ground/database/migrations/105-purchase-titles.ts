import { type Kysely, sql } from 'kysely';

/** What a purchase was of, in the words of its checkout, and what a buyer finds it again by. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table purchase add column title text',
  'alter table purchase add column seller_name text',
  `update purchase set
    title = (select link.title from link where link.id = purchase.link_id),
    seller_name = (select seller.name from seller where seller.owner_id = purchase.seller_id)`,
  // Whoever looks for a purchase writes the address as they like.
  `create index purchase_of_email on purchase (lower(buyer_email))
    where settled_at is not null`,
  // Whether the browser has shown that its person reads the buyer's mail.
  'alter table grant_claim add column proven integer default 0 not null',
  // Mailed to the buyer for one more browser: one at a time for each grant.
  `create table access_code (
    grant_id text primary key references access_grant (id),
    hash text not null,
    expires_at bigint not null,
    failures integer not null
  )`,
];
