import { type Kysely, sql } from 'kysely';

/** What archives say of files, what of each was sent, and which purchases are looked after. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table file add column crc32 bigint',
  // Which bytes of a file went out for a grant, however many responses they took.
  `create table delivered_file (
    grant_id text not null references access_grant (id),
    file_key text not null,
    ranges text not null,
    bytes bigint not null,
    primary key (grant_id, file_key)
  )`,
  // When it is looked at whether the purchase arrived; null once it was.
  'alter table purchase add column watch_at bigint',
  'create index purchase_to_watch on purchase (watch_at) where watch_at is not null',
  // When it had not, and the buyer was reminded.
  'alter table purchase add column undelivered_at bigint',
  `create index purchase_undelivered on purchase (seller_id, undelivered_at)
    where undelivered_at is not null`,
  // When the mail server last refused the buyer's address.
  'alter table purchase add column receipt_refused_at bigint',
];
