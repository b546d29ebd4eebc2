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
];
