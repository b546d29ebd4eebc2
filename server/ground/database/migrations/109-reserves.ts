import { type Kysely, sql } from 'kysely';

/** What a refund under way, or a claim of a bank, may still take back of a sale. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table reserve (
    purchase_id text primary key references purchase (id),
    owner_id text not null,
    mode text not null,
    amount_cents bigint not null,
    sold_at bigint not null
  )`,
  'create index reserve_of_owner on reserve (owner_id)',
];
