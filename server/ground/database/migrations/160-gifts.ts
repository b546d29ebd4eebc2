import { type Kysely, sql } from 'kysely';

/** Purchases that are given to somebody else. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Null for what its buyer keeps.
  'alter table purchase add column gift_email text',
  'alter table purchase add column gift_message text',
  'alter table purchase add column gift_opened_at bigint',
  'alter table purchase add column gift_resends integer not null default 0',
  // A purchase is found by the address that it is opened from: of a gift, not the one that paid.
  'drop index purchase_of_email',
  `create index purchase_of_email on purchase (lower(coalesce(gift_email, buyer_email)))
    where settled_at is not null`,
  `create index purchase_of_giver on purchase (lower(buyer_email))
    where settled_at is not null and gift_email is not null`,
];
