import { type Kysely, sql } from 'kysely';

/** The keys that sign receipts: at most one is in use, and none is ever removed. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table signing_key (
    id text primary key,
    public_key text not null,
    sealed_private_key text not null,
    created_at bigint not null,
    retired_at bigint
  )`,
  `create unique index signing_key_in_use on signing_key ((retired_at is null))
    where retired_at is null`,
];
